; Two numbers of 200 bits whose sum wraps.
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 200))
(declare-const y (_ BitVec 200))
(assert (bvult (bvadd x y) x))
(assert (= ((_ extract 199 100) x) ((_ extract 99 0) y)))
(assert (distinct x y))
(check-sat)
