package wallet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idem"
	"welovevoucher/platform/log"
	"welovevoucher/platform/money"
	"welovevoucher/platform/pay"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/notice"
)

// Limits of a top-up (specification section 9). A gateway's QR carries at most 150,000 baht.
const (
	MinTopUp      = 100 * money.Baht
	MaxTopUp      = 150_000 * money.Baht
	topUpLifetime = 10 * time.Minute
)

// Faults of topping up.
var (
	ErrTopUpMissing = fault.New(fault.NotFound, "topup.not_found", "Order not found yet")
	ErrNoMethod     = fault.New(fault.Conflict, "topup.no_method", "This way to pay is not available here")
	ErrCardToken    = fault.New(fault.Invalid, "topup.card_token", "please check the card")
)

// TopUpInput asks for money to be taken in.
type TopUpInput struct {
	Amount    money.Amount `json:"amount_satang" minimum:"10000" maximum:"15000000" doc:"At least 100 baht"`
	Method    string       `json:"method" enum:"promptpay,card"`
	CardToken string       `json:"card_token,omitempty" maxLength:"100" doc:"Made by the vault in the browser; card numbers never come here"`
	Return    string       `json:"return,omitempty" maxLength:"300" doc:"A path of ours to come back to after 3-D Secure"`
}

// TopUp is money on its way into a wallet.
type TopUp struct {
	ID           uuid.UUID    `json:"id"`
	Amount       money.Amount `json:"amount_satang"`
	Method       string       `json:"method" enum:"promptpay,card"`
	State        string       `json:"state" enum:"created,awaiting,captured,expired,failed"`
	QRImageURL   string       `json:"qr_image_url"`
	AuthorizeURL string       `json:"authorize_url" doc:"Where the browser confirms a card"`
	Reference    string       `json:"reference"`
	ChargeID     string       `json:"charge_id" doc:"The gateway's name of it"`
	Failure      string       `json:"failure"`
	Late         bool         `json:"late" doc:"It was paid after its QR had expired; the money is in the wallet all the same"`
	CreatedAt    time.Time    `json:"created_at"`
	ExpiresAt    time.Time    `json:"expires_at"`
	CapturedAt   *time.Time   `json:"captured_at"`
	ServerTime   time.Time    `json:"server_time"`
}

// CheckJob asks the gateway about a charge again; there is one per pending charge and moment of asking.
type CheckJob struct {
	TopUp uuid.UUID `json:"topup"`
}

// Kind names the job.
func (CheckJob) Kind() string { return "topup.check" }

const (
	insertTopUp = `INSERT INTO topup (id, customer_id, system_id, method, amount_satang, state, reference, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, 'created', $6, $7, $8)`
	topUpColumns = `SELECT id, amount_satang, method, state, qr_url, authorize_url, reference, coalesce(charge_id, ''), failure, late, created_at, expires_at, captured_at, $2::timestamptz
		FROM topup WHERE id = $1 `
	topUpOfCustomer = topUpColumns + `AND customer_id = $3`
	await           = `UPDATE topup SET state = 'awaiting', charge_id = $2, qr_url = $3, authorize_url = $4 WHERE id = $1 AND state = 'created'`
	chargeOf        = `SELECT id, customer_id, system_id, method, amount_satang, state, coalesce(charge_id, ''), created_at, expires_at FROM topup WHERE id = $1`
	capture         = `UPDATE topup SET state = 'captured', captured_at = $2, late = (state = 'expired'), charge_id = $3
		WHERE id = $1 AND state <> 'captured' RETURNING customer_id, amount_satang, late`
	endTopUp = `UPDATE topup SET state = $2, failure = $3 WHERE id = $1 AND state IN ('created', 'awaiting') RETURNING customer_id`
)

// StartTopUp writes a top-up down, asks the gateway for a QR or a card payment, and returns what the phone shows. It
// returns ErrNoMethod, pay.ErrRefused or pay.ErrUnavailable; after the last, the same key tries again without a
// second charge.
func (s *Service) StartTopUp(ctx context.Context, who token.Session, key, returnTo string, in TopUpInput) (t TopUp, err error) {
	if in.Method == "card" && in.CardToken == "" {
		return t, fault.At("card_token", ErrCardToken)
	}

	var row charge
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		system, err := s.activeSystem(ctx, tx, in.Method)
		if err != nil {
			return err
		}
		id, replay, err := idem.Claim(ctx, tx, idem.Key{Actor: who.Subject, Operation: "wallet.topup", Value: key}, in, db.NewID())
		if err != nil {
			return err
		}
		if !replay {
			if err := customer.Admit(ctx, tx, who.Subject); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, insertTopUp, id, who.Subject, system, in.Method, in.Amount, reference(), tx.Now, tx.Now.Add(topUpLifetime))
			if err != nil {
				return fmt.Errorf("write a top-up down: %w", err)
			}
			if err := scheduleChecks(ctx, tx, id); err != nil {
				return err
			}
		}
		row, err = readCharge(ctx, tx, id)
		row.again = replay
		return err
	})
	if err != nil {
		return t, err
	}
	if row.state == "created" {
		if err := s.ask(ctx, who.Org, row, in.CardToken, returnTo); err != nil {
			return t, err
		}
	}
	return s.TopUp(ctx, who, row.id)
}

// checks is when the gateway is asked about a charge that no webhook has told about (trust-rules.md A5), and once at
// the end of its ten minutes.
var checks = []time.Duration{30 * time.Second, 2 * time.Minute, topUpLifetime + 2*time.Second, time.Hour, 24 * time.Hour}

func scheduleChecks(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	for _, after := range checks {
		if err := queue.PutAt(ctx, tx, tx.Now.Add(after), CheckJob{TopUp: id}); err != nil {
			return err
		}
	}
	return nil
}

// charge is a top-up as the gateway's side of it needs it.
type charge struct {
	id, customer, system uuid.UUID
	method, state        string
	amount               money.Amount
	chargeID             string
	created, expires     time.Time
	again                bool
}

func (c charge) order(org uuid.UUID) pay.Order {
	return pay.Order{ID: c.id, Organisation: org, Amount: c.amount, Description: "Wallet", Created: c.created, Expires: c.expires, Again: c.again}
}

func readCharge(ctx context.Context, tx db.Tx, id uuid.UUID) (c charge, err error) {
	err = tx.QueryRow(ctx, chargeOf, id).Scan(&c.id, &c.customer, &c.system, &c.method, &c.amount, &c.state, &c.chargeID, &c.created, &c.expires)
	if errors.Is(err, pgx.ErrNoRows) {
		return c, ErrTopUpMissing
	}
	return c, err
}

// ask makes the charge at the gateway, outside of any transaction, and keeps what it answered.
func (s *Service) ask(ctx context.Context, org uuid.UUID, row charge, cardToken, returnTo string) error {
	gateway, err := s.gateway(ctx, org, row.system)
	if err != nil {
		return err
	}
	order := row.order(org)
	var made pay.Charge
	if row.method == "card" {
		made, err = gateway.CreateCard(ctx, order, cardToken, returnTo)
	} else {
		made, err = gateway.CreateQR(ctx, order)
	}
	if errors.Is(err, pay.ErrRefused) {
		return errors.Join(err, s.end(ctx, org, row.id, "failed", "refused"))
	}
	if err != nil {
		return err
	}
	return s.keep(ctx, org, row.id, made)
}

// keep writes down which charge a top-up has, and acts on its state.
func (s *Service) keep(ctx context.Context, org, id uuid.UUID, made pay.Charge) error {
	err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, await, id, made.ID, made.QRImage, made.AuthorizeURL)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep charge %s of top-up %s: %w", made.ID, id, err)
	}
	return s.apply(ctx, org, id, made)
}

// TopUp is one of the customer's top-ups. It returns ErrTopUpMissing for anybody else's.
func (s *Service) TopUp(ctx context.Context, who token.Session, id uuid.UUID) (t TopUp, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, topUpOfCustomer, id, tx.Now, who.Subject)
		if err != nil {
			return err
		}
		t, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[TopUp])
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrTopUpMissing
		}
		if t.State == "awaiting" && t.Method == "promptpay" && !tx.Now.Before(t.ExpiresAt) {
			t.State = "expired"
		}
		return err
	})
	return t, err
}

// Check reads a top-up's charge back from the gateway and acts on what it says; the only way money comes in. It may
// run any number of times. An unanswered charge is found by its row's id.
func (s *Service) Check(ctx context.Context, org, id uuid.UUID) error {
	var row charge
	err := s.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
		row, err = readCharge(ctx, tx, id)
		return err
	})
	if err != nil {
		return err
	}
	if row.state == "captured" {
		return nil
	}
	gateway, err := s.gateway(ctx, org, row.system)
	if err != nil {
		return err
	}
	if row.chargeID == "" {
		return s.checkUnanswered(ctx, org, row, gateway)
	}
	found, err := gateway.Fetch(ctx, row.chargeID)
	if err != nil {
		return fmt.Errorf("read charge of top-up %s: %w", id, err)
	}
	return s.apply(ctx, org, id, found)
}

// checkUnanswered looks for a charge that the gateway made without our hearing of it: a card may have been charged.
func (s *Service) checkUnanswered(ctx context.Context, org uuid.UUID, row charge, gateway pay.Gateway) error {
	found, err := gateway.Find(ctx, row.order(org))
	switch {
	case err == nil:
		return s.keep(ctx, org, row.id, found)
	case !errors.Is(err, pay.ErrUnknownCharge) && !errors.Is(err, pay.ErrRefused):
		return fmt.Errorf("find the charge of top-up %s: %w", row.id, err)
	case s.db.Now().Before(row.expires):
		return nil
	}
	return s.end(ctx, org, row.id, "expired", "")
}

// apply acts on a charge that was read from the gateway itself. Paid wins over everything, whenever it comes; a charge
// of another sum, currency or row credits nothing.
func (s *Service) apply(ctx context.Context, org, id uuid.UUID, c pay.Charge) error {
	switch c.State {
	case pay.Paid:
		return s.capture(ctx, org, id, c)
	case pay.Failed, pay.Reversed:
		return s.end(ctx, org, id, "failed", c.Failure)
	case pay.Expired:
		return s.end(ctx, org, id, "expired", "")
	}
	var row charge
	err := s.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
		row, err = readCharge(ctx, tx, id)
		return err
	})
	if err != nil || s.db.Now().Before(row.expires) {
		return err
	}
	return s.end(ctx, org, id, "expired", "")
}

var captured = promauto.NewCounterVec(prometheus.CounterOpts{Name: "wlv_topups_captured_total", Help: "Top-ups whose money has come in."}, []string{"method"})

func (s *Service) capture(ctx context.Context, org, id uuid.UUID, c pay.Charge) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		row, err := readCharge(ctx, tx, id)
		if err != nil {
			return err
		}
		if c.Amount != row.amount || c.Currency != "THB" || c.Order != id || c.Organisation != org {
			log.From(ctx).Error("a paid charge does not match its top-up", zap.Stringer("topup", id), zap.String("charge", c.ID),
				zap.Int64("charged_satang", int64(c.Amount)), zap.Int64("asked_satang", int64(row.amount)))
			return nil
		}

		var customer uuid.UUID
		var amount money.Amount
		var late bool
		err = tx.QueryRow(ctx, capture, id, tx.Now, c.ID).Scan(&customer, &amount, &late)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // captured before
		}
		if err != nil {
			return fmt.Errorf("capture top-up %s: %w", id, err)
		}
		err = Transfer(ctx, tx, Cause{Kind: "topup", ID: id, MemoTH: "เติมเงิน", MemoEN: "Top-up"},
			Posting{Debit: House(Gateway), Credit: Of(Wallet, customer), Amount: amount})
		if err != nil {
			return err
		}
		tx.AfterCommit(func(context.Context) { captured.WithLabelValues(row.method).Inc() })
		balance, err := Balance(ctx, tx, customer)
		if err != nil {
			return err
		}
		if err := notice.Send(ctx, tx, token.User, customer, notice.Print{Topic: "wallet", Balance: &balance}); err != nil {
			return err
		}
		return notice.Send(ctx, tx, token.User, customer, notice.Print{Topic: "topup", ID: &id, State: "captured", Late: late})
	})
}

// end closes a top-up that is still open; one that is captured stays so.
func (s *Service) end(ctx context.Context, org, id uuid.UUID, state, failure string) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		var customer uuid.UUID
		err := tx.QueryRow(ctx, endTopUp, id, state, failure).Scan(&customer)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("end top-up %s: %w", id, err)
		}
		return notice.Send(ctx, tx, token.User, customer, notice.Print{Topic: "topup", ID: &id, State: state})
	})
}
