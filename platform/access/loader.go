package access

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/casbin/casbin/v3/model"
	"github.com/casbin/casbin/v3/persist"
	"github.com/google/uuid"

	"welovevoucher/platform/db"
)

// Letters are a module's rights in a permission set. Clients send a list or one string; both are read, the list is written.
type Letters []string

// UnmarshalJSON reads ["v", "i"] and "vi".
func (l *Letters) UnmarshalJSON(body []byte) error {
	if len(body) > 0 && body[0] == '[' {
		return json.Unmarshal(body, (*[]string)(l))
	}
	var joined string
	if err := json.Unmarshal(body, &joined); err != nil {
		return err
	}
	*l = strings.Split(joined, "")
	return nil
}

// loader reads the organisation's active permission sets as casbin policies, one a letter.
type loader struct {
	ctx context.Context //nolint:containedctx // casbin's LoadPolicy takes none
	db  *db.DB
	org uuid.UUID
}

var _ persist.Adapter = (*loader)(nil)

const activeSets = `SELECT id, modules FROM permission WHERE status = 5`

// LoadPolicy implements persist.Adapter.
func (l *loader) LoadPolicy(m model.Model) error {
	return l.db.InOrg(l.ctx, l.org, func(tx db.Tx) error {
		rows, err := tx.Query(l.ctx, activeSets)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var set uuid.UUID
			var modules map[string]Letters
			if err := rows.Scan(&set, &modules); err != nil {
				return err
			}
			for module, letters := range modules {
				for _, letter := range letters {
					if err := persist.LoadPolicyArray([]string{"p", set.String(), module, letter}, m); err != nil {
						return err
					}
				}
			}
		}
		return rows.Err()
	})
}

// errReadOnly is returned because permission sets are changed by tenants/staff, never through casbin.
var errReadOnly = errors.New("access: permission sets are not written through casbin")

// SavePolicy implements persist.Adapter.
func (*loader) SavePolicy(model.Model) error { return errReadOnly }

// AddPolicy implements persist.Adapter.
func (*loader) AddPolicy(string, string, []string) error { return errReadOnly }

// RemovePolicy implements persist.Adapter.
func (*loader) RemovePolicy(string, string, []string) error { return errReadOnly }

// RemoveFilteredPolicy implements persist.Adapter.
func (*loader) RemoveFilteredPolicy(string, string, int, ...string) error { return errReadOnly }
