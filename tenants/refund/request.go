package refund

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
)

// Faults of a payer's request for a refund.
var (
	ErrBySelf         = fault.New(fault.Conflict, "refund.by_self", "You can have this refunded at once, without asking")
	ErrRequested      = fault.New(fault.Conflict, "refund.requested", "You have asked for a refund of this order already. The shop has yet to answer")
	ErrRequestOver    = fault.New(fault.Conflict, "refund.request_over", "This request does not wait for an answer any more")
	ErrRequestChanged = fault.New(fault.Conflict, "refund.request_changed", "Some of what was asked for was used or has left its payer since. He has to be asked again")
	ErrRequestSame    = fault.New(fault.Conflict, "refund.request_same", "All that was asked for is still there, so there is nothing to ask again")
)

// answerWithin is how long the organisation has to answer a request, by the rules on consumer contracts; nothing is refunded by itself then.
const answerWithin = 15 * 24 * time.Hour

// Request is what a payer asked the organisation to refund, and what became of it.
type Request struct {
	ID         uuid.UUID       `json:"id"`
	State      string          `json:"state" enum:"asked,done,refused,changed,withdrawn" doc:"changed: some of it was used or has left its payer, so he was asked again"`
	Amount     money.Amount    `json:"amount_satang"`
	Method     Method          `json:"method" enum:"wallet,card,bank" doc:"Where he wants it to go; of one that is done, where it went. To the card or bank it goes if that can be when the shop approves; otherwise to the wallet"`
	Bank       string          `json:"bank" doc:"Code of the bank that he named; empty by another method"`
	Digits     string          `json:"account_digits" doc:"The last four of the account that he named"`
	AskedAt    time.Time       `json:"asked_at" doc:"UTC"`
	DueAt      time.Time       `json:"due_at" doc:"UTC; when the shop should have answered"`
	AnsweredAt *time.Time      `json:"answered_at" nullable:"true" doc:"UTC"`
	Words      string          `json:"words" doc:"Why he asked, in his own"`
	Answer     string          `json:"answer" doc:"Why it was refused, in the shop's words"`
	Renewable  money.Amount    `json:"renewable_satang" doc:"What he may ask for again of one that changed; 0 if nothing"`
	Parts      []RequestedPart `json:"parts"`
}

// RequestedPart is what a request names of a voucher.
type RequestedPart struct {
	Voucher uuid.UUID    `json:"voucher_id"`
	Code    string       `json:"code"`
	Kind    voucher.Kind `json:"kind" enum:"item,baht"`
	NameTH  string       `json:"name_th"`
	NameEN  string       `json:"name_en"`
	Items   int64        `json:"items"`
	Left    int64        `json:"items_left" doc:"Of these, those that are its payer's still"`
	Amount  money.Amount `json:"amount_satang"`
	Refused string       `json:"refused" doc:"The fault that stands against it now, or empty"`
}

// RenewInput asks again for what is left of a request, and names the sum that its payer was shown.
type RenewInput struct {
	ID     uuid.UUID    `json:"id"`
	Amount money.Amount `json:"amount_satang" minimum:"0" maximum:"1000000000000" doc:"As the request said"`
}

// ByRequest names a request.
type ByRequest struct {
	ID uuid.UUID `json:"id"`
}

// request is a row of refund_request.
type request struct {
	ID       uuid.UUID
	Order    uuid.UUID
	Payer    uuid.UUID
	State    string
	Method   Method
	Account  *uuid.UUID
	Bank     string
	Digits   string
	Amount   money.Amount
	BeganAt  time.Time
	Renewed  bool
	PaidAt   time.Time
	Number   string
	Asked    time.Time
	Due      time.Time
	Answered *time.Time
	Words    string
	Answer   string

	parts []named
}

// named is what a request names of a voucher: so many of its last items when out had left it.
type named struct {
	Voucher uuid.UUID
	Items   int64
	Out     int64
	Amount  money.Amount
}

const (
	columnsOfRequest = `SELECT q.id, q.order_id, q.customer_id, q.state,
		CASE WHEN q.state <> 'done' OR EXISTS (SELECT FROM refund f JOIN remittance m ON m.refund_id = f.id AND m.state <> 'failed' WHERE f.request_id = q.id) THEN q.method ELSE 'wallet' END,
		q.account_id, coalesce(b.bank, ''), coalesce(b.digits, ''), q.amount_satang, q.began_at, EXISTS (SELECT FROM refund_request n WHERE n.renews_id = q.id),
		o.paid_at, o.number, q.asked_at, q.due_at, q.answered_at, q.words, q.answer FROM refund_request q JOIN orders o ON o.id = q.order_id LEFT JOIN bank_account b ON b.id = q.account_id `
	requestByID   = columnsOfRequest + `WHERE q.id = $1`
	lockRequest   = requestByID + ` FOR UPDATE OF q`
	requestsOf    = columnsOfRequest + `WHERE q.order_id = $1 AND q.customer_id = $2 ORDER BY q.id DESC LIMIT $3`
	partsOf       = `SELECT request_id, voucher_id, items, items_out, amount_satang FROM refund_request_item WHERE request_id = ANY ($1) ORDER BY request_id, voucher_id`
	insertRequest = `INSERT INTO refund_request (id, order_id, customer_id, state, amount_satang, renews_id, began_at, asked_at, due_at, method, account_id, words)
		VALUES ($1, $2, $3, 'asked', $4, $5, $6, $7, $8, coalesce(nullif($9::text, ''), 'wallet'), $10, $11)`
	insertRequestItem = `INSERT INTO refund_request_item (request_id, voucher_id, items, items_out, amount_satang) VALUES ($1, $2, $3, $4, $5)`
	withdrawRequest   = `UPDATE refund_request SET state = 'withdrawn', answered_at = $3 WHERE id = $1 AND customer_id = $2 AND state = 'asked'`
	withdrawAllOf     = `UPDATE refund_request SET state = 'withdrawn', answered_at = $2 WHERE customer_id = $1 AND state = 'asked'`
	eraseRequestWords = `UPDATE refund_request SET words = '' WHERE customer_id = $1 AND words <> ''`
	eraseRefundWords  = `UPDATE refund SET note = '' WHERE customer_id = $1 AND made_by IS NULL AND note <> ''`
	isRequestOf       = `SELECT EXISTS (SELECT FROM refund_request WHERE id = $1 AND customer_id = $2)`
)

// shownRequests is how many requests of an order its payer is shown.
const shownRequests = 20

func readRequests(ctx context.Context, tx db.Tx, sql string, args ...any) ([]request, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("requests for refunds: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (q request, err error) {
		return q, row.Scan(&q.ID, &q.Order, &q.Payer, &q.State, &q.Method, &q.Account, &q.Bank, &q.Digits, &q.Amount, &q.BeganAt, &q.Renewed, &q.PaidAt, &q.Number, &q.Asked, &q.Due, &q.Answered, &q.Words, &q.Answer)
	})
	if err != nil {
		return nil, fmt.Errorf("requests for refunds: %w", err)
	}
	rows, err = tx.Query(ctx, partsOf, db.Column(list, func(q request) uuid.UUID { return q.ID }))
	if err != nil {
		return nil, fmt.Errorf("items of requests: %w", err)
	}
	var id uuid.UUID
	var part named
	_, err = pgx.ForEachRow(rows, []any{&id, &part.Voucher, &part.Items, &part.Out, &part.Amount}, func() error {
		i := slices.IndexFunc(list, func(q request) bool { return q.ID == id })
		list[i].parts = append(list[i].parts, part)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("items of requests: %w", err)
	}
	return list, nil
}

// readRequest returns a request as sql has it, or fault.Missing.
func readRequest(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (request, error) {
	list, err := readRequests(ctx, tx, sql, id)
	if err != nil {
		return request{}, err
	}
	if len(list) == 0 {
		return request{}, fault.Missing
	}
	return list[0], nil
}

// mayAsk returns why a voucher's payer may not ask for a refund of it, or nil.
func (t terms) mayAsk(v *voucher.Held, at time.Time) error {
	err := t.check(v, at)
	switch {
	case err == nil:
		return ErrBySelf
	case errors.Is(err, ErrByAsking):
		return nil
	}
	return err
}

// left returns how many of the items that a request names are its payer's still, and unused. They are the last ones of their voucher.
func (t terms) left(n named, v *voucher.Held) int64 {
	over := v.State == voucher.Used || v.State == voucher.Refunded || v.State == voucher.Void
	if over || v.Holder != t.payer || slices.Contains(t.handed, v.ID) {
		return 0
	}
	return max(0, min(n.Items-(v.Out-n.Out), v.Left))
}

// rest returns what is left of what a request names.
func (t terms) rest(q request, vouchers []*voucher.Held) (list []chosen) {
	for _, n := range q.parts {
		v := vouchers[slices.IndexFunc(vouchers, func(v *voucher.Held) bool { return v.ID == n.Voucher })]
		if left := t.left(n, v); left > 0 {
			list = append(list, chosen{v, left, t.fee(v, left)})
		}
	}
	return list
}

// granted returns what a request that is granted refunds. It returns ErrRequestChanged if some of that is not there any more, or the fault of a voucher's state.
func (t terms) granted(q request, vouchers []*voucher.Held) ([]chosen, error) {
	list := t.rest(q, vouchers)
	for i, n := range q.parts {
		if i >= len(list) || list[i].ID != n.Voucher || list[i].items != n.Items {
			return nil, ErrRequestChanged
		}
	}
	return list, refundable(list)
}

// refundable returns the fault of the first voucher that its payer cannot have refunded in its state, or nil.
func refundable(list []chosen) error {
	for _, c := range list {
		if err := c.Refundable(voucher.Refund, c.items); err != nil {
			return err
		}
	}
	return nil
}

// comes is what goes to the wallet for what is chosen.
func comes(list []chosen) (sum money.Amount) {
	for _, c := range list {
		sum += c.returned()
	}
	return sum
}

// MakeRequest asks the organisation to refund unused items to the wallet, the card or a bank account of who paid for them and holds them, because he changed his mind. Nothing is held
// meanwhile. The same key asks once. It returns fault.Missing if the order is not his or not paid, voucher.ErrNotFound for a voucher of another order,
// ErrNotYours, ErrNotOffered, ErrTooLate, ErrBySelf, the fault of a voucher's state, voucher.ErrTooFew, ErrNothing, ErrSumsChanged if it is not the sum that
// he was shown, ErrNotToCard, ErrNotToBank, the faults of an account, ErrRequested, and idempotency.ErrReused.
func (s *Service) MakeRequest(ctx context.Context, who token.Session, key string, in OwnInput) (Request, error) {
	return s.ask(ctx, who, key, in, func(tx db.Tx, id uuid.UUID) error {
		var paidAt time.Time
		err := tx.QueryRow(ctx, ownOrder, in.Order, who.Subject).Scan(&paidAt)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("order %s: %w", in.Order, err)
		}
		vouchers, err := voucher.ReadOfOrder(ctx, tx, in.Order)
		if err != nil {
			return err
		}
		t, err := readTerms(ctx, tx, who.Subject, in.Order, paidAt, vouchers)
		if err != nil {
			return err
		}
		bySelf := false
		list, err := t.ownChoice(vouchers, in.Parts, func(v *voucher.Held) error {
			err := t.mayAsk(v, tx.Now)
			if errors.Is(err, ErrBySelf) {
				bySelf, err = true, nil
			}
			return err
		})
		if err != nil {
			return err
		}
		if bySelf && !t.leavesTooLittle(vouchers, list) {
			return ErrBySelf
		}
		q := request{ID: id, Order: in.Order, Payer: who.Subject, Method: in.Method, BeganAt: tx.Now, Words: strings.TrimSpace(in.Words)}
		if q.Account, err = s.name(ctx, tx, who.Subject, in); err != nil {
			return err
		}
		if err := insert(ctx, tx, q, nil, list, in.Amount); err != nil {
			return err
		}
		return checkSource(ctx, tx, in.Method, in.Order, list)
	})
}

// RenewRequest asks again for what is left of a request of which something was used or has left its payer; the days of the rule count to when he asked
// first. The same key asks once. It returns fault.Missing for anybody else's, ErrRequestOver if it has not changed or was renewed before, and the faults of
// MakeRequest of a voucher's state and of the sum.
func (s *Service) RenewRequest(ctx context.Context, who token.Session, key string, in RenewInput) (Request, error) {
	return s.ask(ctx, who, key, in, func(tx db.Tx, id uuid.UUID) error {
		q, err := readRequest(ctx, tx, lockRequest, in.ID)
		switch {
		case err != nil:
			return err
		case q.Payer != who.Subject:
			return fault.Missing
		case q.State != "changed" || q.Renewed:
			return ErrRequestOver
		}
		vouchers, t, err := q.read(ctx, tx)
		if err != nil {
			return err
		}
		list := t.rest(q, vouchers)
		if err := refundable(list); err != nil {
			return err
		}
		return insert(ctx, tx, request{ID: id, Order: q.Order, Payer: q.Payer, Method: q.Method, Account: q.Account, BeganAt: q.BeganAt, Words: q.Words}, &q.ID, list, in.Amount)
	})
}

// ask makes a request of a customer's under a key, and returns it.
func (s *Service) ask(ctx context.Context, who token.Session, key string, in any, do func(tx db.Tx, id uuid.UUID) error) (made Request, err error) {
	var locked customer.Locked
	id, err := idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "refund.request", Value: key}, in,
		func(tx db.Tx) { locked = customer.Lock(tx, who.Subject) },
		func(tx db.Tx, id uuid.UUID) error {
			if err := locked.Check(who.Subject); err != nil {
				return err
			}
			return do(tx, id)
		})
	if err != nil {
		return Request{}, err
	}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		q, err := readRequest(ctx, tx, requestByID, id)
		if err != nil {
			return err
		}
		vouchers, t, err := q.read(ctx, tx)
		if err != nil {
			return err
		}
		list, err := t.show(ctx, tx, []request{q}, vouchers)
		if err != nil {
			return err
		}
		made = list[0]
		return nil
	})
	return made, err
}

// insert writes a request for what is chosen. It returns ErrSumsChanged, ErrNothing or ErrRequested.
func insert(ctx context.Context, tx db.Tx, q request, renews *uuid.UUID, list []chosen, shown money.Amount) error {
	sum := comes(list)
	if sum != shown {
		return ErrSumsChanged
	}
	if sum == 0 {
		return ErrNothing
	}
	_, err := tx.Exec(ctx, insertRequest, q.ID, q.Order, q.Payer, sum, renews, q.BeganAt, tx.Now, tx.Now.Add(answerWithin), q.Method, q.Account, q.Words)
	if db.IsUnique(err, "refund_request_open") {
		return ErrRequested
	}
	if err != nil {
		return fmt.Errorf("request a refund of order %s: %w", q.Order, err)
	}
	for _, c := range list {
		tx.Queue(insertRequestItem, q.ID, c.ID, c.items, c.Out, c.returned())
	}
	return notice.SendTableUpdate(ctx, tx, Requests.Name())
}

// WithdrawRequest ends a request of the payer's that waits. It returns fault.Missing for anybody else's, or ErrRequestOver.
func (s *Service) WithdrawRequest(ctx context.Context, who token.Session, in ByRequest) (Request, error) {
	var over Request
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, withdrawRequest, in.ID, who.Subject, tx.Now)
		if err != nil {
			return fmt.Errorf("withdraw request %s: %w", in.ID, err)
		}
		if tag.RowsAffected() == 0 {
			var his bool
			if err := tx.QueryRow(ctx, isRequestOf, in.ID, who.Subject).Scan(&his); err != nil {
				return fmt.Errorf("request %s: %w", in.ID, err)
			}
			if his {
				return ErrRequestOver
			}
			return fault.Missing
		}
		q, err := readRequest(ctx, tx, requestByID, in.ID)
		if err != nil {
			return err
		}
		vouchers, t, err := q.read(ctx, tx)
		if err != nil {
			return err
		}
		list, err := t.show(ctx, tx, []request{q}, vouchers)
		if err != nil {
			return err
		}
		over = list[0]
		return notice.SendTableUpdate(ctx, tx, Requests.Name())
	})
	return over, err
}

// Erase ends what a customer asked for who is erased, and what he said of it and of what he had refunded by himself.
func Erase(ctx context.Context, tx db.Tx, who uuid.UUID) error {
	tx.Queue(eraseRequestWords, who)
	tx.Queue(eraseRefundWords, who)
	tag, err := tx.Exec(ctx, withdrawAllOf, who, tx.Now)
	if err != nil {
		return fmt.Errorf("withdraw the requests of %s: %w", who, err)
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	return notice.SendTableUpdate(ctx, tx, Requests.Name())
}

// read returns the vouchers of its order as they are now, not locked, and what its payer may have refunded.
func (q request) read(ctx context.Context, tx db.Tx) ([]*voucher.Held, terms, error) {
	vouchers, err := voucher.ReadOfOrder(ctx, tx, q.Order)
	if err != nil {
		return nil, terms{}, err
	}
	t, err := readTerms(ctx, tx, q.Payer, q.Order, q.PaidAt, vouchers)
	return vouchers, t, err
}

const namesByID = `SELECT id, code, name_th, name_en FROM voucher WHERE id = ANY ($1)`

// show returns requests of an order as they are shown, with what stands against each part now.
func (t terms) show(ctx context.Context, tx db.Tx, requests []request, vouchers []*voucher.Held) ([]Request, error) {
	rows, err := tx.Query(ctx, namesByID, db.Column(vouchers, func(v *voucher.Held) uuid.UUID { return v.ID }))
	if err != nil {
		return nil, fmt.Errorf("names of vouchers: %w", err)
	}
	names := map[uuid.UUID]RequestedPart{}
	var of RequestedPart
	_, err = pgx.ForEachRow(rows, []any{&of.Voucher, &of.Code, &of.NameTH, &of.NameEN}, func() error {
		names[of.Voucher] = of
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("names of vouchers: %w", err)
	}
	list := []Request{}
	for _, q := range requests {
		shown := Request{ID: q.ID, State: q.State, Method: q.Method, Bank: q.Bank, Digits: q.Digits, Amount: q.Amount, AskedAt: q.Asked, DueAt: q.Due, AnsweredAt: q.Answered, Words: q.Words, Answer: q.Answer, Parts: []RequestedPart{}}
		for _, n := range q.parts {
			v := vouchers[slices.IndexFunc(vouchers, func(v *voucher.Held) bool { return v.ID == n.Voucher })]
			shown.Parts = append(shown.Parts, t.part(n, v, names[n.Voucher]))
		}
		if q.State == "changed" && !q.Renewed {
			shown.Renewable = comes(t.rest(q, vouchers))
		}
		list = append(list, shown)
	}
	return list, nil
}

// part completes what is shown of what a request names of a voucher.
func (t terms) part(n named, v *voucher.Held, of RequestedPart) RequestedPart {
	of.Kind, of.Items, of.Left, of.Amount = v.Kind, n.Items, t.left(n, v), n.Amount
	if !slices.Contains(t.handed, v.ID) && v.Holder == t.payer {
		if err := v.Refundable(voucher.Refund, max(1, of.Left)); err != nil {
			of.Refused = fault.From(err).Code
		}
		return of
	}
	of.Refused = ErrNotYours.Code
	return of
}
