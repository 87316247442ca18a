package chaos

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/wallet"
)

// Each history has a few people at once on one wallet or one voucher, before two batchers of purchases or uses in turn, and several run side by side.
const (
	hands     = 4
	deeds     = 7
	abreast   = 8
	perRound  = 40
	unravelIn = time.Minute
)

// TestHistory: what many saw at once can be put into one order in which each answer is right.
func TestHistory(t *testing.T) {
	t.Parallel()
	for histories := begin(t, "history", perRound); histories.more(); {
		histories.round(func(t *testing.T, part *result) {
			w := tenanttest.New(t)
			h := &hustle{
				pair: twice(w), staff: w.Staff(), servicePoint: w.ServicePoint(), did: map[string]int{},
				pack:     w.Package(tenanttest.Package{Price: packPrice, Items: packItems}),
				together: w.Package(tenanttest.Package{Price: packPrice, Items: handedItems, Transfers: handedTimes, Together: true}),
			}
			h.AddPaymentSystem()
			h.OpenBoard(0)
			var waiting sync.WaitGroup
			turn, outcomes := make(chan struct{}, abreast), make([]porcupine.CheckResult, perRound)
			for n := range perRound {
				dice := rand.New(rand.NewPCG(part.Seed, uint64(n)))
				play := plays[n%len(plays)]
				part.count(play.name, 1)
				waiting.Go(func() {
					turn <- struct{}{}
					defer func() { <-turn }()
					outcomes[n] = porcupine.CheckOperationsTimeout(play.model, play.of(h, dice), unravelIn)
				})
			}
			waiting.Wait()
			for n, outcome := range outcomes {
				require.Equal(t, porcupine.Ok, outcome, "history %d", n)
			}
			w.MustBalance()
			part.Did = perRound
			for verb, n := range h.did {
				part.count("handed on: "+verb, n)
			}
		})
	}
}

// plays are what the histories are of, in turn.
var plays = []struct {
	name  string
	of    func(*hustle, *rand.Rand) []porcupine.Operation
	model porcupine.Model
}{
	{"wallet", (*hustle).wallet, walletModel},
	{"voucher", (*hustle).voucher, voucherModel},
	{"voucher handed on", (*hustle).handed, handedModel},
}

const (
	packPrice = 100_00
	packItems = 5
)

// pair is an organisation served twice, as by two processes of the API: each side has batchers of its own, so that what one
// decides reaches the other by the rows in Postgres alone.
type pair struct {
	*tenanttest.World
	markets  [2]*order.Service
	boards   [2]*board.Service
	gifts    [2]*gift.Service
	services [2]*voucher.Service
}

func twice(w *tenanttest.World) pair {
	return pair{
		w,
		[2]*order.Service{w.Order, order.New(w.DB, org.NewDirectory(w.DB), w.Charge)},
		[2]*board.Service{w.Board, board.New(w.DB, org.NewDirectory(w.DB), w.Charge)},
		[2]*gift.Service{w.Gift, gift.New(w.DB, w.Box(), org.NewDirectory(w.DB))},
		[2]*voucher.Service{w.Voucher, voucher.New(w.DB, refund.Settle)},
	}
}

// hustle is an organisation in which everybody acts at once.
type hustle struct {
	pair
	staff        token.Session
	servicePoint uuid.UUID
	pack         uuid.UUID
	together     uuid.UUID // whose vouchers can only be handed on whole

	mu  sync.Mutex
	did map[string]int // how often each was done with a voucher that was handed on, not refused
}

// count counts what was done.
func (h *hustle) count(verb string, refused error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if refused == nil {
		h.did[verb]++
	}
}

// history is what a few people saw, and when.
type history struct {
	mu    sync.Mutex
	start time.Time
	seen  []porcupine.Operation
}

// see lets somebody act and keeps the answer.
func (h *history) see(client int, asked any, act func() any) {
	called := time.Since(h.start)
	got := act()
	back := time.Since(h.start)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen = append(h.seen, porcupine.Operation{ClientId: client, Input: asked, Call: called.Nanoseconds(), Output: got, Return: back.Nanoseconds()})
}

// everybody lets all hands act, and returns what they saw.
func everybody(dice *rand.Rand, act func(h *history, client int, dice *rand.Rand)) []porcupine.Operation {
	h := &history{start: time.Now()}
	var waiting sync.WaitGroup
	for client := range hands {
		own := rand.New(rand.NewPCG(dice.Uint64(), dice.Uint64()))
		waiting.Go(func() {
			for range deeds {
				act(h, client, own)
			}
		})
	}
	waiting.Wait()
	return h.seen
}

// answer is what somebody got: its number, or the fault.
type answer struct {
	number int64
	word   string
	fault  error
}

// expected returns the one of these that err is; any other error stays what it is, and no model allows it.
func expected(err error, known ...error) error {
	for _, one := range known {
		if errors.Is(err, one) {
			return one
		}
	}
	return err
}

// atWallet is what is asked of a wallet: read it, buy under a key, or look at a paid charge.
type atWallet struct {
	verb string
	n    int // of the key or the charge
}

const (
	charges = 3
	keys    = 6
)

// wallet plays with one customer's wallet: money comes in more than once, purchases are repeated, and somebody looks on.
func (h *hustle) wallet(dice *rand.Rand) []porcupine.Operation {
	ctx, ann := context.Background(), h.Customer(opening)
	quote := h.Quote(ann, h.pack, 1)
	paid := make([]uuid.UUID, charges)
	for i := range paid {
		begun, err := h.Wallet.StartTopUp(ctx, ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: incoming, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		if err != nil {
			panic(err)
		}
		paid[i] = begun.ID
		h.Pay.SetCharge(begun.ID, func(c *payment.Charge) { c.State = payment.Paid })
	}
	key := func(n int) string { return ann.Subject.String() + string(rune('a'+n)) }

	return everybody(dice, func(seen *history, client int, dice *rand.Rand) {
		switch dice.IntN(4) {
		case 0:
			seen.see(client, atWallet{verb: "read"}, func() any {
				balance, err := h.Wallet.Balance(ctx, ann)
				return answer{number: int64(balance), fault: err}
			})
		case 1:
			n := dice.IntN(charges)
			seen.see(client, atWallet{"check", n}, func() any { return answer{fault: h.Charge.Check(ctx, h.Org, paid[n])} })
		default:
			n := dice.IntN(keys)
			seen.see(client, atWallet{"buy", n}, func() any {
				bought, err := h.markets[client%2].Buy(ctx, ann, key(n), quote)
				return answer{word: bought.ID.String(), fault: expected(err, ledger.ErrInsufficient)}
			})
		}
	})
}

const (
	opening  = 150_00
	incoming = 130_00
)

// walletState is a balance, the charges that came in, and the order that each key made.
type walletState struct {
	balance int64
	came    [charges]bool
	made    [keys]string
}

var walletModel = porcupine.Model{
	Init: func() any { return walletState{balance: opening} },
	Step: func(state, input, output any) (bool, any) {
		s, asked, got := state.(walletState), input.(atWallet), output.(answer)
		switch asked.verb {
		case "read":
			return got.fault == nil && got.number == s.balance, s
		case "check":
			if !s.came[asked.n] {
				s.came[asked.n] = true
				s.balance += incoming
			}
			return got.fault == nil, s
		}
		switch made := s.made[asked.n]; {
		case made != "":
			return got.fault == nil && got.word == made, s
		case got.fault != nil:
			return errors.Is(got.fault, ledger.ErrInsufficient) && s.balance < packPrice, s
		}
		s.made[asked.n] = got.word
		s.balance -= packPrice
		return s.balance >= 0, s
	},
}

// atVoucher is what is asked of a voucher: read it, ask to use some of it, put it back, or confirm a use under a key.
type atVoucher struct {
	verb  string
	items int64
	use   uuid.UUID
	key   string
}

// voucher plays with one voucher: its owner on several phones, staff at several service points.
func (h *hustle) voucher(dice *rand.Rand) []porcupine.Operation {
	ctx, ann := context.Background(), h.Customer(packPrice)
	v := h.MustBuy(ann, h.pack)
	var mu sync.Mutex
	uses, secrets := []uuid.UUID{uuid.New()}, map[uuid.UUID]string{} // the first is of nobody's
	pick := func(dice *rand.Rand) uuid.UUID {
		mu.Lock()
		defer mu.Unlock()
		return uses[max(0, len(uses)-1-dice.IntN(2))]
	}

	return everybody(dice, func(seen *history, client int, dice *rand.Rand) {
		switch dice.IntN(5) {
		case 0:
			seen.see(client, atVoucher{verb: "read"}, func() any {
				now, err := h.services[client%2].Detail(ctx, ann, v.ID)
				return answer{number: now.ItemsLeft, word: string(now.State), fault: err}
			})
		case 1, 2:
			items := 1 + dice.Int64N(2)
			seen.see(client, atVoucher{verb: "ask", items: items}, func() any {
				use, err := h.services[client%2].StartUse(ctx, ann, tenanttest.Key(), voucher.UseInput{Voucher: v.ID, ServicePoint: h.servicePoint, Items: items})
				if err == nil {
					mu.Lock()
					uses, secrets[use.ID] = append(uses, use.ID), use.Secret
					mu.Unlock()
				}
				return answer{word: use.ID.String(), fault: expected(err, voucher.ErrInUse, voucher.ErrTooFew, voucher.ErrAlreadyUsed)}
			})
		case 3:
			use := pick(dice)
			seen.see(client, atVoucher{verb: "put back", use: use}, func() any {
				now, err := h.services[client%2].CancelUse(ctx, ann, use)
				return answer{word: now.State, fault: expected(err, voucher.ErrNotFound)}
			})
		default:
			use := pick(dice)
			key := use.String() + string(rune('a'+dice.IntN(2)))
			seen.see(client, atVoucher{verb: "confirm", use: use, key: key}, func() any {
				mu.Lock()
				code := qr(h.Org, use, secrets[use], h.Clock.Now())
				mu.Unlock()
				_, _ = h.services[client%2].Verify(ctx, h.staff, voucher.ScanInput{Code: code, ServicePoint: h.servicePoint}) // confirming is refused for the same
				r, err := h.services[client%2].Confirm(ctx, h.staff, key, voucher.ConfirmInput{Session: use, ServicePoint: h.servicePoint})
				return answer{number: r.Items, fault: expected(err, voucher.ErrAlreadyUsed, voucher.ErrSessionOver, voucher.ErrCodeUnknown)}
			})
		}
	})
}

// voucherState is what is left, the use that holds it, and the keys under which uses were confirmed, in their order.
type voucherState struct {
	left  int64
	open  string
	holds int64
	known string // every use that was ever opened
	used  string
}

var voucherModel = porcupine.Model{
	Init: func() any { return voucherState{left: packItems} },
	Step: func(state, input, output any) (bool, any) {
		s, asked, got := state.(voucherState), input.(atVoucher), output.(answer)
		use := asked.use.String()
		isUsed, isKnown := strings.Contains(s.used, use), strings.Contains(s.known, use)
		switch asked.verb {
		case "read":
			return got.fault == nil && got.number == s.left && got.word == s.word(), s
		case "ask":
			return s.ask(asked, got)
		case "put back":
			switch {
			case !isKnown:
				return errors.Is(got.fault, voucher.ErrNotFound), s
			case isUsed:
				return got.fault == nil && got.word == "used", s
			case s.open == use:
				s.open, s.holds = "", 0
			}
			return got.fault == nil && got.word == "cancelled", s
		}
		switch {
		case strings.Contains(s.used, asked.key):
			return got.fault == nil, s
		case isUsed:
			return errors.Is(got.fault, voucher.ErrAlreadyUsed), s
		case !isKnown:
			return errors.Is(got.fault, voucher.ErrCodeUnknown), s
		case s.open != use:
			return errors.Is(got.fault, voucher.ErrSessionOver), s
		}
		items := s.holds
		s.left, s.used, s.open, s.holds = s.left-items, s.used+asked.key+" ", "", 0
		return got.fault == nil && got.number == items && s.left >= 0, s
	},
}

func (s voucherState) word() string {
	switch {
	case s.open != "":
		return string(voucher.InUse)
	case s.left == 0:
		return string(voucher.Used)
	}
	return string(voucher.Ready)
}

func (s voucherState) ask(asked atVoucher, got answer) (bool, any) {
	switch {
	case s.left == 0:
		return errors.Is(got.fault, voucher.ErrAlreadyUsed), s
	case s.open != "":
		return errors.Is(got.fault, voucher.ErrInUse), s
	case asked.items > s.left:
		return errors.Is(got.fault, voucher.ErrTooFew), s
	}
	s.open, s.holds, s.known = got.word, asked.items, s.known+got.word+" "
	return got.fault == nil, s
}

// TestModelsFindViolations: the judge says no to histories that cannot be.
func TestModelsFindViolations(t *testing.T) {
	at := func(client int, call, back int64, asked atWallet, got answer) porcupine.Operation {
		return porcupine.Operation{ClientId: client, Input: asked, Call: call, Output: got, Return: back}
	}
	both := []porcupine.Operation{
		at(0, 0, 10, atWallet{"buy", 0}, answer{word: "one"}),
		at(1, 0, 10, atWallet{"buy", 1}, answer{word: "two"}),
	}
	require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(walletModel, both, unravelIn), "150 baht bought twice for 100")

	twice := []porcupine.Operation{
		at(0, 0, 10, atWallet{"buy", 0}, answer{word: "one"}),
		at(1, 0, 10, atWallet{"buy", 0}, answer{word: "two"}),
	}
	require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(walletModel, twice, unravelIn), "one key made two orders")

	late := []porcupine.Operation{
		at(0, 0, 10, atWallet{"check", 0}, answer{}),
		at(1, 20, 30, atWallet{verb: "read"}, answer{number: opening}),
	}
	require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(walletModel, late, unravelIn), "money that came is not seen")

	use := uuid.New()
	confirm := func(client int, key string) porcupine.Operation {
		return porcupine.Operation{ClientId: client, Input: atVoucher{verb: "confirm", use: use, key: use.String() + key}, Call: 20, Output: answer{number: 2}, Return: 30}
	}
	twiceUsed := []porcupine.Operation{
		{ClientId: 0, Input: atVoucher{verb: "ask", items: 2}, Call: 0, Output: answer{word: use.String()}, Return: 10},
		confirm(0, "a"), confirm(1, "b"),
	}
	require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(voucherModel, twiceUsed, unravelIn), "one use confirmed twice")
}
