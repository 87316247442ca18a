package db

// Forms are the statement for many rows, that for one, and which arguments are columns.
func (s BulkSQL) Forms() (many, single string, columns []int) { return s.many, s.single, s.columns }
