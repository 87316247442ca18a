package db

// generic is the mode in which a statement has one plan, whatever it is given.
const generic = "force_generic_plan"

const planOnce = `SET LOCAL plan_cache_mode = '` + generic + `'`

// ForceGenericPlan has the transaction's statements planned once for each connection, whatever they are given, until their tables
// change or are analyzed. It is for statements that find rows by key, which Postgres would plan anew for each array, because
// it takes a short one for cheap; where it matters how many rows there are, that is right.
//
// It costs least before the first statement: then it goes with the prologue.
func (tx Tx) ForceGenericPlan() {
	tx.planCacheMode = generic
	if tx.begun {
		tx.Queue(planOnce)
	}
}
