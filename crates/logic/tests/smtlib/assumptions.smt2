; The assumptions contradict each other through the assertion only.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (=> p (not q)))
(check-sat-assuming (p q r))
