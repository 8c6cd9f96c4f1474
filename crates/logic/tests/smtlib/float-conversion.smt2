; Integers of 24 bits are single floats exactly, and come back.
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-const x (_ BitVec 24))
(assert (not (= ((_ fp.to_ubv 24) RTZ ((_ to_fp_unsigned 8 24) RNE x)) x)))
(check-sat)
