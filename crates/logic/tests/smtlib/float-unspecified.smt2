; What does not fit an integer is any integer, but the same for the same float.
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const x Float32)
(assert (fp.gt x ((_ to_fp 8 24) RNE 1000.5)))
(assert (= ((_ fp.to_sbv 8) RTZ x) #x2a))
(check-sat)
