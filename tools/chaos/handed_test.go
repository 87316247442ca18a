package chaos

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// One voucher, which can only be handed on whole, among a few people.
const (
	handedPeople = 3
	handedItems  = 2
	handedTimes  = 4 // how often it may be handed on
	askedPrice   = 10_00
	soldFor      = askedPrice - askedPrice*300/10000 // what its seller receives
	purse        = 25_00                             // what each has at first
)

// atHanded is what somebody asks of it.
type atHanded struct {
	verb  string
	who   int
	items int64
	about uuid.UUID // a use, a gift or an offer
	key   string
}

// handed plays with one voucher: several people use it, give it, claim it, sell it and buy it, and each takes back what he began, while
// staff confirm uses.
func (h *hustle) handed(dice *rand.Rand) []porcupine.Operation {
	ctx := context.Background()
	var people [handedPeople]token.Session
	for i := range people {
		balance := money.Amount(purse)
		if i == 0 {
			balance += packPrice
		}
		people[i] = h.Customer(balance)
		h.VerifyMobile(people[i])
	}
	v := h.MustBuy(people[0], h.together)
	links := map[uuid.UUID]string{}
	secrets := map[uuid.UUID]string{}
	var mu sync.Mutex
	holder := 0                                                               // as far as anybody has said
	begun := map[string][]uuid.UUID{"use": {{}}, "gift": {{}}, "offer": {{}}} // the first is nobody's
	begin := func(kind string, id uuid.UUID) {
		mu.Lock()
		defer mu.Unlock()
		begun[kind] = append(begun[kind], id)
	}
	took := func(who int, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			holder = who
		}
	}

	return everybody(dice, func(seen *history, client int, dice *rand.Rand) {
		side, who := client%2, dice.IntN(handedPeople)
		mu.Lock()
		if dice.IntN(3) > 0 {
			who = holder
		}
		latest := func(kind string) uuid.UUID { return begun[kind][max(0, len(begun[kind])-1-dice.IntN(2))] }
		use, given, offer := latest("use"), latest("gift"), latest("offer")
		mu.Unlock()
		other := (who + 1 + dice.IntN(handedPeople-1)) % handedPeople
		items := int64(handedItems)
		if dice.IntN(4) == 0 {
			items = 1
		}
		act := func(asked atHanded, do func(person token.Session) answer) {
			seen.see(client, asked, func() any {
				got := do(people[asked.who])
				h.count(asked.verb, got.fault)
				return got
			})
		}

		switch dice.IntN(13) {
		case 0:
			act(atHanded{verb: "read", who: who}, func(person token.Session) answer {
				now, err := h.services[side].Detail(ctx, person, v.ID)
				return answer{number: now.ItemsLeft, word: string(now.State), fault: expected(err, voucher.ErrNotFound)}
			})
		case 1:
			act(atHanded{verb: "balance", who: who}, func(person token.Session) answer {
				balance, err := h.Wallet.Balance(ctx, person)
				return answer{number: int64(balance), fault: err}
			})
		case 2:
			act(atHanded{verb: "ask", who: who, items: 1}, func(person token.Session) answer {
				use, err := h.services[side].StartUse(ctx, person, tenanttest.Key(), voucher.UseInput{Voucher: v.ID, ServicePoint: h.servicePoint, Items: 1})
				if err == nil {
					mu.Lock()
					secrets[use.ID] = use.Secret
					mu.Unlock()
					begin("use", use.ID)
				}
				return answer{word: use.ID.String(), fault: expected(err, handedFaults...)}
			})
		case 3:
			act(atHanded{verb: "put back", who: who, about: use}, func(person token.Session) answer {
				now, err := h.services[side].CancelUse(ctx, person, use)
				return answer{word: now.State, fault: expected(err, voucher.ErrNotFound)}
			})
		case 4:
			key := use.String() + string(rune('a'+dice.IntN(2)))
			act(atHanded{verb: "confirm", about: use, key: key}, func(token.Session) answer {
				mu.Lock()
				code := qr(h.Org, use, secrets[use], h.Clock.Now())
				mu.Unlock()
				_, _ = h.services[side].Verify(ctx, h.staff, voucher.ScanInput{Code: code, ServicePoint: h.servicePoint}) // confirming is refused for the same
				_, err := h.services[side].Confirm(ctx, h.staff, key, voucher.ConfirmInput{Session: use, ServicePoint: h.servicePoint})
				return answer{fault: expected(err, voucher.ErrAlreadyUsed, voucher.ErrSessionOver, voucher.ErrCodeUnknown)}
			})
		case 5, 6:
			act(atHanded{verb: "give", who: who, items: items}, func(person token.Session) answer {
				g, err := h.gifts[side].Give(ctx, person, tenanttest.Key(), gift.Input{Voucher: v.ID, Items: items, Card: "love"})
				if err == nil {
					mu.Lock()
					links[g.ID] = g.Ref
					mu.Unlock()
					begin("gift", g.ID)
				}
				return answer{word: g.ID.String(), fault: expected(err, handedFaults...)}
			})
		case 7, 8:
			act(atHanded{verb: "claim", who: other, about: given}, func(person token.Session) answer {
				mu.Lock()
				ref := links[given]
				mu.Unlock()
				g, err := h.gifts[side].Receive(ctx, person, gift.Link{Ref: ref})
				took(other, err)
				return answer{word: g.State, fault: expected(err, gift.ErrNotFound, gift.ErrOwn, gift.ErrOver)}
			})
		case 9:
			act(atHanded{verb: "withdraw", who: who, about: given}, func(person token.Session) answer {
				g, err := h.gifts[side].Withdraw(ctx, person, given)
				return answer{word: g.State, fault: expected(err, gift.ErrNotFound)}
			})
		case 10:
			act(atHanded{verb: "offer", who: who, items: items}, func(person token.Session) answer {
				f, err := h.boards[side].Offer(ctx, person, tenanttest.Key(), board.Input{Part: board.Part{Voucher: v.ID, Items: items}, Price: askedPrice})
				if err == nil {
					begin("offer", f.ID)
				}
				return answer{word: f.ID.String(), fault: expected(err, handedFaults...)}
			})
		case 11:
			act(atHanded{verb: "cancel", who: who, about: offer}, func(person token.Session) answer {
				f, err := h.boards[side].Cancel(ctx, person, offer)
				return answer{word: f.State, fault: expected(err, board.ErrNotFound)}
			})
		default:
			act(atHanded{verb: "buy", who: other, about: offer}, func(person token.Session) answer {
				_, err := h.boards[side].Buy(ctx, person, person.Subject.String()+offer.String(), board.BuyInput{Offer: offer, Accepted: []uuid.UUID{}, Lang: "th"})
				took(other, err)
				return answer{fault: expected(err, board.ErrNotFound, board.ErrOwn, board.ErrOver, ledger.ErrInsufficient)}
			})
		}
	})
}

// handedFaults are those of using, giving and offering.
var handedFaults = append(slices.Collect(maps.Values(tenanttest.StateFaults)), voucher.ErrNotFound, voucher.ErrTooFew, voucher.ErrWhole, voucher.ErrNoTransfersLeft)

// handedState is the voucher with its holder, what he may still do, and what came of all that was begun.
type handedState struct {
	holder  int
	state   voucher.State
	left    int64
	times   int
	balance [handedPeople]int64
	begun   map[string]begun
}

// begun is a use, a gift or an offer: whose it is, and how it ended.
type begun struct {
	who   int
	items int64  // of a use
	end   string // empty as long as it is open
	to    int    // who claimed or bought it
	key   string // that confirmed it
}

// with is the state after a step of the voucher's, with one thing begun or ended.
func (s handedState) with(event voucher.Event, about string, b begun) handedState {
	s.state, _ = voucher.Next(s.state, event)
	s.begun = maps.Clone(s.begun)
	s.begun[about] = b
	return s
}

// refuse is why a person cannot take a step that only a holder takes.
func (s handedState) refuse(who int, event voucher.Event) error {
	if s.holder != who {
		return voucher.ErrNotFound
	}
	if _, may := voucher.Next(s.state, event); !may {
		return tenanttest.StateFaults[s.state]
	}
	return nil
}

// refuseHandingOn is why a person cannot give or offer so many items.
func (s handedState) refuseHandingOn(asked atHanded, event voucher.Event) error {
	switch err := s.refuse(asked.who, event); {
	case err != nil:
		return err
	case s.times == 0:
		return voucher.ErrNoTransfersLeft
	case asked.items > s.left:
		return voucher.ErrTooFew
	case asked.items < s.left:
		return voucher.ErrWhole
	}
	return nil
}

var handedModel = porcupine.Model{
	Init: func() any {
		return handedState{state: voucher.Ready, left: handedItems, times: handedTimes, balance: [handedPeople]int64{purse, purse, purse}, begun: map[string]begun{}}
	},
	Equal: func(a, b any) bool {
		one, other := a.(handedState), b.(handedState)
		begun := maps.Equal(one.begun, other.begun)
		one.begun, other.begun = nil, nil
		return begun && reflect.DeepEqual(one, other)
	},
	Step: func(state, input, output any) (bool, any) {
		s, asked, got := state.(handedState), input.(atHanded), output.(answer)
		right, after := s.step(asked, got)
		return right, after
	},
}

// step returns whether an answer is right, and the state after it.
func (s handedState) step(asked atHanded, got answer) (bool, handedState) {
	switch asked.verb {
	case "read":
		if s.holder != asked.who {
			return errors.Is(got.fault, voucher.ErrNotFound), s
		}
		return got.fault == nil && got.word == string(s.state) && got.number == s.left, s
	case "balance":
		return got.fault == nil && got.number == s.balance[asked.who], s
	case "ask":
		why := s.refuse(asked.who, voucher.StartUse)
		if why == nil && asked.items > s.left {
			why = voucher.ErrTooFew
		}
		return s.begin(voucher.StartUse, why, asked, got)
	case "give":
		return s.begin(voucher.Give, s.refuseHandingOn(asked, voucher.Give), asked, got)
	case "offer":
		return s.begin(voucher.Offer, s.refuseHandingOn(asked, voucher.Offer), asked, got)
	case "put back":
		return s.takeBack(voucher.CancelUse, "cancelled", voucher.ErrNotFound, asked, got)
	case "withdraw":
		return s.takeBack(voucher.WithdrawGift, voucher.Withdrawn, gift.ErrNotFound, asked, got)
	case "cancel":
		return s.takeBack(voucher.WithdrawOffer, voucher.Cancelled, board.ErrNotFound, asked, got)
	case "confirm":
		return s.confirm(asked, got)
	case "claim":
		return s.claim(asked, got)
	}
	return s.buy(asked, got)
}

func (s handedState) confirm(asked atHanded, got answer) (bool, handedState) {
	id := asked.about.String()
	b, known := s.begun[id]
	switch {
	case !known:
		return errors.Is(got.fault, voucher.ErrCodeUnknown), s
	case b.key == asked.key:
		return got.fault == nil, s
	case b.end == "used":
		return errors.Is(got.fault, voucher.ErrAlreadyUsed), s
	case b.end != "":
		return errors.Is(got.fault, voucher.ErrSessionOver), s
	}
	s.left -= b.items
	event := voucher.UseSome
	if s.left == 0 {
		event = voucher.UseLast
	}
	return got.fault == nil && s.left >= 0, s.with(event, id, begun{who: b.who, items: b.items, end: "used", key: asked.key})
}

func (s handedState) claim(asked atHanded, got answer) (bool, handedState) {
	id := asked.about.String()
	b, known := s.begun[id]
	switch {
	case !known:
		return errors.Is(got.fault, gift.ErrNotFound), s
	case b.end == "claimed" && b.to == asked.who:
		return got.fault == nil, s
	case b.who == asked.who:
		return errors.Is(got.fault, gift.ErrOwn), s
	case b.end != "":
		return errors.Is(got.fault, gift.ErrOver), s
	}
	return got.fault == nil && got.word == "claimed", s.handOn(voucher.Claim, id, "claimed", asked.who)
}

func (s handedState) buy(asked atHanded, got answer) (bool, handedState) {
	id := asked.about.String()
	b, known := s.begun[id]
	switch {
	case !known:
		return errors.Is(got.fault, board.ErrNotFound), s
	case b.end == "sold" && b.to == asked.who:
		return got.fault == nil, s
	case b.who == asked.who:
		return errors.Is(got.fault, board.ErrOwn), s
	case b.end != "":
		return errors.Is(got.fault, board.ErrOver), s
	case s.balance[asked.who] < askedPrice:
		return errors.Is(got.fault, ledger.ErrInsufficient), s
	}
	s.balance[asked.who] -= askedPrice
	s.balance[b.who] += soldFor
	return got.fault == nil, s.handOn(voucher.Sell, id, "sold", asked.who)
}

// begin opens a use, a gift or an offer, unless there is a reason why not.
func (s handedState) begin(event voucher.Event, why error, asked atHanded, got answer) (bool, handedState) {
	if why != nil {
		return errors.Is(got.fault, why), s
	}
	return got.fault == nil, s.with(event, got.word, begun{who: asked.who, items: asked.items})
}

// takeBack ends what somebody began, if that is open. To others it is not there.
func (s handedState) takeBack(event voucher.Event, as string, missing error, asked atHanded, got answer) (bool, handedState) {
	b, known := s.begun[asked.about.String()]
	switch {
	case !known || b.who != asked.who:
		return errors.Is(got.fault, missing), s
	case b.end != "":
		return got.fault == nil && got.word == b.end, s
	}
	b.end = as
	return got.fault == nil && got.word == as, s.with(event, asked.about.String(), b)
}

// handOn gives it to a new holder.
func (s handedState) handOn(event voucher.Event, about, as string, to int) handedState {
	b := s.begun[about]
	b.end, b.to = as, to
	s.holder = to
	s.times--
	return s.with(event, about, b)
}

// TestHandedModelFindsViolations: the judge says no to histories of one voucher that cannot be.
func TestHandedModelFindsViolations(t *testing.T) {
	one := uuid.New()
	at := func(client int, call, back int64, asked atHanded, got answer) porcupine.Operation {
		return porcupine.Operation{ClientId: client, Input: asked, Call: call, Output: got, Return: back}
	}
	given := at(0, 0, 10, atHanded{verb: "give", items: handedItems}, answer{word: one.String()})
	offered := at(0, 0, 10, atHanded{verb: "offer", items: handedItems}, answer{word: one.String()})
	claimed := func(who int) porcupine.Operation {
		return at(who, 20, 30, atHanded{verb: "claim", who: who, about: one}, answer{word: "claimed"})
	}
	bought := func(who int) porcupine.Operation {
		return at(who, 20, 30, atHanded{verb: "buy", who: who, about: one}, answer{})
	}
	require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(handedModel, []porcupine.Operation{given, claimed(1)}, unravelIn))
	for name, wrong := range map[string][]porcupine.Operation{
		"two claimed one gift":     {given, claimed(1), claimed(2)},
		"two bought one offer":     {offered, bought(1), bought(2)},
		"claimed and withdrawn":    {given, claimed(1), at(0, 20, 30, atHanded{verb: "withdraw", about: one}, answer{word: voucher.Withdrawn})},
		"bought and cancelled":     {offered, bought(1), at(0, 20, 30, atHanded{verb: "cancel", about: one}, answer{word: voucher.Cancelled})},
		"given and in use":         {given, at(0, 20, 30, atHanded{verb: "ask", items: 1}, answer{word: uuid.NewString()})},
		"given and offered":        {given, at(0, 20, 30, atHanded{verb: "offer", items: handedItems}, answer{word: uuid.NewString()})},
		"bought, and nothing paid": {offered, bought(1), at(1, 40, 50, atHanded{verb: "balance", who: 1}, answer{number: purse})},
		"claimed, and still his":   {given, claimed(1), at(0, 40, 50, atHanded{verb: "read"}, answer{number: handedItems, word: string(voucher.Ready)})},
	} {
		require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(handedModel, wrong, unravelIn), name)
	}
}
