; The usual average overflows.
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(assert (bvule x y))
(assert (bvult (bvlshr (bvadd x y) #x00000001) x))
(check-sat)
