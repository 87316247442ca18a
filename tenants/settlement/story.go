package settlement

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/ledger"
)

// RunRow is a run as it is listed.
type RunRow struct {
	ID       uuid.UUID    `json:"id"`
	Number   string       `json:"number"`
	State    State        `json:"state" enum:"draft,approved,exported,closed,cancelled"`
	UpTo     string       `json:"up_to" format:"date"`
	PayDay   string       `json:"pay_day" format:"date"`
	Minimum  money.Amount `json:"minimum_satang"`
	Paid     int64        `json:"organisations" doc:"How many are paid by it, or would be"`
	Sum      money.Amount `json:"sum_satang" doc:"What they are paid"`
	LeftOut  int64        `json:"left_out"`
	Drafted  time.Time    `json:"drafted_at" doc:"UTC"`
	By       string       `json:"drafted_by"`
	Approver string       `json:"approved_by" doc:"Empty until it is approved"`
	Alone    bool         `json:"alone" doc:"One admin drafted and approved it, for want of another"`
}

// RunDetail is a run and what it pays.
type RunDetail struct {
	Record    RunRow `json:"record"`
	Computing bool   `json:"computing" doc:"A job still collects what is paid"`
	Booking   bool   `json:"booking" doc:"It is approved, and a job still books it"`
	Hash      string `json:"hash" doc:"What an approval names; empty while it is computed"`
	FileHash  string `json:"file_sha256" doc:"Of the bank's file; empty until it is made"`
	Payments  []Row  `json:"settlements"`
}

// Row is what an organisation is paid of a run.
type Row struct {
	ID        uuid.UUID         `json:"id"`
	Org       uuid.UUID         `json:"org_id"`
	NameTH    string            `json:"name_th"`
	NameEN    string            `json:"name_en"`
	Reference string            `json:"reference"`
	State     bankfile.Standing `json:"state" enum:"ready,left_out,booked,sent,paid,failed,returned"`
	LeftOut   string            `json:"left_out" enum:",not_approved,account_new,suspended,owes,below_minimum,too_big,under_way,books_open,not_covered,changed,cancelled"`
	Amount    money.Amount      `json:"amount_satang"`
	Fee       money.Amount      `json:"fee_satang" doc:"The platform's own, which leaves its gateway account with it"`
	PaidOn    *string           `json:"paid_on" nullable:"true" format:"date"`
	Reason    string            `json:"reason"`
}

const (
	runColumns = `SELECT r.id, r.number, r.state, r.up_to::text, r.pay_day::text, r.minimum_satang, count(s.id) FILTER (WHERE s.state <> 'left_out'),
		coalesce(sum(s.amount_satang) FILTER (WHERE s.state <> 'left_out'), 0)::bigint, count(s.id) FILTER (WHERE s.state = 'left_out'), r.drafted_at, d.name, coalesce(a.name, ''), r.alone
		FROM settlement_run r JOIN admin d ON d.id = r.drafted_by LEFT JOIN admin a ON a.id = r.approved_by LEFT JOIN settlement s ON s.run_id = r.id `
	runRows = runColumns + `GROUP BY r.id, d.name, a.name ORDER BY r.drafted_at DESC, r.id DESC LIMIT 200`
	runRow  = runColumns + `WHERE r.id = $1 GROUP BY r.id, d.name, a.name`
	rowsOf  = `SELECT s.id, s.org_id, o.name_th, o.name_en, s.reference, s.state, coalesce(s.left_out, ''), s.amount_satang, s.fee_satang, s.paid_on::text, s.reason FROM settlement s JOIN organisation o ON o.id = s.org_id
		WHERE s.run_id = $1 ORDER BY s.state = 'left_out', s.position LIMIT 5000`
)

// Runs returns runs, the newest first.
func (s *Service) Runs(ctx context.Context) (list []RunRow, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, runRows)
		if err != nil {
			return fmt.Errorf("settlement runs: %w", err)
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[RunRow])
		return err
	})
	return list, err
}

// Run returns a run and what it pays. It returns fault.Missing.
func (s *Service) Run(ctx context.Context, in ByRun) (d RunDetail, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		r, err := read(ctx, tx, runByID, in.ID)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, runRow, in.ID)
		if err != nil {
			return fmt.Errorf("settlement run %s: %w", in.ID, err)
		}
		if d.Record, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[RunRow]); err != nil {
			return fmt.Errorf("settlement run %s: %w", in.ID, err)
		}
		d.Computing, d.Booking, d.Hash, d.FileHash = r.State == Draft && r.Computed == nil, r.State == Approved && r.Booked == nil, hex.EncodeToString(r.Hash), hex.EncodeToString(r.FileHash)
		if rows, err = tx.Query(ctx, rowsOf, in.ID); err != nil {
			return fmt.Errorf("settlements of run %s: %w", in.ID, err)
		}
		d.Payments, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Row])
		return err
	})
	return d, err
}

// Own is a settlement as its organisation sees it.
type Own struct {
	ID        uuid.UUID         `json:"id"`
	Reference string            `json:"reference"`
	State     bankfile.Standing `json:"state" enum:"booked,paid,failed,returned"`
	UpTo      string            `json:"up_to" format:"date" doc:"What was earned by the end of this day is in it, unless it could still be objected to"`
	PayDay    string            `json:"pay_day" format:"date"`
	Amount    money.Amount      `json:"amount_satang"`
	Booked    time.Time         `json:"booked_at" doc:"UTC"`
	PaidOn    *string           `json:"paid_on" nullable:"true" format:"date"`
	Reason    string            `json:"reason" doc:"Why it was not paid, or came back"`
	Bank      string            `json:"bank"`
	Account   string            `json:"account_digits" doc:"The last four of the account"`
}

// Standing is what the platform has paid an organisation, and what it still owes it.
type Standing struct {
	Settlements []Own        `json:"settlements" doc:"The newest first"`
	Payable     money.Amount `json:"payable_satang" doc:"Earned and not paid out, with what may still be objected to"`
	Leaving     money.Amount `json:"leaving_satang" doc:"On its way to the account"`
	Holds       money.Amount `json:"holds_satang" doc:"What the platform's gateway account holds of the organisation; 0 where it collects by one of its own"`
}

// Movement is what moved what is payable, of one kind.
type Movement struct {
	Kind   string       `json:"kind" doc:"Of transfers: use, commission …"`
	Count  int64        `json:"count"`
	Amount money.Amount `json:"amount_satang" doc:"Below zero where it took from what is payable"`
}

// Statement is what moved what is payable from the settlement before to this one.
type Statement struct {
	Settlement Own          `json:"settlement"`
	From       *time.Time   `json:"from" nullable:"true" doc:"When the settlement before was booked; UTC"`
	Opening    money.Amount `json:"opening_satang"`
	Movements  []Movement   `json:"movements"`
	Closing    money.Amount `json:"closing_satang" doc:"What stays payable: earned later, or still open to objection"`
}

// Entry is one movement of a statement.
type Entry struct {
	At     time.Time    `json:"at" doc:"UTC"`
	Kind   string       `json:"kind"`
	MemoTH string       `json:"memo_th"`
	MemoEN string       `json:"memo_en"`
	Amount money.Amount `json:"amount_satang"`
}

// Entries are the movements of one kind of a statement.
type Entries struct {
	Data []Entry `json:"data" doc:"The newest first, 500 at most"`
}

// ByStatement names a statement.
type ByStatement struct {
	ID uuid.UUID `json:"id" doc:"Of the settlement"`
}

// ByMovement names the movements of one kind of a statement.
type ByMovement struct {
	ID   uuid.UUID `json:"id" doc:"Of the settlement"`
	Kind string    `json:"kind" maxLength:"40"`
}

const (
	ownColumns = `SELECT s.id, s.reference, s.state, s.up_to::text, s.pay_day::text, s.amount_satang, s.booked_at, s.paid_on::text, s.reason, v.bank, v.account_digits FROM settlement s JOIN payee_version v ON v.id = s.version_id `
	ownRows    = ownColumns + `ORDER BY s.booked_at DESC, s.id DESC LIMIT 500`
	ownRow     = ownColumns + `WHERE s.id = $1`
	before     = `SELECT max(b.booked_at) FROM settlement b JOIN settlement s ON b.booked_at < s.booked_at WHERE s.id = $1`
	opening    = `SELECT coalesce(sum(CASE e.credit_id WHEN $1 THEN e.amount_satang ELSE -e.amount_satang END), 0)::bigint FROM transfer t JOIN entry e ON e.transfer_id = t.id
		WHERE $1 IN (e.credit_id, e.debit_id) AND t.at <= $2`
	movements = `SELECT t.kind, count(DISTINCT t.id), sum(CASE e.credit_id WHEN $1 THEN e.amount_satang ELSE -e.amount_satang END)::bigint FROM transfer t JOIN entry e ON e.transfer_id = t.id
		WHERE $1 IN (e.credit_id, e.debit_id) AND t.at <= $3 AND ($2::timestamptz IS NULL OR t.at > $2) GROUP BY 1 ORDER BY 3 DESC, 1`
	entriesOf = `SELECT t.at, t.kind, t.memo_th, t.memo_en, sum(CASE e.credit_id WHEN $1 THEN e.amount_satang ELSE -e.amount_satang END)::bigint FROM transfer t JOIN entry e ON e.transfer_id = t.id
		WHERE $1 IN (e.credit_id, e.debit_id) AND t.at <= $3 AND ($2::timestamptz IS NULL OR t.at > $2) AND t.kind = $4 GROUP BY t.id ORDER BY t.at DESC, t.id DESC LIMIT 500`
)

// Standing returns what the platform has paid an organisation, and what it owes it.
func (s *Service) Standing(ctx context.Context, who token.Session) (st Standing, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, ownRows)
		if err != nil {
			return fmt.Errorf("settlements: %w", err)
		}
		if st.Settlements, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Own]); err != nil {
			return fmt.Errorf("settlements: %w", err)
		}
		for _, one := range st.Settlements {
			if one.State == bankfile.Booked {
				st.Leaving += one.Amount
			}
		}
		b, err := ledger.SystemBalances(ctx, tx, ledger.Payable, ledger.GatewayPlatform)
		st.Payable, st.Holds = b[ledger.Payable], -b[ledger.GatewayPlatform]
		return err
	})
	return st, err
}

// own returns a settlement of an organisation, and when the one before it was booked. It returns fault.Missing.
func own(ctx context.Context, tx db.Tx, id uuid.UUID) (o Own, from *time.Time, err error) {
	rows, err := tx.Query(ctx, ownRow, id)
	if err != nil {
		return o, nil, fmt.Errorf("settlement %s: %w", id, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Own])
	if err != nil {
		return o, nil, fmt.Errorf("settlement %s: %w", id, err)
	}
	if len(list) == 0 {
		return o, nil, fault.Missing
	}
	if err := tx.QueryRow(ctx, before, id).Scan(&from); err != nil {
		return o, nil, fmt.Errorf("settlement before %s: %w", id, err)
	}
	return list[0], from, nil
}

// Statement returns what moved what is payable from the settlement before to this one, which is the last of its movements. It returns fault.Missing.
func (s *Service) Statement(ctx context.Context, who token.Session, in ByStatement) (st Statement, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		if st.Settlement, st.From, err = own(ctx, tx, in.ID); err != nil {
			return err
		}
		payable := ledger.SystemAccount(ledger.Payable).ID(tx.Key)
		if st.From != nil {
			if err := tx.QueryRow(ctx, opening, payable, *st.From).Scan(&st.Opening); err != nil {
				return fmt.Errorf("opening of settlement %s: %w", in.ID, err)
			}
		}
		rows, err := tx.Query(ctx, movements, payable, st.From, st.Settlement.Booked)
		if err != nil {
			return fmt.Errorf("movements of settlement %s: %w", in.ID, err)
		}
		if st.Movements, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Movement]); err != nil {
			return fmt.Errorf("movements of settlement %s: %w", in.ID, err)
		}
		st.Closing = st.Opening
		for _, m := range st.Movements {
			st.Closing += m.Amount
		}
		return nil
	})
	return st, err
}

// Entries returns the movements of one kind of a statement. It returns fault.Missing.
func (s *Service) Entries(ctx context.Context, who token.Session, in ByMovement) (list Entries, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		one, from, err := own(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, entriesOf, ledger.SystemAccount(ledger.Payable).ID(tx.Key), from, one.Booked, in.Kind)
		if err != nil {
			return fmt.Errorf("entries of settlement %s: %w", in.ID, err)
		}
		list.Data, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Entry])
		return err
	})
	return list, err
}
