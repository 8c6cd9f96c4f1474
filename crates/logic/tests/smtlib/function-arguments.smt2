; A function of a truth value and a number.
(set-logic QF_UFBV)
(set-info :status sat)
(declare-fun f (Bool (_ BitVec 4)) Bool)
(declare-const x (_ BitVec 4))
(assert (f true x))
(assert (not (f false x)))
(assert (not (f true (bvadd x #x1))))
(check-sat)
