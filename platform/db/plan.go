package db

const planOnce = `SET LOCAL plan_cache_mode = 'force_generic_plan'`

// PlanOnce has the transaction's statements planned once for each connection, whatever they are given, until their tables
// change or are analyzed. It is for statements that find rows by key, which Postgres would plan anew for each array, because
// it takes a short one for cheap; where it matters how many rows there are, that is right.
func (tx Tx) PlanOnce() { tx.Later(planOnce) }
