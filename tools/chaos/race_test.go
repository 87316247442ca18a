package chaos

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// raceSize is how many people want the same thing at once.
type raceSize struct {
	buyers  int // of one offer: once from their wallets alone, once in every way
	openers int // of one link
	takers  int // of an ang-pao
	pieces  int // that it has
	uses    int // of a discount, for as many buyers as an offer has
}

var (
	shortRace = raceSize{buyers: 60, openers: 25, takers: 40, pieces: 8, uses: 6}
	longRace  = raceSize{buyers: 1000, openers: 100, takers: 500, pieces: 50, uses: 100}
)

func (s raceSize) people() int { return 3*s.buyers + s.openers + s.takers }

const (
	racePrice   = 90_00
	raceOpening = 100_00
	raceRoyalty = 200 // basis points
	raceNet     = racePrice - racePrice*raceRoyalty/10000 - racePrice*300/10000
)

// TestRace: many people want one thing at the same moment, each from two phones at once, before two processes in turn. As many have it as
// there is of it, and nobody else has paid. What is counted are people.
func TestRace(t *testing.T) {
	t.Parallel()
	size, races := shortRace, begin(t, "race", shortRace.people())
	if races.commit != "" {
		size = longRace
	}
	for races.more() {
		races.round(func(t *testing.T, part *result) {
			w := tenanttest.New(t)
			w.OpenBoard(raceRoyalty)
			w.AddPaymentSystem()
			r := &race{pair: twice(w), t: t, dice: rand.New(rand.NewPCG(part.Seed, 1)), size: size}
			r.fromWallet()
			part.count("offer: "+r.inEveryWay(), 1)
			part.count("gift: "+r.claim(), 1)
			r.angPao()
			part.count("discount: "+r.discounted(), 1)
			w.MustBalance()
			part.Did = size.people()
		})
	}
}

// race is an organisation in which many want the same thing.
type race struct {
	pair
	t    *testing.T
	dice *rand.Rand
	size raceSize
}

func (r *race) people(n int, balance money.Amount) []token.Session {
	list := make([]token.Session, n)
	for i := range list {
		list[i] = r.Customer(balance)
	}
	return list
}

// atOnce has so many people begin at the same moment.
func atOnce(n int, do func(i int)) {
	begin := make(chan struct{})
	var done sync.WaitGroup
	for i := range n {
		done.Go(func() {
			<-begin
			do(i)
		})
	}
	close(begin)
	done.Wait()
}

// phones are the two answers to what somebody asked from two phones at once.
type phones [2]error

// each has every one of some people ask from two phones at once, of one process each.
func each(people int, ask func(person, phone int) error) []phones {
	answers := make([]phones, people)
	atOnce(2*people, func(i int) { answers[i/2][i%2] = ask(i/2, i%2) })
	return answers
}

// got reports whether one of them had what he asked for.
func (p phones) got() bool { return p[0] == nil || p[1] == nil }

// only requires that what was refused was refused by one of these faults.
func (p phones) only(t *testing.T, who int, faults ...error) {
	t.Helper()
	for _, err := range p {
		if err = expected(err, faults...); err != nil {
			require.Contains(t, faults, err, "person %d: %v", who, err)
		}
	}
}

// discounted has everybody buy by one code, of which there are fewer uses than buyers, and each may use it once. A tenth give up while they wait, a tenth
// pay directly and lose their time, so that their uses are free again.
func (r *race) discounted() string {
	once := 1
	pkg := r.Package(tenanttest.Package{Price: raceOpening})
	id := r.Discount(tenanttest.Discount{Code: "RACE", Value: raceOpening - racePrice, Uses: &r.size.uses, Each: &once})
	buyers := r.people(r.size.buyers, 2*raceOpening)
	carts, patience := make([]order.BuyInput, len(buyers)), make([]time.Duration, len(buyers))
	for i, who := range buyers {
		carts[i], patience[i] = r.Quote(who, pkg, 1, "RACE"), time.Duration(r.dice.IntN(20_000))*time.Microsecond
	}
	givesUp, isDirect := func(i int) bool { return i%10 == 9 }, func(i int) bool { return i%10 == 4 }
	answers := each(len(buyers), func(person, phone int) error {
		ctx := r.t.Context()
		if givesUp(person) {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, patience[person])
			defer stop()
		}
		if !isDirect(person) {
			_, err := r.markets[phone].Buy(ctx, buyers[person], tenanttest.Key(), carts[person])
			return err
		}
		o, err := r.markets[phone].Pay(ctx, buyers[person], tenanttest.Key(), "",
			order.PayInput{BuyInput: carts[person], PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		if err == nil {
			_, err = r.markets[phone].Cancel(ctx, buyers[person], o.ID)
		}
		return err
	})

	used := func(order string) int64 {
		return r.Count(`SELECT count(*) FROM discount_use u JOIN orders o ON o.id = u.order_id WHERE u.discount_id = $1 AND `+order, id)
	}
	require.LessOrEqual(r.t, used(`u.freed_at IS NULL`), int64(r.size.uses))
	winners, freed := 0, used(`u.freed_at IS NOT NULL`)
	for i, a := range answers {
		if !givesUp(i) {
			a.only(r.t, i, discount.ErrUsedUp, discount.ErrYoursUsed)
		}
		spent := 2*raceOpening - r.Balance(buyers[i])
		require.Contains(r.t, []money.Amount{0, racePrice}, spent, "nobody pays twice, or the full price")
		if spent > 0 {
			winners++
		}
	}
	require.EqualValues(r.t, winners, used(`u.freed_at IS NULL AND o.state = 'paid'`))

	// Who lost because a use was taken then that is free now takes it.
	for i, who := range buyers {
		if left := r.size.uses - winners; left > 0 && !isDirect(i) && r.Balance(who) == 2*raceOpening {
			_, err := r.Order.Buy(r.t.Context(), who, tenanttest.Key(), carts[i])
			require.NoError(r.t, err)
			winners++
		}
	}
	require.Equal(r.t, r.size.uses, winners)
	require.EqualValues(r.t, r.size.uses, r.Count(`SELECT used FROM discount_count WHERE discount_id = $1`, id))
	late := r.Customer(2 * raceOpening)
	_, err := r.Order.Buy(r.t.Context(), late, tenanttest.Key(), carts[0])
	require.ErrorIs(r.t, err, discount.ErrUsedUp)
	if freed > 0 {
		return "some uses came back"
	}
	return "none came back"
}

// offer puts a voucher of a new seller's on the board, who has no money but what he gets for it.
func (r *race) offer() (seller token.Session, v voucher.Voucher, offer uuid.UUID) {
	seller = r.Customer(raceOpening)
	r.VerifyMobile(seller)
	v = r.MustBuy(seller, r.Package(tenanttest.Package{Price: raceOpening, Transfers: 3}))
	in := board.Input{Part: board.Part{Voucher: v.ID, Items: v.ItemsLeft}, Price: racePrice}
	f, err := r.Board.Offer(r.t.Context(), seller, tenanttest.Key(), in)
	require.NoError(r.t, err)
	return seller, v, f.ID
}

// holder is who holds a voucher that can be used.
func (r *race) holder(v uuid.UUID) (holder uuid.UUID) {
	r.t.Helper()
	found := rows[struct {
		State  string
		Holder uuid.UUID
	}](r.World, `SELECT state, holder_id FROM voucher WHERE id = $1`, v)
	require.Len(r.t, found, 1)
	require.Equal(r.t, string(voucher.Ready), found[0].State)
	return found[0].Holder
}

// fromWallet: all buy one offer from their wallets, half of them under one key on both phones. Every tenth has a satang too little.
func (r *race) fromWallet() {
	seller, v, offer := r.offer()
	buyers := make([]token.Session, r.size.buyers)
	isPoor := func(i int) bool { return i%10 == 9 }
	for i := range buyers {
		balance := money.Amount(raceOpening)
		if isPoor(i) {
			balance = racePrice - 1
		}
		buyers[i] = r.Customer(balance)
	}
	royalties, fees := r.SystemBalance(ledger.Payable), r.SystemBalance(ledger.PlatformFee)
	answers := each(len(buyers), func(person, phone int) error {
		key := buyers[person].Subject.String()
		if person%2 == 1 {
			key += strconv.Itoa(phone)
		}
		_, err := r.boards[phone].Buy(context.Background(), buyers[person], key, board.BuyInput{Offer: offer, Accepted: []uuid.UUID{}, Lang: "th"})
		return err
	})

	for i, a := range answers {
		if isPoor(i) {
			a.only(r.t, i, board.ErrOver, ledger.ErrInsufficient)
		} else {
			a.only(r.t, i, board.ErrOver)
		}
	}
	holder, owners := r.holder(v.ID), 0
	for i, a := range answers {
		switch {
		case a.got():
			owners++
			require.Equal(r.t, buyers[i].Subject, holder)
			require.EqualValues(r.t, raceOpening-racePrice, r.Balance(buyers[i]))
			require.Equal(r.t, i%2 == 0, a[0] == nil && a[1] == nil, "one key has one answer")
		case isPoor(i):
			require.EqualValues(r.t, racePrice-1, r.Balance(buyers[i]))
		default:
			require.EqualValues(r.t, raceOpening, r.Balance(buyers[i]))
		}
	}
	require.Equal(r.t, 1, owners)
	require.EqualValues(r.t, raceNet, r.Balance(seller))
	require.EqualValues(r.t, racePrice-raceNet, r.SystemBalance(ledger.Payable)-royalties+r.SystemBalance(ledger.PlatformFee)-fees)
	require.EqualValues(r.t, 1, r.Count(`SELECT count(*) FROM resale WHERE offer_id = $1`, offer))
}

// raceTries is how often somebody tries again to buy what another is paying.
const raceTries = 20

// inEveryWay: people buy one offer from their wallets, by QR and by card, some give up what they began, pay in vain, or never pay, and perhaps its seller
// cancels it. It has one owner at the end, and everybody else has his money. It returns what became of it.
func (r *race) inEveryWay() string {
	seller, v, offer := r.offer()
	buyers := r.people(r.size.buyers, raceOpening)
	paid := make([][2]money.Amount, len(buyers)) // at the gateway, by each phone
	chances := make([][2]*rand.Rand, len(buyers))
	for i := range chances {
		for phone := range 2 {
			chances[i][phone] = rand.New(rand.NewPCG(r.dice.Uint64(), r.dice.Uint64()))
		}
	}
	cancels, after := r.dice.IntN(2) == 0, time.Duration(r.dice.IntN(400))*time.Millisecond
	var cancelled error
	var seen sync.WaitGroup
	if cancels {
		seen.Go(func() {
			time.Sleep(after)
			for range raceTries {
				if _, cancelled = r.boards[1].Cancel(context.Background(), seller, offer); !errors.Is(cancelled, board.ErrBeingPaid) {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	answers := each(len(buyers), func(person, phone int) (err error) {
		dice := chances[person][phone]
		for range raceTries {
			if person%3 == 0 {
				_, err = r.boards[phone].Buy(context.Background(), buyers[person], tenanttest.Key(), board.BuyInput{Offer: offer, Accepted: []uuid.UUID{}, Lang: "th"})
			} else {
				paid[person][phone], err = r.payOnce(buyers[person], phone, dice, offer, []string{"promptpay", "card"}[person%2])
			}
			if !errors.Is(err, board.ErrBeingPaid) && !errors.Is(err, board.ErrPayFirst) {
				return err
			}
			time.Sleep(time.Duration(dice.IntN(20)) * time.Millisecond)
		}
		return err
	})
	seen.Wait()

	if cancelled != nil {
		require.ErrorIs(r.t, cancelled, board.ErrBeingPaid)
	}
	state := rows[string](r.World, `SELECT state FROM offer WHERE id = $1`, offer)[0]
	if state == "open" { // everybody who wanted it gave up, and its seller did not cancel it
		_, err := r.Board.Cancel(r.t.Context(), seller, offer)
		require.NoError(r.t, err)
		state = voucher.Cancelled
	}
	require.Contains(r.t, []string{"sold", voucher.Cancelled}, state)
	holder, owners := r.holder(v.ID), 0
	for i, who := range buyers {
		answers[i].only(r.t, i, board.ErrOver, board.ErrBeingPaid, board.ErrPayFirst, errGivenUp)
		want := raceOpening + paid[i][0] + paid[i][1]
		if holder == who.Subject {
			owners++
			want -= racePrice
			require.True(r.t, answers[i].got(), "buyer %d has it and was told so", i)
		} else {
			require.Falsef(r.t, answers[i].got(), "buyer %d was told that he has it", i)
		}
		require.Equal(r.t, want, r.Balance(who), "buyer %d", i)
	}
	if state != "sold" {
		require.Equal(r.t, seller.Subject, holder)
		require.Zero(r.t, owners)
		require.Zero(r.t, r.Balance(seller))
	} else {
		require.Equal(r.t, 1, owners)
		require.EqualValues(r.t, raceNet, r.Balance(seller))
	}
	require.EqualValues(r.t, owners, r.Count(`SELECT count(*) FROM resale WHERE offer_id = $1`, offer))
	require.Zero(r.t, r.Count(`SELECT count(*) FROM reservation WHERE state = 'open'`))
	return state
}

// errGivenUp is the answer to somebody who gave up what he was paying.
var errGivenUp = errors.New("given up")

// payOnce begins a payment at the gateway, and pays it once or in vain, because he gave it up before. It returns what the gateway has from him, and
// errGivenUp or board.ErrOver if it brought him nothing.
func (r *race) payOnce(who token.Session, phone int, dice *rand.Rand, offer uuid.UUID, method string) (paid money.Amount, err error) {
	ctx := context.Background()
	in := board.PayInput{BuyInput: board.BuyInput{Offer: offer, Accepted: []uuid.UUID{}, Lang: "th"}, PaymentMethod: charge.PaymentMethod{Method: method}}
	if method == "card" {
		in.CardToken = "tokn_test"
	}
	p, err := r.boards[phone].Pay(ctx, who, tenanttest.Key(), "", in)
	if err != nil {
		return 0, err
	}
	givesUp, pays := dice.IntN(3) > 0, dice.IntN(3) > 0
	if givesUp {
		if _, err := r.boards[1-phone].GiveUp(ctx, who, p.ID); err != nil {
			return 0, err
		}
		if !pays {
			return 0, errGivenUp
		}
	}
	r.Pay.SetCharge(p.ID, func(c *payment.Charge) { c.State = payment.Paid })
	both := phones{}
	atOnce(2, func(i int) { both[i] = r.Charge.Check(ctx, r.Org, p.ID) })
	if err := errors.Join(both[0], both[1]); err != nil {
		return 0, err
	}
	if p, err = r.boards[phone].Payment(ctx, who, p.ID); err == nil && p.State != "paid" {
		err = errGivenUp
	}
	return racePrice, err
}

// claim: many open one link, its giver among them, who perhaps withdraws it at the same time. It has one owner. It returns who that is.
func (r *race) claim() string {
	giver := r.Customer(raceOpening)
	v := r.MustBuy(giver, r.Package(tenanttest.Package{Price: raceOpening, Transfers: 3}))
	g, err := r.Gift.Give(r.t.Context(), giver, tenanttest.Key(), gift.Input{Voucher: v.ID, Items: v.ItemsLeft, Card: "love"})
	require.NoError(r.t, err)
	openers, withdraws := append(r.people(r.size.openers-1, 0), giver), r.dice.IntN(2) == 0
	answers := each(len(openers), func(person, phone int) error {
		if withdraws && openers[person].Subject == giver.Subject {
			_, err := r.gifts[phone].Withdraw(context.Background(), giver, g.ID)
			return errors.Join(err, gift.ErrOwn)
		}
		link := gift.Link{Ref: g.Ref}
		if _, err := r.gifts[phone].Open(context.Background(), openers[person], link); err != nil {
			return err
		}
		_, err := r.gifts[1-phone].Receive(context.Background(), openers[person], link)
		return err
	})

	holder, owners := r.holder(v.ID), 0
	for i, a := range answers {
		a.only(r.t, i, gift.ErrOver, gift.ErrOwn)
		if a.got() {
			owners++
			require.Equal(r.t, openers[i].Subject, holder)
		}
	}
	require.EqualValues(r.t, owners, r.Count(`SELECT count(*) FROM voucher_event WHERE gift_id = $1 AND event = 'claim'`, g.ID))
	if withdraws && owners == 0 {
		require.Equal(r.t, giver.Subject, holder)
		return voucher.Withdrawn
	}
	require.Equal(r.t, 1, owners)
	return "claimed"
}

// angPao: more people open its link than it has pieces. Each piece has an owner, and nobody two.
func (r *race) angPao() {
	giver := r.Customer(raceOpening)
	v := r.MustBuy(giver, r.Package(tenanttest.Package{Price: raceOpening, Items: r.size.pieces, Transfers: 3}))
	g, err := r.Gift.Give(r.t.Context(), giver, tenanttest.Key(), gift.Input{Voucher: v.ID, Items: 1, People: r.size.pieces, Card: "songkran"})
	require.NoError(r.t, err)
	takers := r.people(r.size.takers, 0)
	answers := each(len(takers), func(person, phone int) error {
		_, err := r.gifts[phone].Receive(context.Background(), takers[person], gift.Link{Ref: g.Ref})
		return err
	})

	type piece struct {
		Holder, Voucher uuid.UUID
		Items           int64
	}
	held := map[uuid.UUID]piece{}
	for _, p := range rows[piece](r.World, `SELECT v.holder_id, v.id, v.items_left FROM gift_taker t JOIN voucher v ON v.id = t.voucher_id AND v.holder_id = t.customer_id
		WHERE t.gift_id = $1 AND v.state = 'ready'`, g.ID) {
		require.EqualValues(r.t, 1, p.Items)
		held[p.Holder] = p
	}
	require.Len(r.t, held, r.size.pieces, "each piece has an owner of its own")
	for i, a := range answers {
		if _, has := held[takers[i].Subject]; has {
			require.True(r.t, a.got())
			a.only(r.t, i, gift.ErrHadOne)
			require.Error(r.t, errors.Join(a[:]...), "taker %d asked twice", i)
			continue
		}
		require.False(r.t, a.got(), "taker %d has none", i)
		a.only(r.t, i, gift.ErrOver)
	}
	require.Zero(r.t, r.Count(`SELECT count(*) FROM voucher WHERE gift_id = $1`, g.ID))
	require.EqualValues(r.t, r.size.pieces, r.Count(`SELECT count(*) FROM voucher WHERE order_id = (SELECT order_id FROM voucher WHERE id = $1) AND items_left = 1`, v.ID))
}
