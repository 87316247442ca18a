package wallet_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// statements is an organisation where money moves at any time.
type statements struct {
	*tenanttest.World
	*wallet.Service
	t *testing.T
}

func newStatements(t *testing.T) *statements {
	t.Helper()
	w := tenanttest.New(t)
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return &statements{w, wallet.New(w.DB, nil, onetime.NewLinks(client)), t}
}

// move moves amounts into a wallet, or out of it below zero, in one transfer at a time.
func (s *statements) move(who token.Session, at time.Time, titles [2]string, amounts ...money.Amount) error {
	id, all := db.NewID(), money.Amount(0)
	account, other := ledger.AccountOf(ledger.Wallet, who.Subject), ledger.SystemAccount(ledger.Adjustment)
	var postings []ledger.Posting
	for _, amount := range amounts {
		if all += max(amount, -amount); amount < 0 {
			postings = append(postings, ledger.Posting{Debit: account, Credit: other, Amount: -amount})
			continue
		}
		postings = append(postings, ledger.Posting{Debit: other, Credit: account, Amount: amount})
	}
	return s.DB.InOrg(context.Background(), s.Org, func(tx db.Tx) error {
		tx.Now = at.UTC().Truncate(time.Microsecond)
		tx.Queue(`INSERT INTO adjustment (id, amount_satang, reason, asked_by, approved_by, at) VALUES ($1, $2, 'fixture', $1, $3, $4)`, id, all, db.NewID(), tx.Now)
		return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "adjustment", ID: id, MemoTH: titles[0], MemoEN: titles[1]}, postings...))
	})
}

func (s *statements) mustMove(who token.Session, at time.Time, amounts ...money.Amount) {
	s.t.Helper()
	require.NoError(s.t, s.move(who, at, [2]string{"ปรับปรุง", "Adjustment"}, amounts...))
}

// month reads all pages of a month.
func (s *statements) month(who token.Session, month string, limit int) wallet.Statement {
	s.t.Helper()
	all, err := s.Statement(s.t.Context(), who, wallet.StatementInput{Month: month, Limit: limit})
	require.NoError(s.t, err)
	for next := all.Next; next != nil; {
		page, err := s.Statement(s.t.Context(), who, wallet.StatementInput{Month: month, Limit: limit, After: next})
		require.NoError(s.t, err)
		require.Equal(s.t, figuresOf(all), figuresOf(page))
		all.Data, next = append(all.Data, page.Data...), page.Next
	}
	all.Next = nil
	return all
}

func figuresOf(s wallet.Statement) [4]money.Amount {
	return [4]money.Amount{s.Opening, s.In, s.Out, s.Closing}
}

// before is what the ledger says that a wallet held of all that moved before a time.
func (s *statements) before(who token.Session, at time.Time) (sum money.Amount) {
	s.t.Helper()
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT coalesce(sum(CASE WHEN e.credit_id = $1 THEN e.amount_satang ELSE -e.amount_satang END), 0)::bigint
			FROM entry e JOIN transfer t ON t.id = e.transfer_id WHERE $1 IN (e.credit_id, e.debit_id) AND t.at < $2`,
			ledger.AccountOf(ledger.Wallet, who.Subject).ID(tx.Key), at).Scan(&sum)
	})
	return sum
}

// monthsAgo is the first moment of a month in Bangkok.
func (s *statements) monthsAgo(n int) time.Time {
	day := clock.Day(s.Clock.Now())
	return clock.Start(day.AddDate(0, -n, 1-day.Day()))
}

func nameOf(month time.Time) string { return month.In(clock.Bangkok).Format("2006-01") }

func TestStatement(t *testing.T) {
	t.Run("a month begins at midnight in Bangkok, whatever was written first", func(t *testing.T) {
		s := newStatements(t)
		ann := s.Customer(0)
		last, this := s.monthsAgo(2), s.monthsAgo(1)
		s.mustMove(ann, last.Add(-time.Microsecond), 1_00)
		s.mustMove(ann, last, 20_00)
		s.mustMove(ann, this.Add(-2*time.Second), 300_00)
		s.mustMove(ann, this.Add(time.Second), -50_00)
		s.mustMove(ann, this.Add(-time.Microsecond), -7_00) // it began earlier and got the wallet later
		s.mustMove(ann, this, 4000_00)

		require.Equal(t, [4]money.Amount{0, 1_00, 0, 1_00}, figuresOf(s.month(ann, nameOf(s.monthsAgo(3)), 10)))
		october := s.month(ann, nameOf(last), 10)
		require.Equal(t, [4]money.Amount{1_00, 320_00, 7_00, 314_00}, figuresOf(october))
		require.Len(t, october.Data, 3)
		november := s.month(ann, nameOf(this), 10)
		require.Equal(t, [4]money.Amount{314_00, 4000_00, 50_00, 4264_00}, figuresOf(november))
		require.Len(t, november.Data, 2)
		require.Equal(t, money.Amount(4000_00), november.Data[0].Amount)
		require.Equal(t, []string{nameOf(s.monthsAgo(0)), nameOf(this), nameOf(last), nameOf(s.monthsAgo(3))}, november.Months)

		now := s.month(ann, "", 10)
		require.Equal(t, nameOf(s.monthsAgo(0)), now.Month)
		require.Equal(t, [4]money.Amount{4264_00, 0, 0, 4264_00}, figuresOf(now))
		require.Empty(t, now.Data)
		require.Equal(t, [4]money.Amount{}, figuresOf(s.month(ann, nameOf(s.monthsAgo(9)), 10)), "before anything moved")
		s.MustBalance()
	})

	t.Run("opening, in and out make closing, as the ledger has it, over movements of any order", func(t *testing.T) {
		s := newStatements(t)
		ann, bob := s.Customer(0), s.Customer(0)
		dice := rand.New(rand.NewPCG(7, 11))
		end := s.monthsAgo(0)
		atOnce := sync.OnceFunc(func() {
			var all sync.WaitGroup
			for i := range 24 {
				all.Go(func() {
					amount := money.Amount(1+i) * 100 * money.Amount(1-i%2*2)
					if err := s.move(ann, end.Add(time.Duration(i-12)*time.Millisecond), [2]string{}, amount); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		})
		at := s.monthsAgo(5).Add(10 * 24 * time.Hour)
		for balance := money.Amount(0); at.Before(s.Clock.Now().Add(-time.Hour)); at = at.Add(time.Duration(dice.IntN(36*3600)) * time.Second) {
			amounts := []money.Amount{money.Amount(1 + dice.IntN(500_00))}
			if taken := money.Amount(1 + dice.IntN(400_00)); balance > 2*taken {
				amounts = [][]money.Amount{{-taken}, {-taken, -taken}, {-taken, taken}, {-taken, 2 * taken}}[dice.IntN(4)]
			}
			if at.After(end) {
				atOnce()
			}
			began := at.Add(-time.Duration(dice.IntN(7200)) * time.Second) // and waited for the wallet
			s.mustMove([]token.Session{ann, ann, ann, bob}[dice.IntN(4)], began, max(amounts[0], -amounts[0]))
			s.mustMove(ann, began, amounts...)
			balance = s.World.Balance(ann)
		}
		s.MustBalance()

		for _, who := range []token.Session{ann, bob} {
			var seen, listed []wallet.Movement
			months := s.month(who, "", 50).Months
			require.Len(t, months, 6)
			for i, name := range months {
				month := s.month(who, name, 7)
				require.Equal(t, name, month.Month)
				require.Equal(t, s.before(who, s.monthsAgo(i)), month.Opening, name)
				require.Equal(t, s.before(who, s.monthsAgo(i-1)), month.Closing, name)
				require.Equal(t, month.Closing, month.Opening+month.In-month.Out, name)
				in, out := money.Amount(0), money.Amount(0)
				for _, m := range month.Data {
					require.Equal(t, name, nameOf(m.At))
					in, out = in+max(m.Amount, 0), out+max(-m.Amount, 0)
				}
				require.Equal(t, [2]money.Amount{in, out}, [2]money.Amount{month.In, month.Out}, name)
				seen = append(seen, month.Data...)
			}
			require.Equal(t, s.World.Balance(who), s.month(who, "", 50).Closing)
			for page := (wallet.Page{}); ; {
				var err error
				page, err = s.Movements(t.Context(), who, 40, page.Next)
				require.NoError(t, err)
				if listed = append(listed, page.Data...); page.Next == nil {
					break
				}
			}
			byID := func(a, b wallet.Movement) int { return strings.Compare(b.ID.String(), a.ID.String()) }
			slices.SortFunc(seen, byID)
			require.Equal(t, listed, seen, "each movement is in one month, as the list of all has it")
		}
	})

	t.Run("an empty wallet has this month and nothing else", func(t *testing.T) {
		s := newStatements(t)
		month := s.month(s.Customer(0), "", 10)
		require.Equal(t, wallet.Statement{Month: nameOf(s.Clock.Now()), Months: []string{nameOf(s.Clock.Now())}, Page: wallet.Page{Data: []wallet.Movement{}}}, month)
	})

	t.Run("nobody sees another one's wallet", func(t *testing.T) {
		s := newStatements(t)
		ann, bob := s.Customer(500_00), s.Customer(0)
		own := s.month(ann, "", 10)
		require.Len(t, own.Data, 1)
		page, err := s.Statement(t.Context(), bob, wallet.StatementInput{After: &own.Data[0].ID})
		require.NoError(t, err)
		require.Empty(t, page.Data)
		require.Equal(t, [4]money.Amount{}, figuresOf(page))
	})

	t.Run("a month that is none, or has not begun, is refused", func(t *testing.T) {
		s := newStatements(t)
		for _, month := range []string{"2026-13", "2026-00", "2026", "x", nameOf(s.monthsAgo(-1)), "9999-12"} {
			_, err := s.Statement(t.Context(), s.Customer(0), wallet.StatementInput{Month: month})
			require.Equal(t, fault.At("month", fault.NotInList), err, month)
		}
	})

	t.Run("a debt is paid from what comes in", func(t *testing.T) {
		w := tenanttest.New(t)
		system := w.AddPaymentSystem()
		ann := w.Customer(0)
		topUp := func(amount money.Amount) charge.Charge {
			c, err := w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", byQR(amount))
			require.NoError(t, err)
			w.PayAtGateway(c.ID)
			return c
		}
		first := topUp(500_00)
		w.MustRedeem(ann, w.MustBuy(ann, w.Package(tenanttest.Package{Price: 450_00})).ID, 1, w.Staff(), w.ServicePoint())
		name := w.Pay.SetCharge(first.ID, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, c.Amount })
		require.NoError(t, w.Charge.HandleGatewayEvent(t.Context(), w.Org, charge.GatewayEventJob{System: system, GatewayID: name}))
		topUp(600_00)
		w.MustBalance()

		month, err := w.Wallet.Statement(t.Context(), ann, wallet.StatementInput{})
		require.NoError(t, err)
		require.Equal(t, [4]money.Amount{0, 1100_00, 950_00, 150_00}, figuresOf(month))
		kinds := map[string]money.Amount{}
		for _, m := range month.Data {
			kinds[m.Kind] += m.Amount
		}
		require.Equal(t, map[string]money.Amount{"topup": 1100_00, "purchase": -450_00, "chargeback": -50_00, "debt": -450_00}, kinds)
		for _, m := range month.Data {
			if m.Kind == "chargeback" || m.Kind == "debt" {
				require.Equal(t, first.Reference, m.Number, m.Kind)
			}
		}
	})
}

// TestNumbers: a movement has the number of what explains it, in both lists.
func TestNumbers(t *testing.T) {
	w := tenanttest.New(t)
	ann := w.Customer(2000_00)
	self := catalog.RefundTerms{Rule: "self", Days: 7}
	bought := w.MustBuy(ann, w.Package(tenanttest.Package{Price: 100_00, Refunds: self}))
	var of uuid.UUID
	w.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT order_id FROM voucher WHERE id = $1`, bought.ID).Scan(&of)
	})
	made, err := w.Refund.RefundOwn(t.Context(), ann, tenanttest.Key(), refund.OwnInput{
		Choice: refund.Choice{Order: of, Parts: []refund.Part{{Voucher: bought.ID, Items: 1}}}, Method: refund.Wallet, Amount: 100_00,
	})
	require.NoError(t, err)
	over := w.MustBuy(ann, w.Package(tenanttest.Package{Price: 200_00, ToWallet: true}))
	w.Clock.Advance(91 * 24 * time.Hour)
	w.In(w.Voucher.ExpireVouchers)
	w.MustBalance()

	want := map[string]string{"refund": made.Number, "expiry": over.Code, "adjustment": ""}
	for month := range 4 {
		day := clock.Day(w.Clock.Now())
		in := wallet.StatementInput{Month: day.AddDate(0, -month, 1-day.Day()).Format("2006-01")}
		found, err := w.Wallet.Statement(t.Context(), ann, in)
		require.NoError(t, err)
		requireNumbers(t, want, found.Data)
	}
	page, err := w.Wallet.Movements(t.Context(), ann, 10, nil)
	require.NoError(t, err)
	require.Len(t, page.Data, 5)
	requireNumbers(t, want, page.Data)

	// Who gets the voucher after him has another code, which he does not see.
	w.Force(`UPDATE voucher SET holder_id = $2 WHERE id = $1`, over.ID, w.Customer(0).Subject)
	page, err = w.Wallet.Movements(t.Context(), ann, 1, nil)
	require.NoError(t, err)
	require.Equal(t, [2]string{"expiry", ""}, [2]string{page.Data[0].Kind, page.Data[0].Number})
}

func requireNumbers(t *testing.T, want map[string]string, list []wallet.Movement) {
	t.Helper()
	for _, m := range list {
		if number, known := want[m.Kind]; known {
			require.Equal(t, number, m.Number, m.Kind)
			continue
		}
		require.NotEmpty(t, m.Number, m.Kind)
	}
}

func TestStatementFile(t *testing.T) {
	t.Run("it has each movement between the balances, in a language, and no formula", func(t *testing.T) {
		s := newStatements(t)
		ann := s.Customer(0)
		last := s.monthsAgo(1)
		s.mustMove(ann, last.Add(-time.Hour), 1000_00)
		require.NoError(t, s.move(ann, last.Add(9*time.Hour+32*time.Minute), [2]string{"นวด, \"60\" นาที", "=HYPERLINK(1)"}, -490_00, -10_50))
		s.mustMove(ann, last.Add(33*time.Hour), 1_234_567_89)
		month := nameOf(last)
		day := func(d int, at string) string {
			return last.AddDate(0, 0, d).In(clock.Bangkok).Format("02/01/2006") + " " + at
		}

		file, err := s.StatementFile(t.Context(), ann, wallet.FileInput{Month: month, Lang: "th"})
		require.NoError(t, err)
		require.Equal(t, "wallet-"+month+".csv", file.Name)
		require.Equal(t, "\ufeff"+strings.Join([]string{
			"เวลา,รายการ,เลขที่,เงินเข้า,เงินออก,ยอดคงเหลือ",
			",ยอดยกมา,,,,1000.00",
			day(0, "09:32") + `,"นวด, ""60"" นาที",,,500.50,499.50`,
			day(1, "09:00") + ",ปรับปรุง,,1234567.89,,1235067.39",
			",ยอดคงเหลือ,,1234567.89,500.50,1235067.39",
		}, "\r\n")+"\r\n", file.Text)

		file, err = s.StatementFile(t.Context(), ann, wallet.FileInput{Month: month, Lang: "en"})
		require.NoError(t, err)
		require.Equal(t, "\ufeff"+strings.Join([]string{
			"Time,Movement,Number,Money in,Money out,Balance",
			",Opening balance,,,,1000.00",
			day(0, "09:32") + ",'=HYPERLINK(1),,,500.50,499.50",
			day(1, "09:00") + ",Adjustment,,1234567.89,,1235067.39",
			",Closing balance,,1234567.89,500.50,1235067.39",
		}, "\r\n")+"\r\n", file.Text)

		_, err = s.StatementFile(t.Context(), ann, wallet.FileInput{Month: nameOf(s.monthsAgo(-1)), Lang: "th"})
		require.Equal(t, fault.At("month", fault.NotInList), err)
	})

	t.Run("a link opens it once, for anybody of the organisation's host", func(t *testing.T) {
		s := newStatements(t)
		ann := s.Customer(500_00)
		in := wallet.FileInput{Month: nameOf(s.Clock.Now()), Lang: "th"}
		made, err := s.LinkFile(t.Context(), ann, in)
		require.NoError(t, err)
		require.WithinDuration(t, s.Clock.Now().Add(10*time.Minute), made.ExpiresAt, time.Minute)

		_, err = s.OpenFile(t.Context(), token.Session{Audience: token.Client, Org: uuid.New()}, onetime.OpenInput{Secret: made.Secret})
		require.ErrorIs(t, err, onetime.ErrOver, "another organisation's host opens nothing")
		visitor := token.Session{Audience: token.Client, Org: s.Org}
		opened, err := s.OpenFile(t.Context(), visitor, onetime.OpenInput{Secret: made.Secret})
		require.NoError(t, err)
		own, err := s.StatementFile(t.Context(), ann, in)
		require.NoError(t, err)
		require.Equal(t, own, opened)
		_, err = s.OpenFile(t.Context(), visitor, onetime.OpenInput{Secret: made.Secret})
		require.ErrorIs(t, err, onetime.ErrOver)

		_, err = s.OpenFile(t.Context(), visitor, onetime.OpenInput{})
		require.ErrorIs(t, err, onetime.ErrOver, "a page that is loaded again has no secret")
		made, err = s.LinkFile(t.Context(), ann, in)
		require.NoError(t, err)
		s.Force(`UPDATE customer SET erased_at = now(), status = 9 WHERE id = $1`, ann.Subject)
		_, err = s.OpenFile(t.Context(), visitor, onetime.OpenInput{Secret: made.Secret})
		require.ErrorIs(t, err, onetime.ErrOver, "she has deleted her account")

		_, err = s.LinkFile(t.Context(), ann, wallet.FileInput{Month: "2026-13", Lang: "th"})
		require.Equal(t, fault.At("month", fault.NotInList), err)
	})

	t.Run("a month of too many movements has none, and is read in pages", func(t *testing.T) {
		s := newStatements(t)
		ann := s.Customer(1_00)
		at := s.monthsAgo(1).Add(time.Hour)
		fill := func(n int) { // before what she began with, also by their ids, which no test's clock moves
			s.Force(`WITH added AS (INSERT INTO transfer (id, kind, cause_id, day, at)
					SELECT uuidv7(k * interval '1 millisecond' - interval '1 day'), 'adjustment', uuidv7(), ($3::timestamptz AT TIME ZONE 'Asia/Bangkok')::date, $3 FROM generate_series(1, $4::int) k RETURNING id),
				posted AS (INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang, credit_after_satang) SELECT id, id, $1, $2, 1, 1 FROM added)
				UPDATE wallet SET balance_satang = balance_satang + $4::int WHERE account_id = $2`,
				ledger.SystemAccount(ledger.Adjustment).ID(s.Key), ledger.AccountOf(ledger.Wallet, ann.Subject).ID(s.Key), at, n)
			s.Force(`ANALYZE transfer, entry`) // a plan without statistics can take longer than a statement may
		}
		fill(10_000)
		in := wallet.FileInput{Month: nameOf(at), Lang: "th"}
		file, err := s.StatementFile(t.Context(), ann, in)
		require.NoError(t, err)
		require.Equal(t, 10_003, strings.Count(file.Text, "\r\n"))
		fill(1)
		_, err = s.StatementFile(t.Context(), ann, in)
		require.ErrorIs(t, err, wallet.ErrTooLong)
		_, err = s.LinkFile(t.Context(), ann, in)
		require.ErrorIs(t, err, wallet.ErrTooLong)
		page, err := s.Statement(t.Context(), ann, wallet.StatementInput{Month: in.Month})
		require.NoError(t, err)
		require.Equal(t, money.Amount(10_001), page.In)
		require.Len(t, page.Data, 100)
		require.NotNil(t, page.Next)
	})
}
