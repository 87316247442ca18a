package provisioning

import "context"

// Resolve lets a test answer for DNS.
func Resolve(s *Service, lookup func(ctx context.Context, name string) ([]string, error)) {
	s.lookup = lookup
}

// What is copied and emptied when test sales become void.
const (
	CopyTestSales  = copyTestSales
	EmptyTestSales = emptyTestSales
)
