; The average without overflow is the one computed in more bits.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 16))
(declare-const y (_ BitVec 16))
(define-fun average () (_ BitVec 16) (bvadd (bvand x y) (bvlshr (bvxor x y) #x0001)))
(define-fun wide () (_ BitVec 17) (bvlshr (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)) (_ bv1 17)))
(assert (not (= ((_ zero_extend 1) average) wide)))
(check-sat)
