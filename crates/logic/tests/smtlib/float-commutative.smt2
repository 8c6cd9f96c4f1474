; Addition of floats commutes, NaN and zeros included.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float16)
(declare-const y Float16)
(assert (not (= (fp.add RNE x y) (fp.add RNE y x))))
(check-sat)
