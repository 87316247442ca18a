// Package charge is money asked of customers through payment gateways, and what becomes of it there. README.md beside this file
// lists what always holds.
package charge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
)

// Limits of one charge. A gateway's QR carries 1 to 150,000 baht.
const (
	MinAmount = 1 * money.Baht
	MaxAmount = 150_000 * money.Baht
	Lifetime  = 10 * time.Minute
)

// Faults of paying through a gateway.
var (
	ErrNotFound  = fault.New(fault.NotFound, "charge.not_found", "Order not found yet")
	ErrNoMethod  = fault.New(fault.Conflict, "charge.no_method", "This way to pay is not available here")
	ErrCardToken = fault.New(fault.Invalid, "charge.card_token", "please check the card")
)

// Handler decides about the row that a charge pays for, other than a top-up. Its functions act on the row of the charge's id, in the
// transaction that decides about the charge. Paid or Expired is called once.
type Handler struct {
	// Paid is called when the whole sum has come in time, and moves exactly that sum out of the gateway's account.
	Paid func(ctx context.Context, tx db.Tx, id uuid.UUID, gateway ledger.Account) error
	// Awaits reports whether what is paid for still waits for the money. If it does not, the money goes to the customer's wallet. It is nil
	// where everything waits as long as its charge does.
	Awaits func(ctx context.Context, tx db.Tx, id uuid.UUID) (bool, error)
	// Expired is called when no money came. What still comes goes to the customer's wallet.
	Expired func(ctx context.Context, tx db.Tx, id uuid.UUID) error
	// Returned returns the sum of the payment that has come back to the payer's wallet since, in satang: the worth of expired items, for one.
	Returned func(ctx context.Context, tx db.Tx, id, payer uuid.UUID) (money.Amount, error)
}

// Settle recomputes from the facts what a customer's charges owe, and changes what follows from it: vouchers that are taken back or frozen,
// the commissions of his orders, his debt. credited says that his wallet has just been credited: then the debt is paid from it. The caller
// has locked the customer. Settling again changes nothing.
type Settle func(ctx context.Context, tx db.Tx, customer uuid.UUID, credited bool) error

// SettleJob settles what a customer owes whose wallet was credited where he could not be locked first.
type SettleJob struct {
	Customer uuid.UUID `json:"customer_id"`
}

// Kind names the job.
func (SettleJob) Kind() string { return "refund.settle" }

// Purposes of the wallet's own: a top-up, and what was paid a second time for something that was paid already.
const (
	TopUp     = "topup"
	duplicate = "duplicate"
)

// Service asks gateways for money, and follows what they say of it.
type Service struct {
	db       *db.DB
	box      *secret.Box
	gateways GatewayConfig
	handlers map[string]Handler
	settle   Settle
}

// New returns the service. handlers are what charges pay for, by purpose, beside top-ups; settle settles what a customer owes.
func New(d *db.DB, box *secret.Box, gateways GatewayConfig, handlers map[string]Handler, settle Settle) *Service {
	return &Service{db: d, box: box, gateways: gateways, handlers: handlers, settle: settle}
}

// PaymentMethod is how a customer pays.
type PaymentMethod struct {
	Method    string `json:"method" enum:"promptpay,card"`
	CardToken string `json:"card_token,omitempty" maxLength:"100" doc:"Made by the vault in the browser; card numbers never come here"`
	Return    string `json:"return,omitempty" maxLength:"2000" doc:"A path of ours to come back to after 3-D Secure"`
}

// Check returns ErrCardToken for a card without one.
func (m PaymentMethod) Check() error {
	if m.Method == "card" && m.CardToken == "" {
		return fault.At("card_token", ErrCardToken)
	}
	return nil
}

// Charge is money on its way in. It has the id of what it pays for.
type Charge struct {
	ID           uuid.UUID    `json:"id"`
	Amount       money.Amount `json:"amount_satang"`
	Method       string       `json:"method" enum:"promptpay,card"`
	State        string       `json:"state" enum:"created,awaiting,captured,expired,failed"`
	QRImageURL   string       `json:"qr_image_url"`
	AuthorizeURL string       `json:"authorize_url" doc:"Where the browser confirms a card"`
	Reference    string       `json:"reference"`
	ChargeID     string       `json:"charge_id" doc:"The gateway's name of it"`
	Failure      string       `json:"failure"`
	Late         bool         `json:"late" doc:"It was paid after it was over; the money is in the wallet all the same"`
	Credited     bool         `json:"credited" doc:"The money went to the wallet"`
	Captured     money.Amount `json:"captured_satang" doc:"What came in; less than asked when the gateway had sent some back by then"`
	CreatedAt    time.Time    `json:"created_at"`
	ExpiresAt    time.Time    `json:"expires_at"`
	CapturedAt   *time.Time   `json:"captured_at"`
	ServerTime   time.Time    `json:"server_time"`
}

// CheckJob asks the gateway about a charge again; there is one per pending charge and moment of asking.
type CheckJob struct {
	Charge uuid.UUID `json:"charge"`
}

// Kind names the job.
func (CheckJob) Kind() string { return "charge.check" }

const (
	insertCharge = `INSERT INTO charge (id, customer_id, system_id, purpose, method, amount_satang, state, reference, created_at, expires_at, gateway)
		VALUES ($1, $2, $3, $4, $5, $6, 'created', $7, $8, $9, $10)`
	chargeColumns = `SELECT id, amount_satang, method, state, qr_url, authorize_url, reference, coalesce(gateway_id, ''), failure, late, credited, captured_satang,
		created_at, expires_at, captured_at, $2::timestamptz FROM charge WHERE id = $1 `
	chargeOfCustomer = chargeColumns + `AND customer_id = $3`
	chargeRow        = `SELECT id, customer_id, system_id, purpose, method, amount_satang, state, coalesce(gateway_id, ''), created_at, expires_at, attempts, captured_satang, credited, gateway
		FROM charge WHERE id = $1 `
	lockCharge = chargeRow + `FOR UPDATE`
	lockPayer  = `SELECT id, debt_satang FROM customer WHERE id = (SELECT coalesce(f.successor_id, c.customer_id) FROM charge c
		LEFT JOIN former_customer f ON f.customer_id = c.customer_id WHERE c.id = $1) FOR NO KEY UPDATE`
	payerNow  = `SELECT coalesce(f.successor_id, c.customer_id) FROM charge c LEFT JOIN former_customer f ON f.customer_id = c.customer_id WHERE c.id = $1`
	takeLease = `UPDATE charge SET leased_until = $2, attempts = attempts + 1
		WHERE id = $1 AND state = 'created' AND (leased_until IS NULL OR leased_until <= $3)`
	releaseLease = `UPDATE charge SET leased_until = NULL WHERE id = $1 AND attempts = $2`
	updateCharge = `UPDATE charge SET gateway_id = $2, qr_url = $3, authorize_url = $4, state = CASE state WHEN 'created' THEN 'awaiting' ELSE state END
		WHERE id = $1 AND gateway_id IS NULL`
)

// charge is a row as the gateway's side of it needs it.
type charge struct {
	id, customer, system   uuid.UUID
	purpose, method, state string
	amount                 money.Amount
	gatewayID              string
	created, expires       time.Time
	attempts               int
	captured               money.Amount
	credited               bool
	gateway                ledger.Kind  // of account, which its money is posted to
	payer                  uuid.UUID    // the row that the customer has now, himself or his successor, where lock has read it
	debt                   money.Amount // the payer's, where lock has read it
}

// request returns the charge as the gateway is asked for it. After a first try it may exist at the gateway already.
func (c charge) request(org uuid.UUID) payment.ChargeRequest {
	description := "Wallet"
	if c.purpose != TopUp {
		description = "Order"
	}
	return payment.ChargeRequest{ID: c.id, Organisation: org, Amount: c.amount, Description: description, Created: c.created, Expires: c.expires, Retry: c.attempts > 1}
}

// over reports whether the charge has ended without its money.
func (c charge) over() bool { return c.state == "expired" || c.state == "failed" }

func readCharge(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (c charge, err error) {
	err = tx.QueryRow(ctx, sql, id).Scan(&c.id, &c.customer, &c.system, &c.purpose, &c.method, &c.amount, &c.state, &c.gatewayID, &c.created, &c.expires, &c.attempts, &c.captured, &c.credited, &c.gateway)
	if errors.Is(err, pgx.ErrNoRows) {
		return c, ErrNotFound
	}
	if err != nil {
		return c, fmt.Errorf("read charge %s: %w", id, err)
	}
	c.payer = c.customer
	return c, nil
}

// lock locks a charge, and its payer before it, as every transaction that settles does. The payer is the row that the customer has now, also if
// he came again while the lock was waited for.
func lock(ctx context.Context, tx db.Tx, id uuid.UUID) (c charge, err error) {
	for {
		var payer, now uuid.UUID
		var debt money.Amount
		read := func(what string, into ...any) func(pgx.Row) error {
			return func(row pgx.Row) error {
				if err := row.Scan(into...); err != nil && !errors.Is(err, pgx.ErrNoRows) {
					return fmt.Errorf("%s of charge %s: %w", what, id, err)
				}
				return nil
			}
		}
		tx.Queue(lockPayer, id).QueryRow(read("lock the payer", &payer, &debt))
		tx.Queue(payerNow, id).QueryRow(read("the payer", &now))
		c, err = readCharge(ctx, tx, lockCharge, id)
		if err != nil || now == payer {
			c.payer, c.debt = payer, debt
			return c, err
		}
	}
}

// NewCharge is a charge that is not saved yet.
type NewCharge struct {
	ID       uuid.UUID // of what is paid for
	Customer uuid.UUID
	Purpose  string
	Method   string
	Amount   money.Amount
}

// Create saves a charge before the gateway is asked for it, and enqueues the checks of it. It returns ErrNoMethod if the organisation
// cannot be paid this way, also if its books are of real money and its keys for tests, or the reverse.
func (s *Service) Create(ctx context.Context, tx db.Tx, b NewCharge) error {
	var system uuid.UUID
	var collector payment.Collector
	var public string
	var live *bool
	err := tx.QueryRow(ctx, systemFor, b.Method).Scan(&system, &collector, &public, &live)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrNoMethod
	}
	if err != nil {
		return fmt.Errorf("payment system for %s: %w", b.Method, err)
	}
	held := s.heldBy(collector, public)
	if err := takes(ctx, tx, live, held); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, insertCharge, b.ID, b.Customer, system, b.Purpose, b.Method, b.Amount, reference(), tx.Now, tx.Now.Add(Lifetime), held)
	if err != nil {
		return fmt.Errorf("write charge %s down: %w", b.ID, err)
	}
	for _, after := range checks {
		if err := queue.EnqueueAt(ctx, tx, tx.Now.Add(after), CheckJob{Charge: b.ID}); err != nil {
			return err
		}
	}
	return nil
}

// takes returns ErrNoMethod unless the books take a charge that is posted to an account of that kind. The first one says what they are of.
func takes(ctx context.Context, tx db.Tx, live *bool, held ledger.Kind) error {
	fit := fits(live, held)
	if live == nil {
		tag, err := tx.Exec(ctx, beginBooks, held.Real())
		if err != nil {
			return fmt.Errorf("begin the books: %w", err)
		}
		fit = tag.RowsAffected() == 1
	}
	if !fit {
		log.From(ctx).Error("the books are of real money and the payment keys for tests, or the other way round", zap.String("held_by", string(held)))
		return ErrNoMethod
	}
	return nil
}

// checks is when the gateway is asked about a charge for which no webhook came, and once at
// the end of its ten minutes.
var checks = []time.Duration{30 * time.Second, 2 * time.Minute, Lifetime + 2*time.Second, time.Hour, lastCheck}

const lastCheck = 24 * time.Hour

// StillPayable is how long a charge may yet be paid, though its time is over: the gateway is asked about it for a day.
const StillPayable = lastCheck + time.Minute

// Of two calls with one key, one calls the gateway: its lease is longer than the slowest call takes. The other waits for at most leaseTimeout
// and looks every pollEvery.
const (
	leaseTime    = 30 * time.Second
	leaseTimeout = 12 * time.Second
	pollEvery    = 100 * time.Millisecond
)

// StartAtGateway asks the gateway for a charge that was begun, unless somebody has. It returns payment.ErrRefused, after which the
// charge is over, or payment.ErrUnavailable, after which the same call tries again without a second charge.
func (s *Service) StartAtGateway(ctx context.Context, org, id uuid.UUID, m PaymentMethod, returnTo string) error {
	for giveUp := time.Now().Add(leaseTimeout); ; {
		var row charge
		mine := false
		err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
			tag, err := tx.Exec(ctx, takeLease, id, tx.Now.Add(leaseTime), tx.Now)
			if err != nil {
				return fmt.Errorf("lease charge %s: %w", id, err)
			}
			mine = tag.RowsAffected() == 1
			row, err = readCharge(ctx, tx, chargeRow, id)
			return err
		})
		switch {
		case err != nil:
			return err
		case row.state != "created":
			return nil
		case mine:
			return s.createAtGateway(ctx, org, row, m, returnTo)
		case time.Now().After(giveUp):
			return payment.ErrUnavailable
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}

// createAtGateway makes the charge at the gateway, outside of any transaction, and keeps what it answered.
func (s *Service) createAtGateway(ctx context.Context, org uuid.UUID, row charge, m PaymentMethod, returnTo string) error {
	made, err := s.callGateway(ctx, org, row, m, returnTo)
	switch {
	case errors.Is(err, payment.ErrRefused) && row.attempts == 1: // later it may be the look for an earlier one that is refused
		return errors.Join(err, s.end(ctx, org, row.id, "failed", "refused"))
	case err != nil:
		return errors.Join(err, s.db.InOrg(context.WithoutCancel(ctx), org, func(tx db.Tx) error {
			_, err := tx.Exec(ctx, releaseLease, row.id, row.attempts)
			return err
		}))
	}
	return s.saveGatewayCharge(ctx, org, row.id, made)
}

func (s *Service) callGateway(ctx context.Context, org uuid.UUID, row charge, m PaymentMethod, returnTo string) (payment.Charge, error) {
	gateway, err := s.gateway(ctx, org, row.system)
	if err != nil {
		return payment.Charge{}, err
	}
	request := row.request(org)
	request.Webhook = gateway.hook
	if row.method == "card" {
		return gateway.CreateCard(ctx, request, m.CardToken, returnTo)
	}
	return gateway.CreateQR(ctx, request)
}

// saveGatewayCharge writes down what the gateway calls a charge, and acts on its state.
func (s *Service) saveGatewayCharge(ctx context.Context, org, id uuid.UUID, made payment.Charge) error {
	err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, updateCharge, id, made.ID, made.QRImage, made.AuthorizeURL)
		return err
	})
	if err != nil {
		return fmt.Errorf("save charge %s of %s: %w", made.ID, id, err)
	}
	return s.apply(ctx, org, id, made)
}

// Find is one of the customer's charges. It returns ErrNotFound for anybody else's.
func Find(ctx context.Context, tx db.Tx, customer, id uuid.UUID) (c Charge, err error) {
	rows, err := tx.Query(ctx, chargeOfCustomer, id, tx.Now, customer)
	if err != nil {
		return c, fmt.Errorf("read charge %s: %w", id, err)
	}
	c, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Charge])
	if errors.Is(err, pgx.ErrNoRows) {
		return c, ErrNotFound
	}
	if c.State == "awaiting" && c.Method == "promptpay" && !tx.Now.Before(c.ExpiresAt) {
		c.State = "expired"
	}
	return c, err
}

// Find is one of the customer's charges, whatever it is for.
func (s *Service) Find(ctx context.Context, who token.Session, id uuid.UUID) (c Charge, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		c, err = Find(ctx, tx, who.Subject, id)
		return err
	})
	return c, err
}

// GatewayEventJob reads a charge for which a payment system's webhook came, known to us or not yet.
type GatewayEventJob struct {
	System    uuid.UUID `json:"system"`
	GatewayID string    `json:"gateway_id"`
}

// Kind names the job.
func (GatewayEventJob) Kind() string { return "charge.heard" }

// HandleGatewayEvent reads a charge for which a webhook came from the gateway and acts on what that says. The charge names our row
// itself, so it does not matter whether the answer to its making has arrived.
func (s *Service) HandleGatewayEvent(ctx context.Context, org uuid.UUID, job GatewayEventJob) error {
	gateway, err := s.gateway(ctx, org, job.System)
	if err != nil {
		return err
	}
	found, err := gateway.Fetch(ctx, job.GatewayID)
	if errors.Is(err, payment.ErrUnknownCharge) {
		log.From(ctx).Warn("a webhook told about a charge that the gateway does not know", zap.String("charge", job.GatewayID))
		return nil
	}
	if err != nil {
		return fmt.Errorf("read charge %s: %w", job.GatewayID, err)
	}
	if found.Organisation != org { // the platform's account has charges of all of them, and signs alike for all
		log.From(ctx).Warn("a webhook told about a charge that is not this organisation's", zap.String("charge", found.ID))
		return nil
	}

	var row charge
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		row, err = readCharge(ctx, tx, chargeRow, found.RequestID)
		return err
	})
	switch {
	case errors.Is(err, ErrNotFound):
		return nil // the account is used for something else as well
	case err != nil:
		return err
	case row.system != job.System:
		log.From(ctx).Error("a charge names a row of another payment system", zap.Stringer("row", row.id), zap.String("charge", found.ID))
		return nil
	case row.gatewayID != "" && row.gatewayID != found.ID && found.State != payment.Paid && found.State != payment.Reversed:
		return nil // another attempt that nobody paid says nothing about the row
	}
	return s.saveGatewayCharge(ctx, org, row.id, found)
}

// Check reads a charge back from the gateway and acts on what it says: the only way money comes in. It may run any
// number of times. A charge that was never answered is found by its row's id. One that is gone was made with test keys and is void.
func (s *Service) Check(ctx context.Context, org, id uuid.UUID) error {
	var row charge
	err := s.db.InOrg(ctx, org, func(tx db.Tx) (err error) {
		row, err = readCharge(ctx, tx, chargeRow, id)
		return err
	})
	if errors.Is(err, ErrNotFound) {
		log.From(ctx).Info("a charge to be checked is not in the books any more", zap.Stringer("charge", id))
		return nil
	}
	if err != nil || row.state == "captured" {
		return err
	}
	gateway, err := s.gateway(ctx, org, row.system)
	if err != nil {
		return err
	}
	if row.gatewayID == "" {
		return s.checkUnanswered(ctx, org, row, gateway)
	}
	found, err := gateway.Fetch(ctx, row.gatewayID)
	if err != nil {
		return s.giveUp(ctx, org, row, fmt.Errorf("read charge %s: %w", id, err))
	}
	return s.apply(ctx, org, id, found)
}

// checkUnanswered looks for a charge that the gateway made without an answer to us: a card may have been charged.
func (s *Service) checkUnanswered(ctx context.Context, org uuid.UUID, row charge, gateway gatewayClient) error {
	found, err := gateway.Find(ctx, row.request(org))
	switch {
	case err == nil:
		return s.saveGatewayCharge(ctx, org, row.id, found)
	case !errors.Is(err, payment.ErrUnknownCharge):
		return s.giveUp(ctx, org, row, fmt.Errorf("find charge %s: %w", row.id, err))
	case s.db.Now().Before(row.expires):
		return nil
	}
	return s.end(ctx, org, row.id, "expired", "")
}

// giveUp keeps a charge open while the gateway does not say what became of it, for a day: money may be on its way, and
// stock waits for it.
func (s *Service) giveUp(ctx context.Context, org uuid.UUID, row charge, why error) error {
	if s.db.Now().Before(row.created.Add(lastCheck)) {
		return why
	}
	log.From(ctx).Error("the gateway did not say for a day what became of a charge", zap.Stringer("charge", row.id), zap.Error(why))
	return s.end(ctx, org, row.id, "expired", "unknown")
}
