; A rotation is two shifts, and rotating there and back does nothing.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 13))
(assert (or
  (distinct ((_ rotate_left 5) x) (bvor (bvshl x (_ bv5 13)) (bvlshr x (_ bv8 13))))
  (distinct ((_ rotate_right 18) ((_ rotate_left 5) x)) x)))
(check-sat)
