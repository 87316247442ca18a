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
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/optionlist"
	"welovevoucher/tenants/partner"
	"welovevoucher/tenants/servicepoint"
	"welovevoucher/tenants/staff"
)

// Option is an entry of an option list: a record of id and names.
type Option struct {
	ID     uuid.UUID `json:"_id"`
	NameTH string    `json:"name_th"`
	NameEN string    `json:"name_en"`
}

// maxOptions bounds a list that is pushed; a screen that needs a longer one asks for it.
const maxOptions = 200

// optionList is a table whose active rows are pushed when they change. Letter v of its module lets the back office see them.
type optionList struct {
	table  resource.Declared
	fields []string // that are pushed
}

var optionLists = func() map[string]optionList {
	lists := map[string]optionList{}
	add := func(table resource.Declared, fields ...string) { lists[table.Name()] = optionList{table, fields} }
	add(catalog.Packages, names...)
	add(catalog.VoucherTypes, names...)
	add(catalog.GiftVouchers, names...)
	add(catalog.Tags, names...)
	add(servicepoint.ServicePoints, names...)
	add(partner.Partners, names...)
	add(content.Statuses, append([]string{"table_name", "number", "color"}, names...)...)
	for _, table := range optionlist.Lists {
		add(table, names...)
	}
	add(member.CardTypes, names...)
	add(optionlist.Questions, names...)
	add(discount.Discounts, names...)
	add(consent.PDPA, append([]string{"active"}, names...)...)
	add(consent.Terms, append([]string{"active"}, names...)...)
	add(agent.AgentTypes, names...)
	add(agent.Agents, "_id", "name", "referercode")
	add(staff.PermissionSets, names...)
	add(charge.PaymentSystems, names...)
	return lists
}()

var names = []string{"_id", "name_th", "name_en"}

// OfficeOptions is a table's option list as the back office sees it, and the module whose letter v shows it. It is nil for a
// table that is no option list, and for one that is too long to be pushed.
func (s *Services) OfficeOptions(ctx context.Context, org uuid.UUID, table string) (rows any, module string, err error) {
	list, known := optionLists[table]
	if !known {
		return nil, "", nil
	}
	var page resource.Page[any]
	err = s.DB.InOrg(ctx, org, func(tx db.Tx) error {
		page, err = list.table.ListAny(ctx, tx, resource.Query{Filter: map[string]any{"active": true}, Select: list.fields, Limit: maxOptions})
		return err
	})
	if err != nil || page.Next != nil {
		return nil, list.table.Module(), err
	}
	return page.Data, list.table.Module(), nil
}

// OptionModules are the modules of option lists that somebody of the back office may see.
func (s *Services) OptionModules(ctx context.Context, org uuid.UUID, p staff.Account) ([]string, error) {
	asked, sees := map[string]bool{}, []string{}
	for _, list := range optionLists {
		module := list.table.Module()
		if asked[module] {
			continue
		}
		asked[module] = true
		can, err := s.May(ctx, org, p, module, access.See)
		if err != nil {
			return nil, err
		}
		if can {
			sees = append(sees, module)
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
		return optionsOf(points, err, func(p catalog.PublicServicePoint) Option { return Option{p.ID, p.NameTH, p.NameEN} })
	case optionlist.Questions.Name():
		questions, err := s.OptionList.ListQuestions(ctx, org)
		return optionsOf(questions, err, func(q optionlist.PublicQuestion) Option { return Option{q.ID, q.NameTH, q.NameEN} })
	case member.CardTypes.Name():
		page, err := s.Member.Offered(ctx, org, resource.Query{Limit: maxOptions})
		return optionsOf(page.Data, err, func(r resource.Row[member.CardType]) Option {
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
