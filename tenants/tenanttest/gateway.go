package tenanttest

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/charge"
)

// Gateway is a payment system in memory: charges are made, and wait for a test to pay them. The emulator in tools speaks
// the real protocol; this one lets a test choose the moment.
type Gateway struct {
	mu      sync.Mutex
	charges []*payment.Charge

	Made           int             // charges that were made
	Slow           time.Duration   // how long making one takes
	LosesAnswers   bool            // it makes the charge, or the refund, and does not answer
	Refuse         bool            // it makes none
	RefusesRefunds bool            // it sends nothing back
	Sent           []payment.Event // sent to webhooks
	Down           error           // what it answers to every question
}

var _ payment.Gateway = (*Gateway)(nil)

// CreateQR makes a charge that waits.
func (g *Gateway) CreateQR(_ context.Context, o payment.ChargeRequest) (payment.Charge, error) {
	return g.create(o, "", "")
}

// CreateCard makes a charge that waits for the bank's page.
func (g *Gateway) CreateCard(_ context.Context, o payment.ChargeRequest, _, _ string) (payment.Charge, error) {
	return g.create(o, "https://bank.test/", "4242")
}

func (g *Gateway) create(o payment.ChargeRequest, authorize, digits string) (payment.Charge, error) {
	time.Sleep(g.Slow)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Refuse {
		return payment.Charge{}, payment.ErrRefused
	}
	if found := g.of(o.ID); found != nil && o.Retry {
		return *found, nil
	}
	g.Made++
	c := &payment.Charge{
		ID: "chrg_" + uuid.NewString(), State: payment.Pending, Amount: o.Amount, Currency: "THB", RequestID: o.ID,
		Organisation: o.Organisation, QRImage: "https://qr.test/", AuthorizeURL: authorize, Expires: o.Expires, CardDigits: digits,
	}
	g.charges = append(g.charges, c)
	if g.LosesAnswers {
		return payment.Charge{}, payment.ErrUnavailable
	}
	return *c, nil
}

func (g *Gateway) of(order uuid.UUID) *payment.Charge {
	for _, c := range g.charges {
		if c.RequestID == order {
			return c
		}
	}
	return nil
}

// Find looks for an order's charge.
func (g *Gateway) Find(_ context.Context, o payment.ChargeRequest) (payment.Charge, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Down != nil {
		return payment.Charge{}, g.Down
	}
	if found := g.of(o.ID); found != nil {
		return *found, nil
	}
	return payment.Charge{}, payment.ErrUnknownCharge
}

// Fetch reads a charge.
func (g *Gateway) Fetch(_ context.Context, id string) (payment.Charge, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Down != nil {
		return payment.Charge{}, g.Down
	}
	for _, c := range g.charges {
		if c.ID == id {
			return *c, nil
		}
	}
	return payment.Charge{}, payment.ErrUnknownCharge
}

// Refund sends money of a paid charge back.
func (g *Gateway) Refund(_ context.Context, o payment.RefundRequest) (payment.Refund, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Down != nil {
		return payment.Refund{}, g.Down
	}
	i := slices.IndexFunc(g.charges, func(c *payment.Charge) bool { return c.ID == o.ChargeID })
	if i < 0 {
		return payment.Refund{}, payment.ErrRefused
	}
	c := g.charges[i]
	if made := slices.IndexFunc(c.Refunds, func(r payment.Refund) bool { return r.RequestID == o.ID }); made >= 0 && o.Retry {
		return c.Refunds[made], nil
	}
	if g.RefusesRefunds || c.State != payment.Paid || c.Refunded+o.Amount > c.Amount || c.Dispute == payment.DisputeOpen {
		return payment.Refund{}, payment.ErrRefused
	}
	made := payment.Refund{ID: "rfnd_" + uuid.NewString(), Amount: o.Amount, RequestID: o.ID}
	c.Refunded, c.Refunds = c.Refunded+o.Amount, append(slices.Clone(c.Refunds), made)
	if g.LosesAnswers {
		return payment.Refund{}, payment.ErrUnavailable
	}
	return made, nil
}

// VerifyKeys believes every key.
func (g *Gateway) VerifyKeys(context.Context) error { return nil }

// Events returns Sent.
func (g *Gateway) Events(context.Context, time.Time) ([]payment.Event, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.Sent, g.Down
}

// VerifyWebhook believes nobody.
func (g *Gateway) VerifyWebhook(http.Header, []byte) (payment.Event, error) {
	return payment.Event{}, payment.ErrSignature
}

// SetCharge changes what the gateway says of an order's charge, and returns the gateway's name of it.
func (g *Gateway) SetCharge(order uuid.UUID, change func(*payment.Charge)) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.of(order)
	change(c)
	return c.ID
}

// Change changes what the gateway says of a charge of this name.
func (g *Gateway) Change(id string, change func(*payment.Charge)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.charges {
		if c.ID == id {
			change(c)
		}
	}
}

// DuplicateCharge makes a second charge for an order, as a gateway does that answers too late, and returns its name.
func (g *Gateway) DuplicateCharge(order uuid.UUID, change func(*payment.Charge)) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	twin := *g.of(order)
	twin.ID = "chrg_" + uuid.NewString()
	change(&twin)
	g.charges = append(g.charges, &twin)
	return twin.ID
}

// AddPaymentSystem lets the organisation be paid by PromptPay and card, and returns the payment system.
func (w *World) AddPaymentSystem() uuid.UUID {
	w.t.Helper()
	system := db.NewID()
	seal := func(column string) []byte {
		sealed, err := w.box.Seal(charge.KeyAAD(w.Key, column, system), []byte("key"))
		require.NoError(w.t, err)
		return sealed
	}
	w.exec(`INSERT INTO payment_system (id, kind, collector, name_th, name_en, secret_key, webhook_secret, methods, endpoint_id, status, created_at, updated_at)
		VALUES ($1, 'omise', 'organisation', 'ก', 'a', $2, $3, '{card,promptpay}', $4, 5, now(), now())`, system, seal("secret_key"), seal("webhook_secret"), system.String())
	return system
}

// PayAtGateway is where the gateway says that an order's charge is paid; the organisation learns of it when it asks.
func (w *World) PayAtGateway(order uuid.UUID) {
	w.t.Helper()
	w.Pay.SetCharge(order, func(c *payment.Charge) { c.State = payment.Paid })
	w.Check(order)
}

// Check asks the gateway what became of a charge, as the timetable does.
func (w *World) Check(order uuid.UUID) {
	w.t.Helper()
	require.NoError(w.t, w.Charge.Check(context.Background(), w.Org, order))
}

// Balances sums what all customers hold.
func (w *World) Balances() money.Amount {
	w.t.Helper()
	return money.Amount(w.Count(`SELECT coalesce(sum(balance_satang), 0) FROM wallet`))
}

func newBox(t require.TestingT) *secret.Box {
	box, err := secret.New(make([]byte, 32))
	require.NoError(t, err)
	return box
}
