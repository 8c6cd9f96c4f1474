; An odd number of three truth values is true, and the first two are not equal.
(set-logic QF_BV)
(set-info :status sat)
(declare-const p Bool)
(declare-const q Bool)
(declare-const r Bool)
(assert (xor p q r))
(assert (distinct p q))
(check-sat)
