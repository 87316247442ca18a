// Package cashout pays a customer money of his wallet out that he filled it with himself, because he asked for it. It goes back to what paid it in, the newest
// payment first: to a card by its gateway, and to a bank account that he names what came in by PromptPay. What others paid him is spent, and not paid out.
package cashout

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
)

// Faults of money that is paid out of a wallet.
var (
	ErrOwes      = fault.New(fault.Conflict, "cashout.owes", "You owe the shop something. What you owe is paid before anything is paid out")
	ErrTooMuch   = fault.New(fault.Conflict, "cashout.too_much", "No more can be paid out than you have topped up yourself and still have")
	ErrRequested = fault.New(fault.Conflict, "cashout.requested", "You have asked for this already. The shop has yet to answer")
	ErrOver      = fault.New(fault.Conflict, "cashout.over", "This request does not wait for an answer any more")
	ErrChanged   = fault.New(fault.Conflict, "cashout.changed", "The wallet or its payments have changed since. The customer has to ask again")
)

// answerWithin is how long the organisation has to pay, by the rules on consumer contracts.
const answerWithin = 15 * 24 * time.Hour

// Service pays out of wallets.
type Service struct {
	db  *db.DB
	box *secret.Box
}

// New returns the service. box encrypts the bank accounts that customers name.
func New(d *db.DB, box *secret.Box) *Service { return &Service{d, box} }

// Options are what a customer may have paid out of his wallet, and what he has asked for.
type Options struct {
	Balance  money.Amount    `json:"balance_satang"`
	Limit    money.Amount    `json:"limit_satang" doc:"How much of it may be paid out now"`
	Debt     money.Amount    `json:"debt_satang" doc:"What he owes; then nothing is paid out"`
	Sources  []charge.Source `json:"sources" doc:"Where it goes, in this order, and how much goes there at most; together no less than the limit. What goes by bank needs an account"`
	Requests []Request       `json:"requests" doc:"The newest first, at most twenty"`
}

// Request is what a customer asked to be paid out.
type Request struct {
	ID         uuid.UUID    `json:"id"`
	Number     string       `json:"number"`
	State      string       `json:"state" enum:"asked,approved,refused,withdrawn" doc:"approved: it has left the wallet; the parts say how far they are"`
	Amount     money.Amount `json:"amount_satang"`
	Bank       string       `json:"bank" doc:"Code of the bank that he named; empty if he named none"`
	Digits     string       `json:"account_digits" doc:"The last four of that account"`
	AskedAt    time.Time    `json:"asked_at" doc:"UTC"`
	DueAt      time.Time    `json:"due_at" doc:"UTC; until when the shop should have answered and paid"`
	AnsweredAt *time.Time   `json:"answered_at" nullable:"true" doc:"UTC"`
	Answer     string       `json:"answer" doc:"Why it was refused, in the shop's words"`
	Parts      []Part       `json:"parts" doc:"Of one that was approved"`
}

// Part is what goes back to one payment.
type Part struct {
	Amount money.Amount `json:"amount_satang"`
	Method string       `json:"method" enum:"card,bank"`
	Digits string       `json:"digits" doc:"Of the card or the bank account, its last four; empty if they are not known"`
	State  string       `json:"state" enum:"approved,sent,done,failed" doc:"failed: the wallet has it again"`
	At     time.Time    `json:"at" doc:"UTC; when it ended, or began"`
}

// Input is what a customer asks for.
type Input struct {
	Amount  money.Amount  `json:"amount_satang" minimum:"1" maximum:"1000000000000"`
	Account *bank.Account `json:"account,omitempty" doc:"Where the shop transfers what came in by PromptPay; left out where all of it goes to cards"`
}

// ByRequest names a request.
type ByRequest struct {
	ID uuid.UUID `json:"id"`
}

// shownRequests is how many requests a customer is shown.
const shownRequests = 20

const (
	columns = `SELECT k.id, k.number, k.customer_id, k.state, k.amount_satang, k.account_id, coalesce(b.bank, ''), coalesce(b.digits, ''), k.asked_at, k.due_at, k.answered_at, k.answer
		FROM cashout k LEFT JOIN bank_account b ON b.id = k.account_id `
	byID     = columns + `WHERE k.id = $1`
	lockByID = byID + ` FOR UPDATE OF k`
	of       = columns + `WHERE k.customer_id = $1 ORDER BY k.id DESC LIMIT $2`
	partsOf  = `SELECT m.cashout_id, m.amount_satang, CASE WHEN m.account_id IS NULL THEN 'card' ELSE 'bank' END, coalesce(b.digits, c.card_digits), m.state, coalesce(m.ended_at, m.sent_at, m.made_at)
		FROM remittance m JOIN charge c ON c.id = m.charge_id LEFT JOIN bank_account b ON b.id = m.account_id WHERE m.cashout_id = ANY ($1) ORDER BY m.cashout_id, m.id`
	insert      = `INSERT INTO cashout (id, number, customer_id, state, amount_satang, account_id, asked_at, due_at) VALUES ($1, $2, $3, 'asked', $4, $5, $6, $7)`
	withdraw    = `UPDATE cashout SET state = 'withdrawn', answered_at = $3 WHERE id = $1 AND customer_id = $2 AND state = 'asked'`
	withdrawAll = `UPDATE cashout SET state = 'withdrawn', answered_at = $2 WHERE customer_id = $1 AND state = 'asked'`
	isOf        = `SELECT EXISTS (SELECT FROM cashout WHERE id = $1 AND customer_id = $2)`
	debtOf      = `SELECT debt_satang FROM customer WHERE id = $1`
	rowsOf      = `SELECT customer_id FROM former_customer WHERE successor_id = $1`
)

// row is a row of cashout.
type row struct {
	Request
	customer uuid.UUID
	account  *uuid.UUID
}

func read(ctx context.Context, tx db.Tx, sql string, args ...any) ([]row, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("what is paid out of wallets: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(from pgx.CollectableRow) (r row, err error) {
		return r, from.Scan(&r.ID, &r.Number, &r.customer, &r.State, &r.Amount, &r.account, &r.Bank, &r.Digits, &r.AskedAt, &r.DueAt, &r.AnsweredAt, &r.Answer)
	})
	if err != nil {
		return nil, fmt.Errorf("what is paid out of wallets: %w", err)
	}
	return list, nil
}

// readOne returns a request as sql has it, or fault.Missing.
func readOne(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (row, error) {
	list, err := read(ctx, tx, sql, id)
	if err != nil {
		return row{}, err
	}
	if len(list) == 0 {
		return row{}, fault.Missing
	}
	return list[0], nil
}

// show returns requests with their parts.
func show(ctx context.Context, tx db.Tx, list []row) ([]Request, error) {
	parts := map[uuid.UUID][]Part{}
	rows, err := tx.Query(ctx, partsOf, db.Column(list, func(r row) uuid.UUID { return r.ID }))
	if err != nil {
		return nil, fmt.Errorf("parts of what is paid out: %w", err)
	}
	var id uuid.UUID
	var p Part
	_, err = pgx.ForEachRow(rows, []any{&id, &p.Amount, &p.Method, &p.Digits, &p.State, &p.At}, func() error {
		parts[id] = append(parts[id], p)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("parts of what is paid out: %w", err)
	}
	shown := []Request{}
	for _, r := range list {
		r.Parts = append([]Part{}, parts[r.ID]...)
		shown = append(shown, r.Request)
	}
	return shown, nil
}

// Options returns what a customer may have paid out of his wallet, and what he has asked for.
func (s *Service) Options(ctx context.Context, who token.Session) (o Options, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, rowsOf, who.Subject)
		if err != nil {
			return fmt.Errorf("who %s was: %w", who.Subject, err)
		}
		person, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return fmt.Errorf("who %s was: %w", who.Subject, err)
		}
		if o.Balance, err = ledger.Balance(ctx, tx, who.Subject); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, debtOf, who.Subject).Scan(&o.Debt); err != nil {
			return fmt.Errorf("what %s owes: %w", who.Subject, err)
		}
		list, err := charge.SourcesOf(ctx, tx, append(person, who.Subject), o.Balance)
		if err != nil {
			return err
		}
		o.Sources = db.Column(list, func(f charge.FilledBy) charge.Source { return f.Source })
		if o.Debt == 0 {
			o.Limit = limit(list, o.Balance)
		}
		asked, err := read(ctx, tx, of, who.Subject, shownRequests)
		if err != nil {
			return err
		}
		o.Requests, err = show(ctx, tx, asked)
		return err
	})
	return o, err
}

// limit returns how much of a balance may go back to what filled it.
func limit(list []charge.FilledBy, balance money.Amount) (sum money.Amount) {
	for _, f := range list {
		sum += f.Limit
	}
	return min(sum, balance)
}

// split returns how much of a sum goes back to each payment; together they have as much.
func split(list []charge.FilledBy, sum money.Amount) (parts []charge.FilledBy) {
	for _, f := range list {
		if f.Limit = min(f.Limit, sum); f.Limit > 0 {
			parts = append(parts, f)
			sum -= f.Limit
		}
	}
	return parts
}

// sources returns to what a sum goes back that is paid out of the wallet of a person who is locked, under all the rows that he has; now is the last of them. It
// returns ErrOwes or ErrTooMuch.
func sources(ctx context.Context, tx db.Tx, now uuid.UUID, person []uuid.UUID, sum money.Amount) ([]charge.FilledBy, error) {
	var debt money.Amount
	if err := tx.QueryRow(ctx, debtOf, now).Scan(&debt); err != nil {
		return nil, fmt.Errorf("what %s owes: %w", now, err)
	}
	if debt > 0 {
		return nil, ErrOwes
	}
	balance, err := ledger.Balance(ctx, tx, now)
	if err != nil {
		return nil, err
	}
	list, err := charge.SourcesOf(ctx, tx, person, sum)
	if err != nil {
		return nil, err
	}
	if limit(list, balance) < sum {
		return nil, ErrTooMuch
	}
	return split(list, sum), nil
}

// needsAccount reports whether some of it goes to a bank account.
func needsAccount(parts []charge.FilledBy) bool {
	for _, p := range parts {
		if p.Method == "bank" {
			return true
		}
	}
	return false
}

// Ask asks the organisation to pay money out of the customer's wallet. Nothing is held meanwhile. The same key asks once. It returns ErrOwes, ErrTooMuch,
// fault.Required at the account if some of it goes by bank and he names none, the faults of an account, ErrRequested, and idempotency.ErrReused.
func (s *Service) Ask(ctx context.Context, who token.Session, key string, in Input) (r Request, err error) {
	var locked customer.Locked
	id, err := idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "cashout.ask", Value: key}, in,
		func(tx db.Tx) { locked = customer.Lock(tx, who.Subject) },
		func(tx db.Tx, id uuid.UUID) error {
			if err := locked.Check(who.Subject); err != nil {
				return err
			}
			now, person, err := customer.LockPerson(ctx, tx, who.Subject)
			if err != nil {
				return err
			}
			parts, err := sources(ctx, tx, now, person, in.Amount)
			if err != nil {
				return err
			}
			var account *uuid.UUID
			if needsAccount(parts) {
				named, err := bank.Name(ctx, tx, s.box, who.Subject, in.Account)
				if err != nil {
					return err
				}
				account = &named
			}
			_, err = tx.Exec(ctx, insert, id, voucher.NewCode(10), who.Subject, in.Amount, account, tx.Now, tx.Now.Add(answerWithin))
			if db.IsUnique(err, "cashout_open") {
				return ErrRequested
			}
			if err != nil {
				return fmt.Errorf("ask to pay out of the wallet of %s: %w", who.Subject, err)
			}
			return notice.SendTableUpdate(ctx, tx, Cashouts.Name())
		})
	if err != nil {
		return r, err
	}
	return s.request(ctx, who.Org, id)
}

// request returns a request as its customer is shown it.
func (s *Service) request(ctx context.Context, org, id uuid.UUID) (r Request, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		one, err := readOne(ctx, tx, byID, id)
		if err != nil {
			return err
		}
		shown, err := show(ctx, tx, []row{one})
		if err != nil {
			return err
		}
		r = shown[0]
		return nil
	})
	return r, err
}

// Withdraw ends a request of the customer's that waits. It returns fault.Missing for anybody else's, or ErrOver.
func (s *Service) Withdraw(ctx context.Context, who token.Session, in ByRequest) (Request, error) {
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, withdraw, in.ID, who.Subject, tx.Now)
		if err != nil {
			return fmt.Errorf("withdraw %s: %w", in.ID, err)
		}
		if tag.RowsAffected() > 0 {
			return notice.SendTableUpdate(ctx, tx, Cashouts.Name())
		}
		var his bool
		if err := tx.QueryRow(ctx, isOf, in.ID, who.Subject).Scan(&his); err != nil {
			return fmt.Errorf("whose is %s: %w", in.ID, err)
		}
		if his {
			return ErrOver
		}
		return fault.Missing
	})
	if err != nil {
		return Request{}, err
	}
	return s.request(ctx, who.Org, in.ID)
}

// WithdrawAll ends what a customer asked for who is erased.
func WithdrawAll(ctx context.Context, tx db.Tx, who uuid.UUID) error {
	tag, err := tx.Exec(ctx, withdrawAll, who, tx.Now)
	if err != nil {
		return fmt.Errorf("withdraw what %s asked for: %w", who, err)
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	return notice.SendTableUpdate(ctx, tx, Cashouts.Name())
}

// readLocked locks the person of a request, and then the request. It returns fault.Missing if there is none, or ErrOver.
func readLocked(ctx context.Context, tx db.Tx, id uuid.UUID) (r row, now uuid.UUID, person []uuid.UUID, err error) {
	if r, err = readOne(ctx, tx, byID, id); err != nil {
		return r, now, nil, err
	}
	if now, person, err = customer.LockPerson(ctx, tx, r.customer); err != nil {
		return r, now, nil, err
	}
	if r, err = readOne(ctx, tx, lockByID, id); err != nil {
		return r, now, nil, err
	}
	if r.State != "asked" {
		return r, now, nil, ErrOver
	}
	return r, now, person, nil
}
