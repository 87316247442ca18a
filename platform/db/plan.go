package db

// generic is the mode in which a statement has one plan for all arguments.
const generic = "force_generic_plan"

const planOnce = `SET LOCAL plan_cache_mode = '` + generic + `'`

// ForceGenericPlan has Postgres plan the transaction's statements once for each connection, for all arguments, until their tables
// change or are analyzed. It is for statements that find rows by key. Postgres would plan them again for each array, because it
// takes a short one for cheap; where the number of rows matters, that is right.
//
// It is cheapest before the first statement, because it then is part of the setup.
func (tx Tx) ForceGenericPlan() {
	tx.planCacheMode = generic
	if tx.begun {
		tx.Queue(planOnce)
	}
}
