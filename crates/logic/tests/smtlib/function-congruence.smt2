; Equal arguments give equal results: if f(f(f(x))) and f(f(f(f(f(x))))) are x, so is f(x).
(set-logic QF_UFBV)
(set-info :status unsat)
(declare-fun f ((_ BitVec 8)) (_ BitVec 8))
(declare-const x (_ BitVec 8))
(assert (= (f (f (f x))) x))
(assert (= (f (f (f (f (f x))))) x))
(assert (distinct (f x) x))
(check-sat)
