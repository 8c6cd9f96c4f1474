; The modulus has the divisor's sign, the remainder the dividend's.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (distinct b #x00))
(assert (or
  (and (bvsgt b #x00) (bvslt (bvsmod a b) #x00))
  (and (bvslt b #x00) (bvsgt (bvsmod a b) #x00))
  (and (bvsge a #x00) (bvslt (bvsrem a b) #x00))))
(check-sat)
