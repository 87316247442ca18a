package tenants

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/tenants/staff"
)

// May reports whether an account of an organisation's back office holds a letter of a module: his role or permission set gives it,
// and the organisation's plan has the module.
func (s *Services) May(ctx context.Context, org uuid.UUID, p staff.Account, module, letter string) (bool, error) {
	o, err := s.Orgs.ByID(ctx, org)
	if err != nil {
		return false, fmt.Errorf("plan of %s: %w", org, err)
	}
	if !o.Grants(module) {
		return false, nil
	}
	return s.Access.Can(ctx, org, p.Role, p.Set(), module, letter)
}

// Letters returns the rights of an account of an organisation's back office: letters by module, as May decides.
func (s *Services) Letters(ctx context.Context, org uuid.UUID, p staff.Account) (map[string]access.Letters, error) {
	may := map[string]access.Letters{}
	for _, module := range access.ModuleNames() {
		for _, letter := range []string{access.See, access.Add, access.Change, access.Status} {
			can, err := s.May(ctx, org, p, module, letter)
			if err != nil {
				return nil, err
			}
			if can {
				may[module] = append(may[module], letter)
			}
		}
	}
	return may, nil
}
