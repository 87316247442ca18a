package payee

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secret"
)

// Sent is a form that was filled in. What is sealed stands here by its last four characters, unless it waits.
type Sent struct {
	ID        uuid.UUID  `json:"id"`
	State     string     `json:"state" enum:"pending,approved,refused,withdrawn"`
	Kind      string     `json:"kind" enum:"person,company"`
	Name      string     `json:"name" doc:"Of the person, or of the company; empty once it is forgotten"`
	Identity  string     `json:"identity_digits" doc:"The last four of the ID card, or of the tax id"`
	Bank      string     `json:"bank"`
	Account   string     `json:"account_digits" doc:"The last four"`
	SentAt    time.Time  `json:"sent_at" doc:"UTC"`
	SentBy    string     `json:"sent_by"`
	DecidedAt *time.Time `json:"decided_at" nullable:"true" doc:"UTC"`
	DecidedBy string     `json:"decided_by" doc:"Empty where nobody of the organisation decided"`
	Seconded  *time.Time `json:"seconded_at" nullable:"true" doc:"Of the organisation's own account: when another person of it approved it; UTC"`
	Second    string     `json:"seconded_by"`
	Platform  bool       `json:"by_platform" doc:"Somebody of the platform approved or refused it"`
	Reason    string     `json:"reason"`
	PaysFrom  *string    `json:"pays_from" nullable:"true" format:"date" doc:"Since when this account is paid to"`
	Whole     *Form      `json:"form,omitempty" required:"false" doc:"All of it, while it waits, for who may answer or has filled it in"`
	Same      []Other    `json:"same" doc:"Of one that waits, who else is paid and has some of it approved, too"`
	Standing  string     `json:"standing" enum:"answer,alone,tomorrow,withdraw,nothing" doc:"What who looks may do with one that waits"`
	Right     bool       `json:"identity_right" doc:"The last of 13 digits follows from the others, or there are not 13"`
}

// Other is somebody else who is paid and has the same.
type Other struct {
	ID   uuid.UUID `json:"payee_id"`
	Kind string    `json:"kind" enum:"agent,partner,organisation"`
	Name string    `json:"name"`
	What []string  `json:"what" doc:"identity, account, mobile"`
}

// Duplicate is the detail of a refusal because somebody else who is paid has the same.
type Duplicate struct {
	What   string `json:"what" enum:"identity,account,mobile"`
	Name   string `json:"name" doc:"Of who else is paid"`
	Reason bool   `json:"with_reason" doc:"It can be approved with a reason"`
}

const (
	nameOfStaff = `SELECT name FROM staff WHERE id = $1`
	othersBy    = `SELECT y.id, y.kind, coalesce(c.display_name, x.name_th, '') FROM payee y LEFT JOIN agent a ON a.id = y.id LEFT JOIN customer c ON c.id = a.customer_id LEFT JOIN partner x ON x.id = y.id
		WHERE y.id = ANY ($1) AND (a.status IN (4, 5) OR x.status IN (4, 5) OR y.kind = 'organisation') ORDER BY y.id`
)

// Show returns a version as the office sees it. Who looks may do nothing with it, until the caller says what.
func (v Version) Show(ctx context.Context, tx db.Tx) (f Sent, err error) {
	f = Sent{
		ID: v.ID, State: v.State, Kind: v.Form.Kind, Name: v.Form.Name(), Identity: v.Identity, Bank: v.Form.Bank, Account: v.Account, SentAt: v.SentAt, DecidedAt: v.DecidedAt, Reason: v.Reason, Seconded: v.Seconded, Platform: v.Admin != nil,
		Same: []Other{}, Standing: "nothing", Right: !WrongDigit(v.Form.IDCard) && !WrongDigit(v.Form.TaxID),
	}
	if v.PaysFrom != nil {
		day := v.PaysFrom.Format(time.DateOnly)
		f.PaysFrom = &day
	}
	for by, name := range map[*uuid.UUID]*string{v.SentBy: &f.SentBy, v.DecidedBy: &f.DecidedBy, v.Second: &f.Second} {
		if by == nil {
			continue
		}
		if err := tx.QueryRow(ctx, nameOfStaff, *by).Scan(name); err != nil {
			return f, fmt.Errorf("account %s: %w", by, err)
		}
	}
	if v.State != "pending" {
		return f, nil
	}
	f.Same, err = v.Others(ctx, tx)
	return f, err
}

// Others returns who else is paid, or suspended, and has something of a form approved, too.
func (v Version) Others(ctx context.Context, tx db.Tx) ([]Other, error) {
	list, err := v.SameAs(ctx, tx)
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, othersBy, db.Column(list, func(o Same) uuid.UUID { return o.Payee }))
	if err != nil {
		return nil, fmt.Errorf("payees like %s: %w", v.Payee, err)
	}
	others, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (o Other, err error) {
		if err := row.Scan(&o.ID, &o.Kind, &o.Name); err != nil {
			return o, err
		}
		has := list[slices.IndexFunc(list, func(p Same) bool { return p.Payee == o.ID })]
		o.What = []string{}
		for _, one := range []struct {
			what string
			is   bool
		}{{"identity", has.Identity}, {"account", has.Account}, {"mobile", has.Mobile}} {
			if one.is {
				o.What = append(o.What, one.what)
			}
		}
		return o, nil
	})
	if err != nil {
		return nil, fmt.Errorf("payees like %s: %w", v.Payee, err)
	}
	return others, nil
}

// CheckFilled returns what of a tidy form keeps it from being sent, with the fault of an account that has another name than the payee. today is a day in Bangkok.
func (f Form) CheckFilled(today time.Time, bankName *fault.Fault) error {
	bad := f.Check(today)
	named := slices.ContainsFunc(bad, func(b fault.Field) bool { return b.Path == "account_name" })
	if !named && !SameName(f.AccountName, f.Name()) {
		bad = append(bad, fault.Field{Path: "account_name", Fault: bankName.Code})
	}
	if len(bad) == 0 {
		return nil
	}
	for i := range bad {
		bad[i].Path = "form." + bad[i].Path
	}
	return fault.Of(bad...)
}

// NewestApproved returns the version of a payee that was approved last, or nil.
func NewestApproved(ctx context.Context, tx db.Tx, box *secret.Box, id uuid.UUID) (*Version, error) {
	versions, err := Versions(ctx, tx, box, id)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		if v.State == "approved" {
			return &v, nil
		}
	}
	return nil, nil //nolint:nilnil // the first one has none before it
}
