package chaos

import (
	"context"
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/token"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// Scanners at the service points of one organisation. Each voucher's codes are held up to as many of them at the same moment.
const (
	scanners      = 50
	good          = 3        // of a voucher's codes: two of its QRs, and the code that is typed
	codesOfOne    = good + 2 // and two that are refused
	vouchersRound = 500
)

// TestScan: every voucher is used once, however many scanners see its code at once, and no old or foreign code is taken.
func TestScan(t *testing.T) {
	t.Parallel()
	for scans := begin(t, "scan", vouchersRound); scans.more(); {
		scans.round(func(t *testing.T, part *result) {
			w, other := tenanttest.New(t), tenanttest.New(t)
			f := &fair{pair: twice(w), servicePoint: w.ServicePoint(), elsewhere: other.Org}
			dice := rand.New(rand.NewPCG(part.Seed, 1))
			uses := f.open()

			held := make(chan []code)
			var waiting sync.WaitGroup
			for range scanners / codesOfOne {
				team := make([]token.Session, codesOfOne)
				for i := range team {
					team[i] = w.Staff()
				}
				waiting.Go(func() {
					for codes := range held {
						f.hold(team, codes)
					}
				})
			}
			for _, use := range uses {
				held <- f.show(use, dice)
			}
			close(held)
			waiting.Wait()

			require.NoError(t, errors.Join(f.wrong...))
			require.EqualValues(t, vouchersRound, f.used.Load())
			require.EqualValues(t, vouchersRound*(good-1), f.late.Load(), "whoever saw a good code confirmed it")
			require.EqualValues(t, vouchersRound, w.Count(`SELECT count(*) FROM redemption`))
			require.EqualValues(t, vouchersRound, w.Count(`SELECT count(*) FROM voucher WHERE state = 'used' AND items_left = 0`))
			w.MustBalance()
			part.Did = vouchersRound
		})
	}
}

// fair is an organisation on the day when everybody comes.
type fair struct {
	pair
	servicePoint uuid.UUID
	elsewhere    uuid.UUID
	used, late   atomic.Int64
	mu           sync.Mutex
	wrong        []error
}

// code is what a scanner sees, and the answer to it; nil is a good code.
type code struct {
	text    string
	refused error
}

// open buys the vouchers and asks to use each.
func (f *fair) open() (uses []voucher.UseSession) {
	ctx, ann := context.Background(), f.Customer(0)
	order, err := f.Order.Buy(ctx, ann, tenanttest.Key(), f.Quote(ann, f.Package(tenanttest.Package{Vouchers: vouchersRound / 10}), 10))
	if err != nil {
		panic(err)
	}
	for _, v := range order.Vouchers {
		use, err := f.Voucher.StartUse(ctx, ann, tenanttest.Key(), voucher.UseInput{Voucher: v.ID, ServicePoint: f.servicePoint, Items: 1})
		if err != nil {
			panic(err)
		}
		uses = append(uses, use)
	}
	return uses
}

// show makes the codes of a voucher when a team is about to see them, because each is good for half a minute: the good ones, a
// screenshot that is a minute old, and one of another organisation's, in any order.
func (f *fair) show(use voucher.UseSession, dice *rand.Rand) []code {
	secret, err := base64.RawURLEncoding.DecodeString(use.Secret)
	if err != nil {
		panic(err)
	}
	at := func(org uuid.UUID, ago time.Duration) string {
		return voucher.QR(org, use.ID, secret, f.Clock.Now().Add(-ago))
	}
	codes := []code{{text: voucher.Typed(use.TypedName, f.Org, use.ID, secret, f.Clock.Now())}, {at(f.Org, time.Minute), voucher.ErrStale}, {at(f.elsewhere, 0), voucher.ErrOtherOrg}}
	for range good - 1 {
		codes = append(codes, code{text: at(f.Org, 0)})
	}
	dice.Shuffle(len(codes), func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
	return codes
}

// hold is a team of scanners that see one voucher's codes at once. Nobody confirms before all have looked, so that whoever
// saw a good code does, at the same time.
func (f *fair) hold(team []token.Session, codes []code) {
	var looked, done sync.WaitGroup
	looked.Add(len(codes))
	for i, c := range codes {
		done.Go(func() {
			found, err := f.services[i%2].Verify(context.Background(), team[i], voucher.ScanInput{Code: c.text, ServicePoint: f.servicePoint})
			looked.Done()
			switch {
			case c.refused != nil && !errors.Is(err, c.refused):
				f.complain(errors.Join(errors.New("a code that is no good was not refused as it should"), c.refused, err))
			case c.refused == nil && err != nil:
				f.complain(err)
			case c.refused == nil:
				looked.Wait()
				f.confirm(f.services[i%2], team[i], found.Session)
			}
		})
	}
	done.Wait()
}

// confirm is what follows a scan, twice under one key, as after a lost answer.
func (f *fair) confirm(service *voucher.Service, staff token.Session, session uuid.UUID) {
	ctx, key, in := context.Background(), tenanttest.Key(), voucher.ConfirmInput{Session: session, ServicePoint: f.servicePoint}
	first, err := service.Confirm(ctx, staff, key, in)
	switch {
	case errors.Is(err, voucher.ErrAlreadyUsed):
		f.late.Add(1)
		return
	case err != nil:
		f.complain(err)
		return
	}
	f.used.Add(1)
	again, err := service.Confirm(ctx, staff, key, in)
	if err != nil || again.ID != first.ID {
		f.complain(errors.Join(errors.New("a use that was confirmed is not the same the second time"), err))
	}
}

func (f *fair) complain(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wrong = append(f.wrong, err)
}

// qr is what a phone shows of a use at a time.
func qr(org, use uuid.UUID, secret string, now time.Time) string {
	text, err := base64.RawURLEncoding.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	return voucher.QR(org, use, text, now)
}
