package withholding

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/tax"
)

const (
	// Payouts that were paid, of which something was withheld, and that have no certificate. What a payout came back later changes nothing: the tax of it stands.
	due = `SELECT p.id, p.payee_id, p.version_id, p.taxable_satang, p.withheld_satang, p.tax_rule_id, p.paid_on FROM payout p
		WHERE p.state IN ('paid', 'returned') AND p.withheld_satang > 0 AND NOT EXISTS (SELECT FROM tax_certificate c WHERE c.payout_id = p.id) `
	dueNext = due + `ORDER BY p.id LIMIT $1 FOR UPDATE OF p SKIP LOCKED`
	anyDue  = `SELECT EXISTS (` + due + `) AND EXISTS (SELECT FROM contact_details WHERE legal_name_th <> '' AND tax_id <> '' AND branch <> '' AND address_th <> '')`
	take    = `INSERT INTO tax_series (name, last) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET last = tax_series.last + excluded.last RETURNING last`

	columns     = `SELECT c.id, c.number, c.payout_id, c.payee_id, c.replaces_id, c.state, c.form, c.income_code, c.rate_basis_points, c.paid_on, c.income_satang, c.withheld_satang, c.payer_name, c.payer_tax_id, c.payer_branch, c.payer_address, c.payee, c.return_id, c.issued_at FROM tax_certificate c `
	byID        = columns + `WHERE c.id = $1`
	lockByID    = byID + ` FOR UPDATE`
	ofReturn    = columns + `WHERE c.return_id = $1 AND c.state = 'issued' ORDER BY c.id`
	openOfMonth = columns + `WHERE c.form = $1 AND c.paid_on >= $2 AND c.paid_on < $3 AND c.state = 'issued' AND c.return_id IS NULL ORDER BY c.id FOR UPDATE`
	numberOf    = `SELECT number FROM tax_certificate WHERE id = $1`
	newestForm  = `SELECT id FROM payee_version WHERE payee_id = $1 AND state = 'approved' ORDER BY number DESC LIMIT 1`
	void        = `UPDATE tax_certificate SET state = 'void', voided_at = $2, voided_by = $3, reason = $4 WHERE id = $1`
	returnState = `SELECT state FROM tax_return WHERE id = $1 FOR UPDATE`
	ownOfPayout = `SELECT c.id FROM tax_certificate c JOIN payout p ON p.id = c.payout_id JOIN agent a ON a.id = p.payee_id WHERE p.id = $1 AND a.customer_id = $2 AND c.state = 'issued'`
)

// certificate is a row of tax_certificate.
type certificate struct {
	ID          uuid.UUID    `db:"id"`
	Number      string       `db:"number"`
	Payout      uuid.UUID    `db:"payout_id"`
	Payee       uuid.UUID    `db:"payee_id"`
	Replaces    *uuid.UUID   `db:"replaces_id"`
	State       string       `db:"state"`
	Form        tax.Form     `db:"form"`
	IncomeCode  string       `db:"income_code"`
	BasisPoints int64        `db:"rate_basis_points"` // 0 where tax is counted on the year
	PaidOn      time.Time    `db:"paid_on"`
	Income      money.Amount `db:"income_satang"`
	Withheld    money.Amount `db:"withheld_satang"`
	PayerName   string       `db:"payer_name"`
	PayerTaxID  string       `db:"payer_tax_id"`
	PayerBranch string       `db:"payer_branch"`
	PayerAt     string       `db:"payer_address"`
	Sealed      []byte       `db:"payee"`
	Return      *uuid.UUID   `db:"return_id"`
	IssuedAt    time.Time    `db:"issued_at"`
	IssuedBy    *uuid.UUID   `db:"issued_by"`
}

var insertCertificates = db.NewBulk[certificate](`INSERT INTO tax_certificate (id, number, payout_id, payee_id, replaces_id, state, form, income_code, rate_basis_points, paid_on, income_satang, withheld_satang, payer_name, payer_tax_id, payer_branch,
		payer_address, payee, return_id, issued_at, issued_by)
	SELECT unnest(@id::uuid[]), unnest(@number::text[]), unnest(@payout_id::uuid[]), unnest(@payee_id::uuid[]), unnest(@replaces_id::uuid[]), unnest(@state::text[]), unnest(@form::text[]), unnest(@income_code::text[]),
		unnest(@rate_basis_points::int[]), unnest(@paid_on::date[]), unnest(@income_satang::bigint[]), unnest(@withheld_satang::bigint[]), unnest(@payer_name::text[]), unnest(@payer_tax_id::text[]), unnest(@payer_branch::text[]),
		unnest(@payer_address::text[]), unnest(@payee::bytea[]), unnest(@return_id::uuid[]), unnest(@issued_at::timestamptz[]), unnest(@issued_by::uuid[])`)

func scanCertificate(row pgx.CollectableRow) (c certificate, err error) {
	return c, row.Scan(&c.ID, &c.Number, &c.Payout, &c.Payee, &c.Replaces, &c.State, &c.Form, &c.IncomeCode, &c.BasisPoints, &c.PaidOn, &c.Income, &c.Withheld, &c.PayerName, &c.PayerTaxID, &c.PayerBranch, &c.PayerAt, &c.Sealed, &c.Return, &c.IssuedAt)
}

// read returns one certificate as sql has it, or fault.Missing.
func read(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (c certificate, err error) {
	rows, err := tx.Query(ctx, sql, id)
	if err != nil {
		return c, fmt.Errorf("certificate %s: %w", id, err)
	}
	c, err = pgx.CollectExactlyOneRow(rows, scanCertificate)
	if errors.Is(err, pgx.ErrNoRows) {
		return c, fault.Missing
	}
	if err != nil {
		return c, fmt.Errorf("certificate %s: %w", id, err)
	}
	return c, nil
}

// series returns the name of the series of a branch in a month: WT00000-6912.
func series(branch string, day time.Time) string {
	return fmt.Sprintf("WT%s-%02d%02d", branch, clock.ThaiYear(day)%100, day.Month())
}

// takeNumbers returns the next n numbers of a series, the first first.
func takeNumbers(ctx context.Context, tx db.Tx, name string, n int) ([]string, error) {
	var last int
	if err := tx.QueryRow(ctx, take, name, n).Scan(&last); err != nil {
		return nil, fmt.Errorf("numbers of series %s: %w", name, err)
	}
	numbers := make([]string, n)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("%s-%06d", name, last-n+1+i)
	}
	return numbers, nil
}

// paid is a payout of which something was withheld.
type paid struct {
	Payout, Payee, Version uuid.UUID
	Income, Withheld       money.Amount
	Rule                   uuid.UUID
	On                     time.Time
}

// AnyDue reports whether Issue has anything to do.
func AnyDue(ctx context.Context, tx db.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, anyDue).Scan(&some)
	return some, err
}

// Issue issues the certificates that are due, once the organisation has said who it is. A worker calls it; what was done before it was interrupted is not done again.
func (s *Service) Issue(ctx context.Context, org uuid.UUID) error {
	rules, err := tax.Read(ctx, s.db)
	if err != nil {
		return err
	}
	for n := atOnce; n == atOnce; {
		err := s.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
			n, err = s.issueSome(ctx, tx, rules)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// issueSome issues the next certificates. It returns how many payouts it looked at.
func (s *Service) issueSome(ctx context.Context, tx db.Tx, rules tax.Rules) (int, error) {
	from, err := payer(ctx, tx)
	if errors.Is(err, ErrPayer) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	rows, err := tx.Query(ctx, dueNext, atOnce)
	if err != nil {
		return 0, fmt.Errorf("certificates that are due: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[paid])
	if err != nil || len(list) == 0 {
		return 0, err
	}
	forms, err := payee.FormsOf(ctx, tx, s.box, db.Column(list, func(p paid) uuid.UUID { return p.Version }))
	if err != nil {
		return 0, err
	}
	numbers, err := takeNumbers(ctx, tx, series(from.Branch, clock.Day(tx.Now)), len(list))
	if err != nil {
		return 0, err
	}
	made := make([]certificate, 0, len(list))
	for i, p := range list {
		rule, ok := rules.ByID(p.Rule)
		if !ok {
			return 0, fmt.Errorf("payout %s was counted by no rule", p.Payout)
		}
		form, ok := forms[p.Version]
		if !ok {
			return 0, fmt.Errorf("payout %s: what its payee said of himself is not there", p.Payout) // privacy waits for the certificate
		}
		c := certificate{
			ID: db.NewID(), Number: numbers[i], Payout: p.Payout, Payee: p.Payee, State: "issued", Form: rule.Form, IncomeCode: rule.IncomeCode, BasisPoints: rule.BasisPoints, PaidOn: p.On, Income: p.Income, Withheld: p.Withheld,
			PayerName: from.Name, PayerTaxID: from.TaxID, PayerBranch: from.Branch, PayerAt: from.Address, IssuedAt: tx.Now,
		}
		if c.Sealed, err = s.seal(tx, c.ID, recipientOf(form)); err != nil {
			return 0, err
		}
		made = append(made, c)
	}
	insertCertificates.Queue(tx, made)
	return len(list), notice.SendTableUpdate(ctx, tx, Certificates.Name())
}

// Reissue is why a certificate is void.
type Reissue struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300"`
}

// Replace makes a certificate void and issues another in its place, which says what payer and payee are called now. The sums and the day stay, and so does the file in
// which it was filed. It returns fault.Required without a reason, fault.Missing, ErrNotNow of a void one, ErrInFile, ErrPayer, ErrForgotten, or ErrSame.
func (s *Service) Replace(ctx context.Context, org uuid.UUID, who auditlog.Actor, in Reissue) (made ByID, err error) {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return made, fault.At("reason", fault.Required)
	}
	return made, s.db.InOrg(ctx, org, func(tx db.Tx) error {
		old, err := read(ctx, tx, lockByID, in.ID)
		if err != nil {
			return err
		}
		if old.State != "issued" {
			return ErrNotNow
		}
		if old.Return != nil {
			var state string
			if err := tx.QueryRow(ctx, returnState, *old.Return).Scan(&state); err != nil {
				return fmt.Errorf("return of certificate %s: %w", old.ID, err)
			}
			if state == "made" {
				return ErrInFile
			}
		}
		from, err := payer(ctx, tx)
		if err != nil {
			return err
		}
		is, err := s.newest(ctx, tx, old.Payee)
		if err != nil {
			return err
		}
		was, err := s.open(tx, old.ID, old.Sealed)
		if err != nil {
			return err
		}
		if is == was && from == (party{old.PayerName, old.PayerTaxID, old.PayerBranch, old.PayerAt}) {
			return ErrSame
		}
		numbers, err := takeNumbers(ctx, tx, series(from.Branch, clock.Day(tx.Now)), 1)
		if err != nil {
			return err
		}
		c := old
		c.ID, c.Number, c.Replaces, c.IssuedAt, c.IssuedBy = db.NewID(), numbers[0], &old.ID, tx.Now, &who.ID
		c.PayerName, c.PayerTaxID, c.PayerBranch, c.PayerAt = from.Name, from.TaxID, from.Branch, from.Address
		if c.Sealed, err = s.seal(tx, c.ID, is); err != nil {
			return err
		}
		tx.Queue(void, old.ID, tx.Now, who.ID, in.Reason)
		insertCertificates.Queue(tx, []certificate{c})
		made.ID = c.ID
		return changed(ctx, tx, who, "replace", Certificates.Name(), old.ID, struct {
			Number string `json:"number"`
			Reason string `json:"reason"`
		}{c.Number, in.Reason})
	})
}

// newest returns what a payee's newest approved form says. It returns ErrForgotten if it was erased.
func (s *Service) newest(ctx context.Context, tx db.Tx, of uuid.UUID) (r recipient, err error) {
	var version uuid.UUID
	if err := tx.QueryRow(ctx, newestForm, of).Scan(&version); err != nil {
		return r, fmt.Errorf("form of payee %s: %w", of, err) // who was paid has one
	}
	forms, err := payee.FormsOf(ctx, tx, s.box, []uuid.UUID{version})
	if err != nil {
		return r, err
	}
	form, ok := forms[version]
	if !ok {
		return r, ErrForgotten
	}
	return recipientOf(form), nil
}

// Certificate returns a certificate as a PDF, and records who has seen it. It returns fault.Missing if there is none.
func (s *Service) Certificate(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) (name string, file []byte, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if name, file, err = s.certificate(ctx, tx, id); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, who, "see", Certificates.Name()+"/"+id.String(), nil, nil)
	})
	return name, file, err
}

// OwnCertificate returns the certificate of a payout to who was paid, as a PDF. It returns fault.Missing if there is none yet, or it is another's.
func (s *Service) OwnCertificate(ctx context.Context, org, customer, payout uuid.UUID) (name string, file []byte, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		var id uuid.UUID
		if err := tx.QueryRow(ctx, ownOfPayout, payout, customer).Scan(&id); errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		} else if err != nil {
			return fmt.Errorf("certificate of payout %s: %w", payout, err)
		}
		name, file, err = s.certificate(ctx, tx, id)
		return err
	})
	return name, file, err
}

func (s *Service) certificate(ctx context.Context, tx db.Tx, id uuid.UUID) (name string, file []byte, err error) {
	c, err := read(ctx, tx, byID, id)
	if err != nil {
		return "", nil, err
	}
	to, err := s.open(tx, c.ID, c.Sealed)
	if err != nil {
		return "", nil, err
	}
	replaces := ""
	if c.Replaces != nil {
		if err := tx.QueryRow(ctx, numberOf, *c.Replaces).Scan(&replaces); err != nil {
			return "", nil, fmt.Errorf("certificate %s: %w", *c.Replaces, err)
		}
	}
	file, err = c.paper(to, replaces)
	return c.Number + ".pdf", file, err
}
