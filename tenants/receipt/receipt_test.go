package receipt_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/receipt"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// sender keeps what it is given, and answers with err.
type sender struct {
	absent bool
	err    error
	sent   []mail.Message
}

func (s *sender) Ready() bool { return !s.absent }

func (s *sender) Send(_ context.Context, m mail.Message) error {
	s.sent = append(s.sent, m)
	return s.err
}

type world struct {
	*tenanttest.World
	*receipt.Service
	mail *sender
}

func newWorld(t *testing.T) *world {
	w := &world{World: tenanttest.New(t), mail: &sender{}}
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	w.Service = receipt.New(w.DB, org.NewDirectory(w.DB), onetime.NewLinks(client), w.mail, w.Box())
	return w
}

func TestOfCustomer(t *testing.T) {
	t.Run("a purchase has its lines, its discounts, its total in figures and words", func(t *testing.T) {
		w := newWorld(t)
		who := w.Customer(2000_00)
		w.In(func(ctx context.Context, tx db.Tx) error {
			return content.SaveContactDetails(ctx, tx, auditlog.Actor{Kind: token.Owner, ID: db.NewID()}, content.ContactDetails{LegalNameTH: "บริษัท เรือนละไม สปา จำกัด", AddressTH: "9/4 เชียงใหม่", TaxID: "0105536000313", Branch: "00000", Email: "hello@lamai.example"})
		})
		o, err := w.Order.Buy(t.Context(), who, tenanttest.Key(), w.Quote(who, w.Package(tenanttest.Package{Price: 490_00}), 2))
		require.NoError(t, err)

		r, err := w.OfCustomer(t.Context(), who, receipt.Of{Kind: receipt.Order, ID: o.ID})
		require.NoError(t, err)
		require.Equal(t, o.Number, r.Number)
		require.Equal(t, "บริษัท เรือนละไม สปา จำกัด", r.Seller.NameTH)
		require.NotEmpty(t, r.Seller.NameEN, "its brand, where it has no legal name in a language")
		require.Equal(t, "wallet", r.Method)
		require.Equal(t, o.Total, r.Total)
		require.Equal(t, "เก้าร้อยแปดสิบบาทถ้วน", r.Words)
		require.Len(t, r.Lines, 1)
		require.EqualValues(t, 2, r.Lines[0].Quantity)
		require.EqualValues(t, 980_00, r.Lines[0].Amount)
		require.True(t, r.Mail)
	})
}

// Every kind adds up, and is read by nobody but its customer.
func TestKinds(t *testing.T) {
	w := newWorld(t)
	who, stranger := w.Customer(5000_00), w.Customer(5000_00)
	for kind, id := range w.receipts(t, who, stranger) {
		t.Run(string(kind), func(t *testing.T) {
			of := receipt.Of{Kind: kind, ID: id}
			r, err := w.OfCustomer(t.Context(), who, of)
			require.NoError(t, err)
			require.NotEmpty(t, r.Number)
			require.NotEmpty(t, r.Customer)
			sum := r.Total
			for _, off := range r.Reductions {
				sum += off.Amount
			}
			for _, line := range r.Lines {
				sum -= line.Amount
			}
			if kind == receipt.Order || kind == receipt.Refund {
				require.Zero(t, sum, "lines less reductions are the total")
			}

			_, err = w.OfCustomer(t.Context(), stranger, of)
			require.ErrorIs(t, err, fault.Missing)
			_, err = w.MakeLink(t.Context(), stranger, of)
			require.ErrorIs(t, err, fault.Missing)
			_, err = w.Send(t.Context(), stranger, receipt.SendInput{Of: of, Email: "thief@example.org", Lang: "th"})
			require.ErrorIs(t, err, fault.Missing)
			_, err = w.OfCustomer(t.Context(), who, receipt.Of{Kind: kind, ID: uuid.New()})
			require.ErrorIs(t, err, fault.Missing)
			office, err := w.OfOrganisation(t.Context(), w.Owner(), of)
			require.NoError(t, err)
			require.Equal(t, r, office)
		})
	}
	_, err := w.OfCustomer(t.Context(), who, receipt.Of{Kind: "voucher", ID: uuid.New()})
	require.ErrorIs(t, err, fault.BadInput)
}

// TestRefundOfGift: who was given a voucher reads what he has of its refund, and not which order it was of.
func TestRefundOfGift(t *testing.T) {
	w := newWorld(t)
	who, friend := w.Customer(1000_00), w.Customer(0)
	o, err := w.Order.Buy(t.Context(), who, tenanttest.Key(), w.Quote(who, w.Package(refundable()), 1))
	require.NoError(t, err)
	g, err := w.Gift.Give(t.Context(), who, tenanttest.Key(), gift.Input{Voucher: o.Vouchers[0].ID, Items: 2, Card: "love"})
	require.NoError(t, err)
	_, err = w.Gift.Receive(t.Context(), friend, gift.Link{Ref: g.Ref})
	require.NoError(t, err)
	by := auditlog.Actor{Kind: token.Owner, ID: w.Owner().Subject}
	require.NoError(t, w.Refund.Void(t.Context(), w.Org, by, tenanttest.Key(), refund.VoidInput{ID: o.Vouchers[0].ID, Reason: "closed"}))
	var id uuid.UUID
	w.In(func(ctx context.Context, tx db.Tx) error { return tx.QueryRow(ctx, `SELECT id FROM refund`).Scan(&id) })

	of := receipt.Of{Kind: receipt.Refund, ID: id}
	r, err := w.OfCustomer(t.Context(), friend, of)
	require.NoError(t, err)
	require.EqualValues(t, 490_00, r.Total)
	require.Empty(t, r.Reference)
	require.NoError(t, w.Deliver(t.Context(), w.Org, w.send(t, friend, of, "en")))
	require.NotContains(t, w.mail.sent[0].Text+w.mail.sent[0].HTML, o.Number)
	_, err = w.OfCustomer(t.Context(), who, of)
	require.ErrorIs(t, err, fault.Missing, "it is not his any more")
	r, err = w.OfOrganisation(t.Context(), w.Owner(), of)
	require.NoError(t, err)
	require.Equal(t, o.Number, r.Reference)
}

// TestLateMoney: what came too late for its order went into the wallet, and has a receipt as a top-up.
func TestLateMoney(t *testing.T) {
	w := newWorld(t)
	w.AddPaymentSystem()
	who := w.Customer(0)
	o, err := w.Order.Pay(t.Context(), who, tenanttest.Key(), "", order.PayInput{
		BuyInput: w.Quote(who, w.Package(refundable()), 1), PaymentMethod: charge.PaymentMethod{Method: "promptpay"},
	})
	require.NoError(t, err)
	_, err = w.OfCustomer(t.Context(), who, receipt.Of{Kind: receipt.TopUp, ID: o.ID})
	require.ErrorIs(t, err, fault.Missing, "no money came yet")
	_, err = w.Order.Cancel(t.Context(), who, o.ID)
	require.NoError(t, err)
	w.PayAtGateway(o.ID)
	page, err := w.Wallet.Movements(t.Context(), who, 10, nil)
	require.NoError(t, err)
	require.Len(t, page.Data, 1)
	r, err := w.OfCustomer(t.Context(), who, receipt.Of{Kind: receipt.TopUp, ID: page.Data[0].CauseID})
	require.NoError(t, err)
	require.Equal(t, "topup", page.Data[0].Kind)
	require.Equal(t, page.Data[0].Amount, r.Total)
	require.NotEqual(t, o.Number, r.Number, "the order was not paid")
}

func TestLink(t *testing.T) {
	w := newWorld(t)
	who := w.Customer(1000_00)
	o, err := w.Order.Buy(t.Context(), who, tenanttest.Key(), w.Quote(who, w.Package(tenanttest.Package{Price: 490_00}), 1))
	require.NoError(t, err)
	of := receipt.Of{Kind: receipt.Order, ID: o.ID}
	made, err := w.MakeLink(t.Context(), who, of)
	require.NoError(t, err)
	require.WithinDuration(t, w.Clock.Now().Add(10*time.Minute), made.ExpiresAt, time.Minute)

	_, err = w.OpenLink(t.Context(), token.Session{Audience: token.Client, Org: uuid.New()}, onetime.OpenInput{Secret: made.Secret})
	require.ErrorIs(t, err, onetime.ErrOver, "another organisation's host opens nothing")
	visitor := token.Session{Audience: token.Client, Org: w.Org}
	r, err := w.OpenLink(t.Context(), visitor, onetime.OpenInput{Secret: made.Secret})
	require.NoError(t, err)
	require.Equal(t, of, r.Of)
	require.False(t, r.Mail, "who reads it may be anybody")
	_, err = w.OpenLink(t.Context(), visitor, onetime.OpenInput{Secret: made.Secret})
	require.ErrorIs(t, err, onetime.ErrOver)

	made, err = w.MakeLink(t.Context(), who, of)
	require.NoError(t, err)
	w.Force(`UPDATE customer SET erased_at = now(), status = 9 WHERE id = $1`, who.Subject)
	_, err = w.OpenLink(t.Context(), visitor, onetime.OpenInput{Secret: made.Secret})
	require.ErrorIs(t, err, onetime.ErrOver, "of who has deleted his account")
}

func TestSend(t *testing.T) {
	t.Run("a receipt goes to the address that its customer names, and nobody can read that in the queue", func(t *testing.T) {
		w := newWorld(t)
		who, job := w.asked(t)
		kept, err := json.Marshal(job)
		require.NoError(t, err)
		require.NotContains(t, string(kept), "nid")
		require.NotContains(t, string(kept), "example.org")

		require.NoError(t, w.Deliver(t.Context(), w.Org, job))
		require.Len(t, w.mail.sent, 1)
		m := w.mail.sent[0]
		require.Equal(t, "nid@example.org", m.To)
		require.Equal(t, job.Key, m.Key, "sent again, it has the same id")
		r, err := w.OfCustomer(t.Context(), who, job.Of)
		require.NoError(t, err)
		for _, content := range []string{m.Text, m.HTML} {
			require.Contains(t, content, r.Number)
			require.Contains(t, content, "490.00 บาท")
			require.Contains(t, content, "(สี่ร้อยเก้าสิบบาทถ้วน)")
			require.Contains(t, content, "ไม่ใช่ใบกำกับภาษี")
			require.NotContains(t, content, "<no value>")
		}
	})

	t.Run("nothing is sent to who has deleted his account since, and the shop keeps its receipt", func(t *testing.T) {
		w := newWorld(t)
		who, job := w.asked(t)
		w.Force(`UPDATE customer SET erased_at = now(), status = 9 WHERE id = $1`, who.Subject)
		require.NoError(t, w.Deliver(t.Context(), w.Org, job))
		require.Empty(t, w.mail.sent)
		_, err := w.OfOrganisation(t.Context(), w.Owner(), job.Of)
		require.NoError(t, err)
	})

	t.Run("a name is no markup", func(t *testing.T) {
		w := newWorld(t)
		_, job := w.asked(t)
		w.Force(`UPDATE order_line SET name_th = '<script>alert(1)</script>'`)
		require.NoError(t, w.Deliver(t.Context(), w.Org, job))
		require.NotContains(t, w.mail.sent[0].HTML, "<script>")
	})

	t.Run("what the server does not take now is tried for hours, what it never takes is not", func(t *testing.T) {
		w := newWorld(t)
		_, job := w.asked(t)
		w.mail.err = fmt.Errorf("status 451: %w", mail.ErrUnavailable)
		require.ErrorIs(t, w.Deliver(t.Context(), w.Org, job), mail.ErrUnavailable)
		w.Clock.Advance(13 * time.Hour)
		require.NoError(t, w.Deliver(t.Context(), w.Org, job))
		w.Clock.Advance(-13 * time.Hour)
		w.mail.err = fmt.Errorf("status 550: %w", mail.ErrRefused)
		require.NoError(t, w.Deliver(t.Context(), w.Org, job))
	})

	t.Run("an address that is none, and a platform without a mail server", func(t *testing.T) {
		w := newWorld(t)
		who, job := w.asked(t)
		_, err := w.Send(t.Context(), who, receipt.SendInput{Of: job.Of, Email: "nid@example", Lang: "th"})
		var invalid *fault.Fault
		require.ErrorAs(t, err, &invalid)
		require.Equal(t, mail.ErrAddress.Code, invalid.Fields[0].Fault)
		w.mail.absent = true
		_, err = w.Send(t.Context(), who, receipt.SendInput{Of: job.Of, Email: "nid@example.org", Lang: "th"})
		require.ErrorIs(t, err, receipt.ErrNoMail)
	})
}

// Each kind is written in both languages without a hole.
func TestMail(t *testing.T) {
	w := newWorld(t)
	who := w.Customer(5000_00)
	for kind, id := range w.receipts(t, who, w.Customer(5000_00)) {
		for _, lang := range []string{"th", "en"} {
			require.NoError(t, w.Deliver(t.Context(), w.Org, w.send(t, who, receipt.Of{Kind: kind, ID: id}, lang)))
			m := w.mail.sent[len(w.mail.sent)-1]
			require.NotContains(t, m.Text+m.HTML+m.Subject, "no value", "%s %s", kind, lang)
			require.NotContains(t, m.Text, "\n\n\n", "%s %s", kind, lang)
			require.NotContains(t, strings.TrimSpace(m.Subject), "  ")
		}
	}
}

// refundable is a package of two pieces for 490 baht, which its payer may have refunded for a tenth.
func refundable() tenanttest.Package {
	return tenanttest.Package{Price: 490_00, Items: 2, Transfers: 1, Refunds: catalog.RefundTerms{Rule: "self", Days: 7, FeeBasisPoints: 1000}}
}

// receipts returns a receipt of who's of each kind; he buys on the board what seller sells.
func (w *world) receipts(t *testing.T, who, seller token.Session) map[receipt.Kind]uuid.UUID {
	w.AddPaymentSystem()
	w.OpenBoard(500)
	w.VerifyMobile(seller)
	pkg := w.Package(refundable())
	o, err := w.Order.Buy(t.Context(), who, tenanttest.Key(), w.Quote(who, pkg, 2))
	require.NoError(t, err)

	options, err := w.Refund.Options(t.Context(), who, o.ID)
	require.NoError(t, err)
	first := options.Vouchers[0]
	made, err := w.Refund.RefundOwn(t.Context(), who, tenanttest.Key(), refund.OwnInput{
		Choice: refund.Choice{Order: o.ID, Parts: []refund.Part{{Voucher: first.Voucher, Items: 1}}}, Amount: first.Slices[0].Amount,
	})
	require.NoError(t, err)

	c, err := w.Wallet.StartTopUp(t.Context(), who, tenanttest.Key(), "", wallet.TopUpInput{Amount: 500_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.PayAtGateway(c.ID)

	offer, err := w.Board.Offer(t.Context(), seller, tenanttest.Key(), board.Input{Part: board.Part{Voucher: w.MustBuy(seller, pkg).ID, Items: 2}, Price: 300_00})
	require.NoError(t, err)
	_, err = w.Board.Buy(t.Context(), who, tenanttest.Key(), board.BuyInput{Offer: offer.ID, Accepted: []uuid.UUID{}, Lang: "th"})
	require.NoError(t, err)
	return map[receipt.Kind]uuid.UUID{receipt.Order: o.ID, receipt.Refund: made.ID, receipt.TopUp: c.ID, receipt.Resale: offer.ID}
}

// send asks for a receipt by e-mail and returns the job.
func (w *world) send(t *testing.T, who token.Session, of receipt.Of, lang string) (job receipt.SendJob) {
	to, err := w.Send(t.Context(), who, receipt.SendInput{Of: of, Email: "nid@example.org", Lang: lang})
	require.NoError(t, err)
	require.Equal(t, "n•••@example.org", to.To)
	w.In(func(ctx context.Context, tx db.Tx) error {
		var body []byte
		if err := tx.QueryRow(ctx, `SELECT payload->'job' FROM outbox WHERE kind = 'receipt.send' ORDER BY id DESC LIMIT 1`).Scan(&body); err != nil {
			return err
		}
		return json.Unmarshal(body, &job)
	})
	return job
}

// asked is somebody who asked for the receipt of a purchase by e-mail.
func (w *world) asked(t *testing.T) (token.Session, receipt.SendJob) {
	who := w.Customer(1000_00)
	o, err := w.Order.Buy(t.Context(), who, tenanttest.Key(), w.Quote(who, w.Package(tenanttest.Package{Price: 490_00}), 1))
	require.NoError(t, err)
	return who, w.send(t, who, receipt.Of{Kind: receipt.Order, ID: o.ID}, "th")
}
