; Without knowing that the places differ, they need not commute.
(set-logic QF_ABV)
(set-info :status sat)
(declare-const m (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const i (_ BitVec 32))
(declare-const j (_ BitVec 32))
(assert (distinct (select (store (store m i #x01) j #x02) i) #x01))
(check-sat)
