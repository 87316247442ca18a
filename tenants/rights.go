package tenants

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/tenants/staff"
)

// May tells whether somebody of an organisation's office holds a letter of a module: his role or permission set gives it,
// and the organisation's plan has the module.
func (s *Services) May(ctx context.Context, org uuid.UUID, p staff.Person, module, letter string) (bool, error) {
	o, err := s.Orgs.ByID(ctx, org)
	if err != nil {
		return false, fmt.Errorf("plan of %s: %w", org, err)
	}
	if !o.Grants(module) {
		return false, nil
	}
	return s.Access.Can(ctx, org, p.Role, p.Set(), module, letter)
}
