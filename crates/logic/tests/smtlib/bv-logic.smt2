; De Morgan's laws with the negated operators, comparisons as bits, and repetition.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 7))
(declare-const y (_ BitVec 7))
(assert (or
  (distinct (bvnand x y) (bvor (bvnot x) (bvnot y)))
  (distinct (bvnor x y) (bvand (bvnot x) (bvnot y)))
  (distinct (bvxnor x y) (bvnot (bvxor x y)))
  (distinct (bvcomp x y) (ite (= x y) #b1 #b0))
  (distinct ((_ repeat 2) x) (concat x x))
  (distinct ((_ sign_extend 3) x) (concat ((_ repeat 3) ((_ extract 6 6) x)) x))))
(check-sat)
