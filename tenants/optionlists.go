package tenants

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/optionlist"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/staff"
)

// Option is an entry of an option list: a record of id and names.
type Option struct {
	ID     uuid.UUID `json:"_id"`
	NameTH string    `json:"name_th"`
	NameEN string    `json:"name_en"`
}

// maxOptions bounds a list that is pushed; who needs a longer one asks for it.
const maxOptions = 200

// optionList is a table whose active rows are pushed when they change: who sees them, and how they are read.
type optionList struct {
	module string // whose letter v lets the back office see it
	office func(ctx context.Context, tx db.Tx) (rows any, all bool, err error)
}

var optionLists = func() map[string]optionList {
	lists := map[string]optionList{}
	add(lists, catalog.Packages, names...)
	add(lists, catalog.VoucherTypes, names...)
	add(lists, catalog.GiftVouchers, names...)
	add(lists, catalog.Tags, names...)
	add(lists, servicepoint.ServicePoints, names...)
	add(lists, content.Statuses, append([]string{"table_name", "number", "color"}, names...)...)
	for _, table := range optionlist.Lists {
		add(lists, table, names...)
	}
	add(lists, optionlist.Questions, names...)
	add(lists, consent.PDPA, append([]string{"active"}, names...)...)
	add(lists, consent.Terms, append([]string{"active"}, names...)...)
	add(lists, agent.AgentTypes, names...)
	add(lists, agent.Agents, "_id", "name", "referercode")
	add(lists, staff.PermissionSets, names...)
	add(lists, charge.Systems, names...)
	return lists
}()

var names = []string{"_id", "name_th", "name_en"}

func add[T any](lists map[string]optionList, t *resource.Table[T], fields ...string) {
	lists[t.Name()] = optionList{t.Module(), func(ctx context.Context, tx db.Tx) (any, bool, error) {
		page, err := t.List(ctx, tx, resource.Query{Filter: map[string]any{"active": true}, Select: fields, Limit: maxOptions})
		return page.Data, page.Next == nil, err
	}}
}

// OfficeOptions is a table's option list as the back office sees it, and the module whose letter v shows it. It is nil for a
// table that is no option list, and for one that is too long to be pushed.
func (s *Services) OfficeOptions(ctx context.Context, org uuid.UUID, table string) (rows any, module string, err error) {
	list, known := optionLists[table]
	if !known {
		return nil, "", nil
	}
	all := false
	err = s.DB.InOrg(ctx, org, func(tx db.Tx) error {
		rows, all, err = list.office(ctx, tx)
		return err
	})
	if err != nil || !all {
		return nil, list.module, err
	}
	return rows, list.module, nil
}

// OptionModules are the modules of option lists that somebody of the back office may see.
func (s *Services) OptionModules(ctx context.Context, org uuid.UUID, p staff.Account) ([]string, error) {
	asked, sees := map[string]bool{}, []string{}
	for _, list := range optionLists {
		if asked[list.module] {
			continue
		}
		asked[list.module] = true
		can, err := s.May(ctx, org, p, list.module, access.See)
		if err != nil {
			return nil, err
		}
		if can {
			sees = append(sees, list.module)
		}
	}
	return sees, nil
}

// ShopOptions is a table's option list as customers and agents see it: of what their own calls answer. known is false for a
// table that is not theirs to see; options is nil where the list is too long to be pushed.
func (s *Services) ShopOptions(ctx context.Context, org uuid.UUID, table string) (options []Option, known bool, err error) {
	switch table {
	case catalog.Tags.Name():
		tags, err := s.Catalog.Tags(ctx, org)
		return optionsOf(tags, err, func(t catalog.Tag) Option { return Option{t.ID, t.NameTH, t.NameEN} })
	case servicepoint.ServicePoints.Name():
		points, err := s.Catalog.ServicePoints(ctx, org)
		return optionsOf(points, err, func(p catalog.ServicePoint) Option { return Option{p.ID, p.NameTH, p.NameEN} })
	case optionlist.Questions.Name():
		questions, err := s.OptionList.Asked(ctx, org)
		return optionsOf(questions, err, func(q optionlist.PublicFAQ) Option { return Option{q.ID, q.NameTH, q.NameEN} })
	case optionlist.MemberCardTypes.Name():
		page, err := s.OptionList.CardTypes(ctx, org, resource.Query{Limit: maxOptions})
		return optionsOf(page.Data, err, func(r resource.Row[optionlist.Option]) Option {
			return Option{r.Value.ID, r.Value.NameTH, r.Value.NameEN}
		})
	default:
		return nil, false, nil
	}
}

func optionsOf[T any](rows []T, err error, option func(T) Option) ([]Option, bool, error) {
	if err != nil || len(rows) > maxOptions {
		return nil, true, err
	}
	return db.Column(rows, option), true, nil
}
