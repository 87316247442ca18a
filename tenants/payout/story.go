package payout

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/tax"
)

// RunStory is a run as the office looks at it.
type RunStory struct {
	Record    RunRow       `json:"record"`
	Computing bool         `json:"computing" doc:"A job still collects what is paid out"`
	Booking   bool         `json:"booking" doc:"It is approved, and a job still books it"`
	Minimum   money.Amount `json:"minimum_satang"`
	Hash      string       `json:"hash" doc:"What a proposal names; empty while it is computed"`
	FileHash  string       `json:"file_sha256" doc:"Of the bank's file; empty until it is made"`
	TakenBack money.Amount `json:"taken_back_satang" doc:"Of the gross, what was taken back since it was paid before: not above zero"`
	LeftOut   money.Amount `json:"left_out_satang" doc:"What those would be paid who are left out and owe nothing"`
	Paid      money.Amount `json:"paid_satang"`
	Failed    money.Amount `json:"failed_satang" doc:"Could not be paid, or came back"`
	Steps     []Step       `json:"steps" doc:"What was done with it, the oldest first"`
	Approval  *uuid.UUID   `json:"approval_id" nullable:"true" doc:"The request that waits for a second person"`
	Alone     bool         `json:"alone" doc:"One person alone drafted and approved it, for want of another"`
	Checks    []Check      `json:"checks" doc:"What was looked at of those who are paid commission; none of refunds"`
}

// Step is something that was done with a run.
type Step struct {
	Does string    `json:"does" enum:"draft,propose,approve,book,export,close,cancel"`
	At   time.Time `json:"at" doc:"UTC"`
	By   string    `json:"by" doc:"Empty where a schedule, a job or the bank's answer did it"`
}

// Check is something that was looked at.
type Check struct {
	What string `json:"what" enum:"approved_account,same_account" doc:"approved_account: is paid to an account that was approved. same_account: another payee of the run has the same account"`
	Good int    `json:"good"`
	Of   int    `json:"of"`
}

// Line is something that a payout is made of.
type Line struct {
	Order  *uuid.UUID   `json:"order_id" nullable:"true" doc:"Null of a use, and of what came back of an earlier payout"`
	Used   *uuid.UUID   `json:"voucher_id" nullable:"true" doc:"Of a partner: the voucher that was used"`
	Number string       `json:"number" doc:"Of the order, the code of the voucher, or the reference of the payout that came back"`
	What   string       `json:"what" enum:"matured,taken_back,came_back"`
	Why    string       `json:"why" enum:",refund,payment,denied" doc:"Why it was taken back. denied: the organisation decided after a look not to pay it. refund: the shop or the payer took something of the order back. payment: the buyer's payment is not good, or not all of it"`
	NameTH string       `json:"name_th" doc:"Of the order's first package, or of the voucher"`
	NameEN string       `json:"name_en"`
	Pieces int64        `json:"pieces"`
	Base   money.Amount `json:"base_satang" doc:"What was paid for the order, or what the organisation earned by the use"`
	Amount money.Amount `json:"amount_satang"`
	At     time.Time    `json:"at" doc:"UTC; when it could be paid out, or was taken back"`
}

// Story is a payout as the office looks at it.
type Story struct {
	Record  Row          `json:"record"`
	State   State        `json:"run_state" enum:"draft,approved,exported,closed,cancelled"`
	Waits   bool         `json:"run_waits" doc:"The run waits for a second person"`
	Account string       `json:"account_name" doc:"Empty without an approved form, and once it is erased"`
	Taxable money.Amount `json:"taxable_satang"`
	Lines   []Line       `json:"lines" doc:"What was taken back first, then the newest; at most 200"`
	Results []Result     `json:"results" doc:"What was said of it, the oldest first"`
	Papers  []Paper      `json:"certificates" doc:"Of what was withheld, the newest first; none until it is issued"`
	Before  Before       `json:"before"`
}

// Paper is a certificate of what was withheld of a payout.
type Paper struct {
	ID     uuid.UUID `json:"id"`
	Number string    `json:"number"`
	State  string    `json:"state" enum:"issued,void"`
}

// Result is what was said of a payout.
type Result struct {
	Outcome string    `json:"outcome" enum:"paid,failed,returned"`
	Day     string    `json:"day" format:"date"`
	Reason  string    `json:"reason"`
	File    string    `json:"file" doc:"Empty where a person said it"`
	Answer  string    `json:"answer" enum:"applied,known,contradicts"`
	At      time.Time `json:"at" doc:"UTC"`
	By      string    `json:"by"`
}

// Before is what a payee was paid before, or a customer was transferred.
type Before struct {
	Payouts int          `json:"payouts"`
	Net     money.Amount `json:"net_satang"`
}

const (
	ofRun = `SELECT coalesce((SELECT sum(l.amount_satang) FROM payout_line l JOIN payout p ON p.id = l.payout_id WHERE p.run_id = $1 AND p.state <> 'left_out' AND l.amount_satang < 0), 0)::bigint,
			coalesce(sum(p.gross_satang) FILTER (WHERE p.state = 'left_out' AND p.gross_satang > 0), 0)::bigint,
			coalesce(sum(p.net_satang) FILTER (WHERE p.state = 'paid'), 0)::bigint, coalesce(sum(p.net_satang) FILTER (WHERE p.state IN ('failed', 'returned')), 0)::bigint,
			count(*) FILTER (WHERE p.state <> 'left_out'), count(*) FILTER (WHERE p.state <> 'left_out' AND v.state = 'approved'),
			count(*) FILTER (WHERE p.state <> 'left_out' AND NOT EXISTS (SELECT FROM payout q JOIN payee_version w ON w.id = q.version_id WHERE q.run_id = p.run_id AND q.id <> p.id AND q.state <> 'left_out' AND w.account_index = v.account_index))
		FROM payout p LEFT JOIN payee_version v ON v.id = p.version_id WHERE p.run_id = $1`
	stepsOf = `SELECT x.does, x.at, x.by FROM payout_run r LEFT JOIN approval a ON a.id = r.approval_id LEFT JOIN staff d ON d.id = r.drafted_by LEFT JOIN staff q ON q.id = a.asked_by
			LEFT JOIN staff w ON w.id = a.answered_by LEFT JOIN staff e ON e.id = r.exported_by
		CROSS JOIN LATERAL (VALUES (1, 'draft', r.drafted_at, coalesce(d.name, '')), (2, 'propose', CASE WHEN a.state IN ('waiting', 'approved') AND (a.state <> 'waiting' OR a.due_at > $2) THEN a.asked_at END, q.name),
			(3, 'approve', r.approved_at, w.name), (4, 'book', r.booked_at, ''), (5, 'export', r.exported_at, e.name),
			(6, CASE r.state WHEN 'cancelled' THEN 'cancel' ELSE 'close' END, r.ended_at, '')) x (n, does, at, by)
		WHERE r.id = $1 AND x.at IS NOT NULL ORDER BY x.n`
	waitingOf = `SELECT CASE WHEN a.state = 'waiting' AND a.due_at > $2 THEN a.id END, r.approved_at IS NOT NULL AND coalesce(a.alone, false) FROM payout_run r LEFT JOIN approval a ON a.id = r.approval_id WHERE r.id = $1`
	linesOf   = `SELECT o.id, w.id, coalesce(o.number, w.code, b.reference), CASE WHEN l.return_id IS NOT NULL THEN 'came_back' WHEN l.amount_satang < 0 THEN 'taken_back' ELSE 'matured' END,
			CASE WHEN l.return_id IS NOT NULL OR l.amount_satang > 0 THEN '' WHEN c.denied_satang > 0 THEN 'denied' WHEN EXISTS (SELECT FROM refund f WHERE f.order_id = o.id AND f.made_at = c.at) THEN 'refund' ELSE 'payment' END,
			coalesce(i.name_th, w.name_th, ''), coalesce(i.name_en, w.name_en, ''), coalesce(i.quantity, 0), coalesce(k.paid_satang, 0), l.amount_satang, coalesce(c.at, x.at)
		FROM payout_line l LEFT JOIN commission_change c ON c.id = l.change_id LEFT JOIN commission k ON k.id = c.commission_id LEFT JOIN orders o ON o.id = k.order_id
		LEFT JOIN redemption u ON u.id = k.redemption_id LEFT JOIN voucher w ON w.id = u.voucher_id
		LEFT JOIN order_line i ON i.order_id = o.id AND i.position = 0 LEFT JOIN payout_return x ON x.payout_id = l.return_id LEFT JOIN payout b ON b.id = x.payout_id
		WHERE l.payout_id = $1 ORDER BY l.amount_satang < 0 DESC, coalesce(c.at, x.at) DESC, l.change_id LIMIT 200`
	resultsOf = `SELECT r.outcome, r.day::text, r.reason, r.file_name, r.answer, r.said_at, s.name FROM payout_result r JOIN staff s ON s.id = r.said_by WHERE r.payout_id = $1 ORDER BY r.id LIMIT 100`
	papersOf  = `SELECT id, number, state FROM tax_certificate WHERE payout_id = $1 ORDER BY id DESC LIMIT 20`
	ofPayout  = `SELECT coalesce(p.version_id, m.account_id), p.taxable_satang, u.state, coalesce(a.state = 'waiting' AND a.due_at > $2, false), coalesce(b.n, 0) + coalesce(d.n, 0), coalesce(b.net, 0)::bigint + coalesce(d.net, 0)::bigint
		FROM payout p JOIN payout_run u ON u.id = p.run_id LEFT JOIN approval a ON a.id = u.approval_id LEFT JOIN remittance m ON m.id = p.remittance_id
		CROSS JOIN LATERAL (SELECT count(*) AS n, sum(b.net_satang) AS net FROM payout b WHERE b.payee_id = p.payee_id AND b.state = 'paid' AND b.id < p.id) b
		CROSS JOIN LATERAL (SELECT count(*) AS n, sum(d.amount_satang) AS net FROM remittance d WHERE d.customer_id = m.customer_id AND d.account_id IS NOT NULL AND d.state = 'done' AND d.id < m.id) d WHERE p.id = $1`
)

// Next is what the next runs could pay, and when.
type Next struct {
	UpTo    string       `json:"up_to" format:"date" doc:"Yesterday"`
	PayDay  *string      `json:"pay_day" format:"date" nullable:"true" doc:"The second bank day from today; null where the banks' holidays are not known"`
	Payees  int          `json:"payees" doc:"Who can be paid something now"`
	Payable money.Amount `json:"payable_satang" doc:"What they can be paid, before tax and whatever leaves one out"`
	Paid    money.Amount `json:"year_paid_satang" doc:"Paid on days of this year"`
	Held    money.Amount `json:"year_withheld_satang" doc:"Withheld of it"`
	Draft   *uuid.UUID   `json:"draft_id" nullable:"true" doc:"The draft that is open"`
	Minimum money.Amount `json:"minimum_satang" doc:"Who would be paid less waits for the next run, unless the draft says otherwise"`
	Refunds NextRefunds  `json:"refunds"`
}

// NextRefunds is what the next run of refunds could transfer.
type NextRefunds struct {
	Transfers int          `json:"transfers" doc:"Refunds, and what is paid out of wallets, that wait for their transfer to a bank account and are in no run"`
	Amount    money.Amount `json:"amount_satang"`
	Draft     *uuid.UUID   `json:"draft_id" nullable:"true" doc:"The draft that is open"`
}

const nextOf = `SELECT (SELECT count(*) FROM payee_balance WHERE payable_satang > 0), (SELECT coalesce(sum(payable_satang), 0)::bigint FROM payee_balance),
		(SELECT coalesce(sum(net_satang), 0)::bigint FROM payout WHERE payee_id IS NOT NULL AND state = 'paid' AND paid_on >= $1), (SELECT coalesce(sum(withheld_satang), 0)::bigint FROM payout WHERE state = 'paid' AND paid_on >= $1),
		(SELECT id FROM payout_run WHERE kind = 'agent' AND state = 'draft'), (SELECT id FROM payout_run WHERE kind = 'refund' AND state = 'draft'), w.n, w.sum
	FROM (SELECT count(*), coalesce(sum(m.amount_satang), 0)::bigint FROM remittance m WHERE m.account_id IS NOT NULL AND m.state = 'approved'
		AND NOT EXISTS (SELECT FROM payout p WHERE p.remittance_id = m.id AND p.state <> 'left_out')) w (n, sum)`

// bankDays is how many bank days lie between a draft and its pay day, at the latest.
const bankDays = 2

// Next returns what the next runs could pay.
func (s *Service) Next(ctx context.Context, org uuid.UUID) (n Next, err error) {
	today := clock.Day(s.db.Now())
	n.UpTo = today.AddDate(0, 0, -1).Format(time.DateOnly)
	calendar, err := tax.ReadCalendar(ctx, s.db)
	if err != nil {
		return n, err
	}
	if day, ok := calendar.BankDayAfter(today, bankDays); ok {
		pay := day.Format(time.DateOnly)
		n.PayDay = &pay
	}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		if err := tx.QueryRow(ctx, nextOf, today.AddDate(0, 0, 1-today.YearDay())).Scan(&n.Payees, &n.Payable, &n.Paid, &n.Held, &n.Draft, &n.Refunds.Draft, &n.Refunds.Transfers, &n.Refunds.Amount); err != nil {
			return fmt.Errorf("what the next runs could pay: %w", err)
		}
		setting, err := readMinimum(ctx, tx)
		n.Minimum = setting.Minimum
		return err
	})
	return n, err
}

// Run returns a run as the office looks at it. It returns fault.Missing if there is none.
func (s *Service) Run(ctx context.Context, org, id uuid.UUID) (story RunStory, err error) {
	story.Steps, story.Checks = []Step{}, []Check{}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		r, err := read(ctx, tx, readRun, id)
		if err != nil {
			return err
		}
		if story.Record, err = Runs.Detail(ctx, tx, id); err != nil {
			return err
		}
		story.Computing, story.Booking = r.State == Draft && r.Computed == nil, r.State == Approved && r.Booked == nil
		story.Minimum, story.Hash, story.FileHash = r.Minimum, hex.EncodeToString(r.Hash), hex.EncodeToString(r.FileHash)
		var payees, approved, single int
		if err := tx.QueryRow(ctx, ofRun, id).Scan(&story.TakenBack, &story.LeftOut, &story.Paid, &story.Failed, &payees, &approved, &single); err != nil {
			return fmt.Errorf("payout run %s: %w", id, err)
		}
		if r.Kind == Agents {
			story.Checks = append(story.Checks, Check{"approved_account", approved, payees}, Check{"same_account", single, payees})
		}
		if err := tx.QueryRow(ctx, waitingOf, id, tx.Now).Scan(&story.Approval, &story.Alone); err != nil {
			return fmt.Errorf("who approves payout run %s: %w", id, err)
		}
		rows, err := tx.Query(ctx, stepsOf, id, tx.Now)
		if err != nil {
			return fmt.Errorf("steps of payout run %s: %w", id, err)
		}
		story.Steps, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Step])
		return err
	})
	return story, err
}

// Payout returns a payout as the office looks at it. It returns fault.Missing if there is none.
func (s *Service) Payout(ctx context.Context, org, id uuid.UUID) (story Story, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = Payouts.Detail(ctx, tx, id); err != nil {
			return err
		}
		var account *uuid.UUID // what accounts has it by
		if err := tx.QueryRow(ctx, ofPayout, id, tx.Now).Scan(&account, &story.Taxable, &story.State, &story.Waits, &story.Before.Payouts, &story.Before.Net); err != nil {
			return fmt.Errorf("payout %s: %w", id, err)
		}
		if account != nil {
			accounts, err := s.accounts(ctx, tx, story.Record.RunKind, []uuid.UUID{*account})
			if err != nil {
				return err
			}
			story.Account = accounts[*account].Name
		}
		if story.Lines, err = readLines(ctx, tx, id); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, resultsOf, id)
		if err != nil {
			return fmt.Errorf("results of payout %s: %w", id, err)
		}
		if story.Results, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Result]); err != nil {
			return fmt.Errorf("results of payout %s: %w", id, err)
		}
		if rows, err = tx.Query(ctx, papersOf, id); err != nil {
			return fmt.Errorf("certificates of payout %s: %w", id, err)
		}
		story.Papers, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Paper])
		return err
	})
	return story, err
}

func readLines(ctx context.Context, tx db.Tx, id uuid.UUID) ([]Line, error) {
	rows, err := tx.Query(ctx, linesOf, id)
	if err != nil {
		return nil, fmt.Errorf("lines of payout %s: %w", id, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Line])
	if err != nil {
		return nil, fmt.Errorf("lines of payout %s: %w", id, err)
	}
	return lines, nil
}

// Own is a payout as its payee sees it.
type Own struct {
	ID        uuid.UUID    `json:"id"`
	Reference string       `json:"reference"`
	State     Standing     `json:"state" enum:"left_out,booked,sent,paid,failed,returned"`
	LeftOut   string       `json:"left_out" enum:",not_approved,suspended,account_new,owes,below_minimum,too_big,no_tax_rule,under_way,postponed,changed,cancelled,held" doc:"Why nothing was paid"`
	PayDay    string       `json:"pay_day" format:"date"`
	Gross     money.Amount `json:"gross_satang"`
	Withheld  money.Amount `json:"withheld_satang"`
	Net       money.Amount `json:"net_satang"`
	Bank      string       `json:"bank"`
	Digits    string       `json:"account_digits" doc:"The last four"`
	PaidOn    *string      `json:"paid_on" format:"date" nullable:"true"`
	Reason    string       `json:"reason" doc:"Why it failed or came back"`
}

// OwnPage is a page of a payee's payouts.
type OwnPage struct {
	Data []Own      `json:"data" doc:"The newest first"`
	Next *uuid.UUID `json:"next" nullable:"true" doc:"Where the next page begins"`
}

// OwnStory is a payout with what it is made of, as its payee sees it.
type OwnStory struct {
	Own
	Lines       []Line `json:"lines" doc:"What was taken back first, then the newest; at most 200"`
	Certificate string `json:"certificate" doc:"Number of that of what was withheld; empty while there is none"`
}

// What a payee sees are payouts of runs that two people have approved.
const (
	ownColumns = `SELECT p.id, p.reference, p.state, coalesce(p.left_out, ''), u.pay_day::text, p.gross_satang, p.withheld_satang, p.net_satang, coalesce(v.bank, ''), coalesce(v.account_digits, ''), p.paid_on::text, p.reason
		FROM payout p JOIN payout_run u ON u.id = p.run_id JOIN agent a ON a.id = p.payee_id LEFT JOIN payee_version v ON v.id = p.version_id
		WHERE a.customer_id = $1 AND u.booked_at IS NOT NULL `
	ownList = ownColumns + `AND ($2::uuid IS NULL OR p.id < $2) ORDER BY p.id DESC LIMIT $3`
	ownOne  = ownColumns + `AND p.id = $2`
	paperOf = `SELECT number FROM tax_certificate WHERE payout_id = $1 AND state = 'issued'`
)

const ownPage = 30

// OwnPayouts returns a page of what a person was paid, or was to be. after is where it begins, or nil.
func (s *Service) OwnPayouts(ctx context.Context, who token.Session, after *uuid.UUID) (page OwnPage, err error) {
	page.Data = []Own{}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, ownList, who.Subject, after, ownPage+1)
		if err != nil {
			return fmt.Errorf("payouts of %s: %w", who.Subject, err)
		}
		page.Data, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Own])
		return err
	})
	if len(page.Data) > ownPage {
		page.Data = page.Data[:ownPage]
		page.Next = &page.Data[ownPage-1].ID
	}
	return page, err
}

// OwnPayout returns one of them. It returns fault.Missing if it is none of his.
func (s *Service) OwnPayout(ctx context.Context, who token.Session, id uuid.UUID) (story OwnStory, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, ownOne, who.Subject, id)
		if err != nil {
			return fmt.Errorf("payout %s: %w", id, err)
		}
		story.Own, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Own])
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("payout %s: %w", id, err)
		}
		if story.Lines, err = readLines(ctx, tx, id); err != nil {
			return err
		}
		err = tx.QueryRow(ctx, paperOf, id).Scan(&story.Certificate)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("certificate of payout %s: %w", id, err)
		}
		return nil
	})
	return story, err
}
