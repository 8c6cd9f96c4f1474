; Quotient and remainder belong together, also for the divisor 0 with SMT-LIB's meaning.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (not (and
  (= a (bvadd (bvmul (bvudiv a b) b) (bvurem a b)))
  (= a (bvadd (bvmul (bvsdiv a b) b) (bvsrem a b)))
  (=> (= b #x00) (= (bvudiv a b) #xff))
  (=> (distinct b #x00) (bvult (bvurem a b) b)))))
(check-sat)
