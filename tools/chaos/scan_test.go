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

// Scanners at the doors of one organisation, and how many of them see the same phone.
const (
	scanners      = 50
	scansEach     = 3
	vouchersRound = 500
)

// TestScan: every voucher is used once, however many scanners see its code, and no old or foreign code is taken.
func TestScan(t *testing.T) {
	for scans := begin(t, "scan", vouchersRound); scans.more(); {
		scans.round(func(t *testing.T, part *result) {
			w, other := tenanttest.New(t), tenanttest.New(t)
			f := &fair{World: w, place: w.Place(), elsewhere: other.Org}
			dice := rand.New(rand.NewPCG(part.Seed, 1))
			shown := f.show()
			dice.Shuffle(len(shown), func(i, j int) { shown[i], shown[j] = shown[j], shown[i] })

			codes := make(chan code)
			var waiting sync.WaitGroup
			for range scanners {
				staff := w.Staff()
				waiting.Go(func() {
					for c := range codes {
						f.scan(staff, c)
					}
				})
			}
			for _, c := range shown {
				codes <- c
			}
			close(codes)
			waiting.Wait()

			require.NoError(t, errors.Join(f.wrong...))
			require.EqualValues(t, vouchersRound, f.used.Load())
			require.EqualValues(t, vouchersRound, w.Count(`SELECT count(*) FROM redemption`))
			require.EqualValues(t, vouchersRound, w.Count(`SELECT count(*) FROM voucher WHERE state = 'used' AND items_left = 0`))
			w.MustBalance()
			part.Did = vouchersRound
		})
	}
}

// fair is an organisation on the day when everybody comes.
type fair struct {
	*tenanttest.World
	place     uuid.UUID
	elsewhere uuid.UUID
	used      atomic.Int64
	mu        sync.Mutex
	wrong     []error
}

// code is what a scanner sees, and the answer to it; nil is a good code.
type code struct {
	text    string
	refused error
}

// show buys the vouchers and lets each be asked for: its codes, a screenshot that is a minute old, one of another
// organisation's, and one with a letter changed.
func (f *fair) show() (shown []code) {
	ctx, ann := context.Background(), f.Customer(0)
	order, err := f.Market.Buy(ctx, ann, tenanttest.Key(), f.Quote(ann, f.Package(tenanttest.Package{Vouchers: vouchersRound / 10}), 10))
	if err != nil {
		panic(err)
	}
	for _, v := range order.Vouchers {
		use, err := f.Voucher.AskUse(ctx, ann, tenanttest.Key(), voucher.UseInput{Voucher: v.ID, Place: f.place, Items: 1})
		if err != nil {
			panic(err)
		}
		secret, err := base64.RawURLEncoding.DecodeString(use.Secret)
		if err != nil {
			panic(err)
		}
		at := func(org uuid.UUID, ago time.Duration) string {
			return voucher.QR(org, use.ID, secret, f.Clock.Now().Add(-ago))
		}
		for range scansEach - 1 {
			shown = append(shown, code{text: at(f.Org, 0)})
		}
		shown = append(shown, code{text: use.TypedCode},
			code{at(f.Org, time.Minute), voucher.ErrStale}, code{at(f.elsewhere, 0), voucher.ErrOtherOrg})
	}
	return shown
}

// scan is one scanner: it verifies a code and confirms what it finds, twice under one key, as after a lost answer.
func (f *fair) scan(staff token.Session, c code) {
	ctx := context.Background()
	found, err := f.Voucher.Verify(ctx, staff, voucher.ScanInput{Code: c.text, Place: f.place})
	if errors.Is(err, voucher.ErrAlreadyUsed) {
		return // another scanner was first; also a screenshot of what is used says so
	}
	if c.refused != nil {
		if !errors.Is(err, c.refused) {
			f.complain(errors.Join(errors.New("a code that is no good was not refused as it should"), c.refused, err))
		}
		return
	}
	if err != nil {
		f.complain(err)
		return
	}
	key, in := tenanttest.Key(), voucher.ConfirmInput{Session: found.Session, Place: f.place}
	first, err := f.Voucher.Confirm(ctx, staff, key, in)
	switch {
	case errors.Is(err, voucher.ErrAlreadyUsed):
		return
	case err != nil:
		f.complain(err)
		return
	}
	f.used.Add(1)
	again, err := f.Voucher.Confirm(ctx, staff, key, in)
	if err != nil || again.ID != first.ID {
		f.complain(errors.Join(errors.New("a use that was confirmed is not the same the second time"), err))
	}
}

func (f *fair) complain(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wrong = append(f.wrong, err)
}
