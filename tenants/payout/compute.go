package payout

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/tax"
)

const (
	// What matured before a moment, and all that was taken back of what had matured, and is of no payout but some. It needs payees, the moment, and these payouts.
	openChanges = `SELECT c.payee_id, c.id, c.commission_id, c.mature_satang FROM commission_change c
		WHERE c.payee_id = ANY ($1) AND c.mature_satang <> 0 AND (c.mature_satang < 0 OR c.at < $2) AND NOT EXISTS (SELECT FROM payout_line l WHERE l.change_id = c.id AND l.live AND l.payout_id <> ALL ($3))`
	// Commissions of orders that are held, of which more has matured than was taken back.
	heldBack = `SELECT o.commission_id FROM (` + openChanges + ` AND c.commission_id IN (
			SELECT k.id FROM commission_hold h JOIN commission k ON k.order_id = h.order_id WHERE h.state = 'held' AND k.agent_id = ANY ($1))) o GROUP BY 1 HAVING sum(o.mature_satang) > 0`
	// What can be paid out and is of no payout but some: open changes but those that are held back, and what came back of earlier payouts.
	openLines = `SELECT c.payee_id, c.id AS change_id, NULL::uuid AS return_id, c.mature_satang AS amount, true AS taxable FROM (` + openChanges + `) c WHERE c.commission_id NOT IN (` + heldBack + `)
		UNION ALL SELECT b.payee_id, NULL, b.payout_id, b.amount_satang, false FROM payout_return b
			WHERE b.payee_id = ANY ($1) AND b.at < $2 AND NOT EXISTS (SELECT FROM payout_line l WHERE l.return_id = b.payout_id AND l.live AND l.payout_id <> ALL ($3))`
	openSums = `SELECT o.payee_id, count(*), sum(o.amount)::bigint, coalesce(sum(o.amount) FILTER (WHERE o.taxable), 0)::bigint FROM (` + openLines + `) o GROUP BY 1`
	// Whoever has something that can be paid out, or owes something, may have open lines.
	nextPayees = `SELECT payee_id FROM payee_balance WHERE (payable_satang > 0 OR receivable_satang > 0) AND ($1::uuid IS NULL OR payee_id > $1) ORDER BY payee_id LIMIT $2`
	factsOf    = `SELECT b.payee_id, coalesce(a.status, x.status), x.id IS NOT NULL, v.id, coalesce(v.kind, ''), coalesce(v.resident, false), coalesce(v.vat_registered, false), v.pays_from, v.form IS NULL,
			EXISTS (SELECT FROM payout p WHERE p.payee_id = b.payee_id AND p.state IN ('booked', 'sent')),
			EXISTS (SELECT FROM commission_hold h WHERE h.payee_id = b.payee_id AND h.state = 'held' AND h.order_id IS NULL), y.taxable, y.withheld
		FROM payee_balance b LEFT JOIN agent a ON a.id = b.payee_id LEFT JOIN partner x ON x.id = b.payee_id
		LEFT JOIN LATERAL (SELECT v.id, v.kind, v.resident, v.vat_registered, v.pays_from, v.form FROM payee_version v WHERE v.payee_id = b.payee_id AND v.state = 'approved' ORDER BY v.number DESC LIMIT 1) v ON true
		CROSS JOIN LATERAL (SELECT coalesce(sum(p.taxable_satang), 0)::bigint AS taxable, coalesce(sum(p.withheld_satang), 0)::bigint AS withheld FROM payout p
			WHERE p.payee_id = b.payee_id AND p.tax_year = $2 AND p.state IN ('booked', 'sent', 'paid', 'returned')) y
		WHERE b.payee_id = ANY ($1) ORDER BY b.payee_id`
	lastOf      = `SELECT count(*), (SELECT coalesce(p.payee_id, p.remittance_id) FROM payout p WHERE p.run_id = $1 ORDER BY p.position DESC LIMIT 1) FROM payout p WHERE p.run_id = $1`
	insertLines = `INSERT INTO payout_line (payout_id, change_id, return_id, amount_satang, live)
		SELECT p.id, o.change_id, o.return_id, o.amount, true FROM (` + openLines + `) o JOIN payout p ON p.run_id = $4 AND p.payee_id = o.payee_id AND p.state = 'ready'`
	endCompute = `UPDATE payout_run SET computed_at = $2, hash = $3 WHERE id = $1`
	cleared    = `SELECT p.id FROM payout p JOIN payout_run r ON r.id = p.run_id WHERE p.state = 'ready' AND r.state = 'cancelled' ORDER BY p.id LIMIT $1 FOR UPDATE OF p`
	clearThem  = `UPDATE payout SET state = 'left_out', left_out = 'cancelled' WHERE id = ANY ($1)`
	anyToDo    = `SELECT EXISTS (SELECT FROM payout_run WHERE state = 'draft' AND computed_at IS NULL OR state = 'approved' AND booked_at IS NULL)
		OR EXISTS (SELECT FROM payout p JOIN payout_run r ON r.id = p.run_id WHERE p.state = 'ready' AND r.state = 'cancelled')`
	runsToDo = `SELECT id FROM payout_run WHERE state = 'draft' AND computed_at IS NULL OR state = 'approved' AND booked_at IS NULL ORDER BY id`
)

type payoutRow struct {
	ID        uuid.UUID    `db:"id"`
	Run       uuid.UUID    `db:"run_id"`
	Payee     uuid.UUID    `db:"payee_id"`
	Version   *uuid.UUID   `db:"version_id"`
	Position  int          `db:"position"`
	Reference string       `db:"reference"`
	State     Standing     `db:"state"`
	LeftOut   *string      `db:"left_out"`
	Lines     int          `db:"lines"`
	Gross     money.Amount `db:"gross_satang"`
	Taxable   money.Amount `db:"taxable_satang"`
	Withheld  money.Amount `db:"withheld_satang"`
	Net       money.Amount `db:"net_satang"`
	Rule      *uuid.UUID   `db:"tax_rule_id"`
	Year      int          `db:"tax_year"`
}

var insertPayouts = db.NewBulk[payoutRow](`INSERT INTO payout (id, run_id, payee_id, version_id, position, reference, state, left_out, lines, gross_satang, taxable_satang, withheld_satang, net_satang, tax_rule_id, tax_year)
	SELECT unnest(@id::uuid[]), unnest(@run_id::uuid[]), unnest(@payee_id::uuid[]), unnest(@version_id::uuid[]), unnest(@position::int[]), unnest(@reference::text[]), unnest(@state::text[]), unnest(@left_out::text[]),
		unnest(@lines::int[]), unnest(@gross_satang::bigint[]), unnest(@taxable_satang::bigint[]), unnest(@withheld_satang::bigint[]), unnest(@net_satang::bigint[]), unnest(@tax_rule_id::uuid[]), unnest(@tax_year::int[])`)

// facts are what of a payee decides whether he is paid, and what is withheld.
type facts struct {
	Payee         uuid.UUID
	Status        int16
	Partner       bool
	Version       *uuid.UUID // the newest that was approved
	Kind          string
	Resident      bool
	VATRegistered bool
	PaysFrom      *time.Time
	Forgotten     bool
	UnderWay      bool
	Held          bool // all that he can be paid
	Year          tax.Year
}

// sums are those of a payee's lines.
type sums struct {
	Payee          uuid.UUID
	Lines          int
	Gross, Taxable money.Amount // Taxable still has VAT in it
}

func readFacts(ctx context.Context, tx db.Tx, payees []uuid.UUID, year int) ([]facts, error) {
	rows, err := tx.Query(ctx, factsOf, payees, year)
	if err != nil {
		return nil, fmt.Errorf("facts of payees: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f facts, err error) {
		return f, row.Scan(&f.Payee, &f.Status, &f.Partner, &f.Version, &f.Kind, &f.Resident, &f.VATRegistered, &f.PaysFrom, &f.Forgotten, &f.UnderWay, &f.Held, &f.Year.Taxable, &f.Year.Withheld)
	})
	if err != nil {
		return nil, fmt.Errorf("facts of payees: %w", err)
	}
	return list, nil
}

// withhold returns what of a payee's lines is his income without VAT, what is withheld of it, and by which rule. It returns tax.ErrNoRule of a partner who is a person: what he
// earns is no income of the kind that rules are of.
func (f facts) withhold(rules tax.Rules, of sums, pay time.Time) (taxable, withheld money.Amount, rule uuid.UUID, err error) {
	if f.Partner && f.Kind != payee.Company {
		return 0, 0, rule, tax.ErrNoRule
	}
	taxable = of.Taxable
	if f.VATRegistered {
		if taxable, err = rules.WithoutVAT(taxable, pay); err != nil {
			return 0, 0, rule, err
		}
	}
	by, err := rules.Of(tax.Class{Company: f.Kind == payee.Company, Resident: f.Resident}, pay)
	if err != nil {
		return 0, 0, rule, err
	}
	return taxable, by.Withhold(f.Year, taxable), by.ID, nil
}

// leftOut returns why a payee is not paid, whatever is withheld; empty if he may be.
func (r run) leftOut(f facts, of sums) string {
	switch {
	case r.isPostponed(f.Payee):
		return "postponed"
	case f.Version == nil || f.Forgotten:
		return "not_approved"
	case f.Status == resource.Suspended:
		return "suspended"
	case f.Held:
		return "held"
	case f.PaysFrom.After(r.PayDay):
		return "account_new"
	case f.UnderWay:
		return "under_way"
	case of.Gross <= 0:
		return "owes"
	}
	return ""
}

// row returns a payee's payout of a run.
func (r run) row(rules tax.Rules, f facts, of sums, position int) (p payoutRow, err error) {
	p = payoutRow{
		ID: db.NewID(), Run: r.ID, Payee: f.Payee, Version: f.Version, Position: position, Reference: fmt.Sprintf("%s-%05d", r.Number, position),
		State: Ready, Lines: of.Lines, Gross: of.Gross, Net: of.Gross, Year: r.PayDay.Year(),
	}
	why := r.leftOut(f, of)
	if why == "" {
		var rule uuid.UUID
		p.Taxable, p.Withheld, rule, err = f.withhold(rules, of, r.PayDay)
		p.Rule, p.Net = &rule, of.Gross-p.Withheld
		switch {
		case errors.Is(err, tax.ErrNoRule):
			p.Rule, why = nil, "no_tax_rule"
		case err != nil:
			return p, err
		case p.Net < r.Minimum:
			why = "below_minimum"
		case p.Net > tooMuch:
			why = "too_big"
		}
	}
	if why != "" {
		p.State, p.LeftOut = LeftOut, &why
	}
	return p, nil
}

// Work computes and books what is left of runs, and clears what cancelled ones collected. What was done before it was interrupted is not done again. A worker calls it.
func (s *Service) Work(ctx context.Context, org uuid.UUID) error {
	for n := atOnce; n == atOnce; {
		err := s.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
			n, err = clearSome(ctx, tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	var ids []uuid.UUID
	err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, runsToDo)
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	if err != nil {
		return fmt.Errorf("payout runs to do: %w", err)
	}
	if len(ids) == 0 {
		return nil
	}
	rules, err := tax.Read(ctx, s.db)
	if err != nil {
		return err
	}
	for _, id := range ids {
		var after *uuid.UUID
		for more := true; more; {
			err := s.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
				more, err = step(ctx, tx, rules, id, &after)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// AnyToDo reports whether Work has anything to do.
func AnyToDo(ctx context.Context, tx db.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, anyToDo).Scan(&some)
	return some, err
}

// clearSome frees what payouts of cancelled runs collected. It returns how many payouts it was.
func clearSome(ctx context.Context, tx db.Tx) (int, error) {
	rows, err := tx.Query(ctx, cleared, atOnce)
	if err != nil {
		return 0, fmt.Errorf("payouts of cancelled runs: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return 0, fmt.Errorf("payouts of cancelled runs: %w", err)
	}
	if len(ids) > 0 {
		tx.Queue(dropLines, ids)
		tx.Queue(clearThem, ids)
	}
	return len(ids), nil
}

// step does the next part of a run, and reports whether there is more. after is the last payee, or transfer, that was looked at, or nil.
func step(ctx context.Context, tx db.Tx, rules tax.Rules, id uuid.UUID, after **uuid.UUID) (more bool, err error) {
	r, err := read(ctx, tx, lockRun, id)
	if err != nil {
		return false, err
	}
	switch {
	case r.State == Draft && r.Computed == nil && r.Kind == Refunds:
		return r.computeRefunds(ctx, tx, after)
	case r.State == Draft && r.Computed == nil:
		return r.compute(ctx, tx, rules, after)
	case r.State == Approved && r.Booked == nil && r.Kind == Refunds:
		return r.bookRefunds(ctx, tx)
	case r.State == Approved && r.Booked == nil:
		return r.book(ctx, tx, rules)
	}
	return false, nil
}

// compute adds the payouts of the next payees. Their balances are locked, so that nothing of theirs changes meanwhile.
func (r run) compute(ctx context.Context, tx db.Tx, rules tax.Rules, after **uuid.UUID) (more bool, err error) {
	var made int
	var last *uuid.UUID
	if err := tx.QueryRow(ctx, lastOf, r.ID).Scan(&made, &last); err != nil {
		return false, fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	if *after == nil {
		*after = last
	}
	rows, err := tx.Query(ctx, nextPayees, *after, min(atOnce, mostOfRun-made))
	if err != nil {
		return false, fmt.Errorf("payees of run %s: %w", r.ID, err)
	}
	payees, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return false, fmt.Errorf("payees of run %s: %w", r.ID, err)
	}
	if len(payees) == 0 {
		return false, r.endCompute(ctx, tx)
	}
	*after = &payees[len(payees)-1]
	if _, err := commission.LockBalances(ctx, tx, payees); err != nil {
		return false, err
	}
	until := clock.Start(r.UpTo.AddDate(0, 0, 1))
	of, err := readSums(ctx, tx, openSums, payees, until, []uuid.UUID{})
	if err != nil {
		return false, err
	}
	about, err := readFacts(ctx, tx, payees, r.PayDay.Year())
	if err != nil {
		return false, err
	}
	var add []payoutRow
	for _, f := range about {
		if has, ok := of[f.Payee]; ok {
			p, err := r.row(rules, f, has, made+len(add)+1)
			if err != nil {
				return false, err
			}
			add = append(add, p)
		}
	}
	if len(add) > 0 {
		insertPayouts.Queue(tx, add)
		tx.Queue(insertLines, payees, until, []uuid.UUID{}, r.ID)
	}
	return true, tx.Flush(ctx)
}

func readSums(ctx context.Context, tx db.Tx, sql string, args ...any) (map[uuid.UUID]sums, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("what payees can be paid: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[sums])
	if err != nil {
		return nil, fmt.Errorf("what payees can be paid: %w", err)
	}
	of := map[uuid.UUID]sums{}
	for _, one := range list {
		of[one.Payee] = one
	}
	return of, nil
}

func (r run) endCompute(ctx context.Context, tx db.Tx) error {
	hash, err := hashOf(ctx, tx, r.ID)
	if err != nil {
		return err
	}
	tx.Queue(endCompute, r.ID, tx.Now, hash)
	if ended, err := r.endEmpty(ctx, tx); ended || err != nil {
		return err
	}
	return notice.SendTableUpdate(ctx, tx, Runs.Name())
}

// hashOf returns the hash of who is paid how much by a run, and by which version of what he said of himself; of refunds, of each transfer.
func hashOf(ctx context.Context, tx db.Tx, id uuid.UUID) ([]byte, error) {
	rows, err := tx.Query(ctx, computedRows, id)
	if err != nil {
		return nil, fmt.Errorf("payouts of run %s: %w", id, err)
	}
	sum := sha256.New()
	var position, lines int
	var of uuid.UUID
	var version *uuid.UUID
	var state, why string
	var gross, withheld money.Amount
	_, err = pgx.ForEachRow(rows, []any{&position, &of, &version, &state, &why, &lines, &gross, &withheld}, func() error {
		_, err := fmt.Fprintln(sum, position, of, version, state, why, lines, int64(gross), int64(withheld))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("payouts of run %s: %w", id, err)
	}
	return sum.Sum(nil), nil
}
