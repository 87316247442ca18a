package chaos

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
)

// The card that the shop sells: without an end, and each application is answered.
const (
	cardPrice    = 490_01
	answerWithin = 30 * 24 * time.Hour
)

// wanted is an application for the card, that was paid for.
type wanted struct {
	id, order uuid.UUID
	who       *buyer
	by        uuid.UUID // his row
	at        time.Time
	state     string // pending, granted, refused, taken_back
	runs      bool   // its term does
}

// waits reports whether an application can still be answered.
func (a *wanted) waits(now time.Time) bool {
	return a.state == "pending" && now.Before(a.at.Add(answerWithin))
}

// cardOf returns an application of a buyer's row that satisfies a condition, or nil.
func (s *shop) cardOf(b *buyer, is func(*wanted) bool) *wanted {
	for _, a := range s.cards {
		if a.by == b.id && is(a) {
			return a
		}
	}
	return nil
}

func (s *shop) cardFee() int64 { return roundHalfUp(cardPrice, feeBasisPoints) }

// membersListed has the back office and a member receive that something about his card has changed.
func (s *shop) membersListed(b *buyer) {
	s.notify(b, notice.Event{Topic: "member"})
	s.put(notice.TableUpdate{Table: "memberlist"}, 0)
}

// returnCard ends an application whose price comes back.
func (s *shop) returnCard(a *wanted, state string) {
	a.state = state
	a.who.balance += cardPrice
	s.add(ledger.Unearned, s.cardFee()-cardPrice)
	s.add(ledger.PlatformFee, -s.cardFee())
	if a.who.debt > 0 {
		s.put(charge.SettleJob{Customer: a.by}, 0)
		s.unsettled = append(s.unsettled, a.by)
	}
	s.notify(a.who, notice.Event{Topic: "wallet"})
	s.membersListed(a.who)
}

// addCardType has the shop sell the card.
func (w *walk) addCardType() {
	w.cardType = uuid.New()
	w.change(`INSERT INTO card_type (id, name_th, name_en, position, version, status, created_at, updated_at) VALUES ($1, 'บัตร', 'Card', 1, 1, 5, now(), now())`, w.cardType)
	w.change(`INSERT INTO card_type_version (id, card_type_id, number, validity, length, approval, level, least_age, asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address, asks_nationality, asks_receipt, price_satang, points_baht, points_due, points_months, created_at)
		VALUES ($1, $1, 1, 'endless', 0, 'always', 1, 0, 'off', 'off', 'off', 'off', 'off', 'off', 'off', $2, $3, 'window', $4, now())`, w.cardType, cardPrice, bahtOfPoint, monthsOfPoint)
}

func actorOf(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: who.Audience, ID: who.Subject}
}

// ApplyForCard is where somebody applies for the card and pays it.
func (w *walk) ApplyForCard(r *rapid.T) {
	b := one(r, "buyer", w.model.buyers)
	price := int64(cardPrice)
	if rapid.IntRange(0, 9).Draw(r, "stale") == 0 {
		price++
	}
	pending := w.model.cardOf(b, func(a *wanted) bool { return a.state == "pending" })
	var refusal error
	switch {
	case b.refused() != nil:
		refusal = b.refused()
	case pending != nil && pending.waits(w.now()):
		refusal = member.ErrOpen
	case w.model.cardOf(b, func(a *wanted) bool { return a.runs }) != nil:
		refusal = member.ErrNoEnd
	case b.debt > 0:
		refusal = customer.ErrDebt
	case price != cardPrice:
		refusal = order.ErrQuoteChanged
	case b.balance+btoi64(pending != nil)*cardPrice < cardPrice:
		refusal = ledger.ErrInsufficient
	}
	who, key := w.session(b), tenanttest.Key()
	in := order.CardInput{Price: money.Amount(price), ApplyInput: member.ApplyInput{
		Type: w.cardType, Lang: "en", Form: member.Form{FirstName: "Walk", LastName: "Walker", Mobile: "0895550146"},
	}}
	_, err := w.w.Cards.Buy(r.Context(), who, actorOf(who), key, in)
	same(r, refusal, err)
	if refusal != nil {
		return
	}
	if pending != nil {
		w.unanswered(pending)
	}
	type row struct{ Application, Order uuid.UUID }
	made := rows[row](w.w, `SELECT application_id, order_id FROM card_order ORDER BY order_id DESC LIMIT 1`)[0]
	w.model.cards = append(w.model.cards, &wanted{id: made.Application, order: made.Order, who: b, by: b.id, at: w.now(), state: "pending"})
	b.balance -= cardPrice
	w.model.add(ledger.Unearned, cardPrice-w.model.cardFee())
	w.model.add(ledger.PlatformFee, w.model.cardFee())
	w.model.notify(b, notice.Event{Topic: "wallet"})
	w.model.membersListed(b)
	w.repeat = func(r *rapid.T) {
		_, err := w.w.Cards.Buy(r.Context(), who, actorOf(who), key, in)
		require.NoError(r, err)
	}
}

func btoi64(b bool) int64 { return int64(btoi(b)) }

// unanswered is an application that nobody answered in time.
func (w *walk) unanswered(a *wanted) {
	w.model.returnCard(a, "refused")
	w.model.write(a.by, message.MemberRefused, 1, cardPrice)
}

// AnswerCard is where the shop grants or refuses a card.
func (w *walk) AnswerCard(r *rapid.T) {
	a := one(r, "application", w.model.cards)
	var refusal error
	switch {
	case a.by != a.who.id || a.who.refused() != nil:
		refusal = customer.ErrSuspended
	case !a.waits(w.now()):
		refusal = member.ErrOver
	}
	if rapid.Bool().Draw(r, "grant") {
		same(r, refusal, w.w.Member.Approve(r.Context(), w.w.Org, w.actor(w.owner), member.ApproveInput{ID: a.id, Reason: "a walk's"}))
		if refusal == nil {
			a.state, a.runs = "granted", true
			share := cardPrice - w.model.cardFee()
			w.model.add(ledger.Unearned, -share)
			w.model.add(ledger.Payable, share)
			w.model.membersListed(a.who)
			w.model.write(a.by, message.MemberApproved, 1, 0)
		}
		return
	}
	same(r, refusal, w.w.Member.Refuse(r.Context(), w.w.Org, w.actor(w.owner), member.RefuseInput{ID: a.id, Reason: "a walk's"}))
	if refusal == nil {
		w.unanswered(a)
	}
}

// TakeBackCard is where somebody changes his mind before the shop has answered.
func (w *walk) TakeBackCard(r *rapid.T) {
	b := one(r, "buyer", w.model.buyers)
	a := w.model.cardOf(b, func(a *wanted) bool { return a.waits(w.now()) })
	refusal := b.refused()
	if refusal == nil && a == nil {
		refusal = member.ErrOver
	}
	_, err := w.w.Member.TakeBack(r.Context(), w.session(b), actorOf(w.session(b)))
	same(r, refusal, err)
	if refusal == nil {
		w.model.returnCard(a, "taken_back")
	}
}

// LeaveCard is where a member does not want to be one any more: nothing comes back.
func (w *walk) LeaveCard(r *rapid.T) {
	b := one(r, "buyer", w.model.buyers)
	runs := w.model.cardOf(b, func(a *wanted) bool { return a.runs })
	refusal := b.refused()
	switch {
	case refusal != nil || runs != nil:
	case w.model.cardOf(b, func(a *wanted) bool { return a.state == "granted" }) != nil:
		refusal = member.ErrLeft
	default:
		refusal = member.ErrNoMember
	}
	_, err := w.w.Member.Leave(r.Context(), w.session(b), actorOf(w.session(b)))
	same(r, refusal, err)
	if refusal == nil {
		runs.runs = false
		w.model.lapsePoints(b.id, "", true)
		w.model.membersListed(b)
	}
}

// EndCards is where a worker refuses what nobody answered in time.
func (w *walk) EndCards(*rapid.T) {
	w.w.In(func(ctx context.Context, tx db.Tx) error { return w.w.Member.EndDue(ctx, tx) })
	for _, a := range w.model.cards {
		if a.state == "pending" && !a.waits(w.now()) {
			w.unanswered(a)
		}
	}
}

// checkCards: each application and each order of a card is what the model says.
func (w *walk) checkCards(r *rapid.T) {
	type row struct {
		ID    uuid.UUID
		State string
		Order string
		Runs  bool
	}
	found := map[uuid.UUID]row{}
	for _, a := range rows[row](w.w, `SELECT a.id, a.state, o.state, EXISTS (SELECT FROM membership_term t WHERE t.application_id = a.id AND t.state = 'running')
		FROM application a JOIN card_order r ON r.application_id = a.id JOIN orders o ON o.id = r.order_id`) {
		found[a.ID] = a
	}
	require.Len(r, found, len(w.model.cards))
	for _, a := range w.model.cards {
		of := "paid"
		if slices.Contains([]string{"refused", "taken_back"}, a.state) {
			of = "refunded"
		}
		require.Equal(r, row{a.id, a.state, of, a.runs}, found[a.id])
	}
}
