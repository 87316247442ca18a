package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/voucher"
)

// What people do with a voucher besides using it: they give it, sell it on, or say that a use was not theirs. So often on a usual day, for each order.
const (
	giftsPerOrder, claimsPerOrder     = 0.12, 0.11
	offersPerOrder, resalesPerOrder   = 0.09, 0.05
	objectionsPerOrder, casesPerOrder = 0.02, 0.02
)

// between is what is under way between two people of a shop's past.
type between struct {
	gifts    []parcel
	offers   []held // by the id of the offer
	verified map[uuid.UUID]bool
	uses     []used // the last one last
	cases    int
}

// used is a use of somebody's.
type used struct {
	held
	at time.Time
}

// parcel is a gift that nobody has opened.
type parcel struct {
	link   gift.Link
	people int
	not    []uuid.UUID // who cannot receive it any more: its giver, and who had one
}

var wishes = []struct{ card, words string }{
	{"birthday", "สุขสันต์วันเกิดนะ ปีนี้ขอให้ได้พักเยอะ ๆ"},
	{"thanks", "ขอบคุณที่ช่วยงานเราตลอดเดือนนี้"},
	{"love", "ไปด้วยกันวันหยุดนี้นะ"},
	{"because", "เห็นแล้วนึกถึงเธอ"},
	{"congrats", "ยินดีด้วยกับงานใหม่"},
	{"getwell", "หายไว ๆ แล้วไปใช้ให้หายเหนื่อยนะ"},
	{"baby", "ยินดีกับเจ้าตัวเล็กด้วยนะ"},
	{"thanks", ""},
}

// addBoard lets customers sell vouchers on.
func (s *shop) addBoard(ctx context.Context) error {
	_, err := post[any](ctx, s.loader, s.site, "/api/owner/setting/board/save", s.token, board.Setting{Open: true, RoyaltyBasisPoints: 200, CapPercent: 100, Days: 30})
	return err
}

// other is a known customer who is none of these, or nobody if there is no other.
func (p *history) other(not ...uuid.UUID) (token.Session, bool) {
	for range 20 {
		who := p.known[p.dice.IntN(len(p.known))]
		if !slices.Contains(not, who.Subject) {
			return who, true
		}
	}
	return token.Session{}, false
}

// transferable takes a voucher out of what is unused that may be given or sold on, if the one the dice choose may.
func (p *history) transferable(ctx context.Context) (one held, v voucher.Detail, ok bool, err error) {
	if len(p.unused) == 0 {
		return one, v, false, nil
	}
	at := p.dice.IntN(len(p.unused))
	one = p.unused[at]
	v, err = p.vouchers.Detail(ctx, one.who, one.id)
	if errors.Is(err, voucher.ErrNotFound) {
		p.unused = slices.Delete(p.unused, at, at+1)
		return one, v, false, nil // it went along with another
	}
	may := v.TransferRule == "unlimited" || v.TransferRule == "times" && v.TransfersLeft > 0
	if err != nil || v.State != voucher.Ready || !may || v.Together {
		return one, v, false, err
	}
	p.unused = slices.Delete(p.unused, at, at+1)
	return one, v, true, nil
}

// give has somebody give a voucher, to one person or, if it has several items, to a few.
func (p *history) give(ctx context.Context) error {
	one, v, ok, err := p.transferable(ctx)
	if err != nil || !ok {
		return err
	}
	wish := wishes[p.dice.IntN(len(wishes))]
	in := gift.Input{Voucher: one.id, Items: v.ItemsLeft, Card: wish.card, Words: wish.words, People: 1}
	if v.Kind == voucher.Item && v.ItemsLeft >= 3 && p.dice.IntN(3) == 0 {
		in.People, in.Items, in.To = 3, 1, "ทีมของเรา"
	}
	if in.People == 1 && p.dice.IntN(4) == 0 {
		in.Digits = fmt.Sprintf("%04d", p.dice.IntN(10_000))
	}
	g, err := p.gifts.Give(ctx, one.who, uuid.NewString(), in)
	if err != nil {
		return err
	}
	switch p.dice.IntN(10) {
	case 0: // nobody ever opens it
	case 1:
		_, err = p.gifts.Withdraw(ctx, one.who, g.ID)
		p.unused = append(p.unused, one)
	default:
		p.between.gifts = append(p.between.gifts, parcel{gift.Link{Ref: g.Ref, Digits: in.Digits}, in.People, []uuid.UUID{one.who.Subject}})
	}
	return err
}

// claim has somebody receive the gift that waits longest.
func (p *history) claim(ctx context.Context) error {
	if len(p.between.gifts) == 0 {
		return nil
	}
	g := p.between.gifts[0]
	who, ok := p.other(g.not...)
	if !ok {
		return nil
	}
	g.not = append(g.not, who.Subject)
	p.between.gifts[0] = g
	if len(g.not) > g.people {
		p.between.gifts = p.between.gifts[1:]
	}
	if _, err := p.gifts.Open(ctx, who, g.link); err != nil {
		return ignore(err, gift.ErrOver)
	}
	if g.people == 1 && p.dice.IntN(10) == 0 {
		return p.gifts.Decline(ctx, who, g.link)
	}
	received, err := p.gifts.Receive(ctx, who, g.link)
	if err != nil {
		return err
	}
	for _, c := range received.Contents {
		if c.Voucher != nil {
			p.unused = append(p.unused, held{who, *c.Voucher})
		}
	}
	if p.dice.IntN(3) > 0 {
		_, err = p.gifts.Thank(ctx, who, received.ID)
	}
	return err
}

// offer has somebody offer a voucher on the board, below what was paid for it.
func (p *history) offer(ctx context.Context) error {
	one, v, ok, err := p.transferable(ctx)
	if err != nil || !ok {
		return err
	}
	if !p.between.verified[one.who.Subject] {
		p.between.verified[one.who.Subject] = true
		by := auditlog.Actor{Kind: token.User, ID: one.who.Subject}
		if err := p.customers.SetMobile(ctx, one.who, by, fmt.Sprintf("+668%08d", p.dice.IntN(100_000_000))); err != nil {
			return err
		}
	}
	part := board.Part{Voucher: one.id, Items: v.ItemsLeft}
	terms, err := p.board.Check(ctx, one.who, part)
	if err != nil {
		p.unused = append(p.unused, one)
		return ignore(err, board.ErrTooLate, board.ErrTooMany)
	}
	price := terms.Most * money.Amount(70+5*p.dice.IntN(6)) / 100 / (10 * money.Baht) * (10 * money.Baht)
	if price < terms.Least {
		p.unused = append(p.unused, one)
		return nil
	}
	f, err := p.board.Offer(ctx, one.who, uuid.NewString(), board.Input{Part: part, Price: price})
	if err != nil {
		return err
	}
	if p.dice.IntN(7) == 0 {
		_, err = p.board.Cancel(ctx, one.who, f.ID)
		p.unused = append(p.unused, one)
		return err
	}
	p.between.offers = append(p.between.offers, held{one.who, f.ID})
	if p.dice.IntN(5) > 0 {
		return nil
	}
	who, ok := p.other(one.who.Subject)
	if !ok {
		return nil
	}
	reasons := []string{"price", "outside", "not_theirs"}
	return p.board.Report(ctx, who, board.ReportInput{Offer: f.ID, Reason: reasons[p.dice.IntN(len(reasons))]})
}

// resell has somebody buy what is offered from his wallet.
func (p *history) resell(ctx context.Context) error {
	if len(p.between.offers) == 0 {
		return nil
	}
	at := p.dice.IntN(len(p.between.offers))
	f := p.between.offers[at]
	who, ok := p.other(f.who.Subject)
	if !ok {
		return nil
	}
	p.between.offers = slices.Delete(p.between.offers, at, at+1)
	d, err := p.board.Detail(ctx, who, f.id)
	if err != nil {
		return ignore(err, board.ErrOver)
	}
	in := board.BuyInput{Offer: f.id, Accepted: []uuid.UUID{}, Lang: "th"}
	for _, text := range d.Consents {
		in.Accepted = append(in.Accepted, text.Version)
	}
	bought, err := p.board.Buy(ctx, who, uuid.NewString(), in)
	if errors.Is(err, ledger.ErrInsufficient) {
		if err := p.fund(ctx, who, d.Price); err != nil {
			return err
		}
		bought, err = p.board.Buy(ctx, who, uuid.NewString(), in)
	}
	if err != nil {
		return err
	}
	for _, id := range bought.Vouchers {
		p.unused = append(p.unused, held{who, id})
	}
	return nil
}

// object has whoever used a voucher last say that it was not he.
func (p *history) object(ctx context.Context) error {
	at := len(p.between.uses) - 1
	if at < 0 || !p.between.uses[at].at.Before(p.clock.Now()) { // a scan took longer than until now
		return nil
	}
	last := p.between.uses[at]
	p.between.uses = p.between.uses[:at]
	_, err := p.objections.Object(ctx, last.who, uuid.NewString(), objection.Input{Use: last.id})
	return ignore(err, objection.ErrTooLate)
}

// openCase is the objection that waits longest for the owner, while he may decide it.
const openCase = `SELECT o.id FROM objection o WHERE o.state = 'open' AND o.due_at > $1 ORDER BY o.due_at, o.id LIMIT 1`

// decide has the owner decide about an objection: one use stands, the next is undone.
func (p *history) decide(ctx context.Context) error {
	id, err := p.oldestCase(ctx)
	if err != nil || id == uuid.Nil {
		return err
	}
	in := objection.Decision{ID: id, Answer: "ตรวจกล้องหน้าร้านแล้ว เป็นคนในบัญชี LINE นี้"}
	if p.between.cases++; p.between.cases%2 == 0 {
		in.Undo, in.Answer = true, "พนักงานสแกนผิดใบ ขออภัยด้วย คืนให้ครบแล้ว"
	}
	return p.objections.Decide(ctx, p.org, auditlog.Actor{Kind: token.Owner, ID: p.ownerID}, in)
}

// leaveCases leaves what waits for the owner today.
func (p *history) leaveCases(ctx context.Context, now time.Time) error {
	p.set(now)
	return errors.Join(p.leaveObjection(ctx), p.askForRefunds(ctx), p.leaveCashout(ctx), p.leaveApplication(ctx), p.leaveHold(ctx))
}

// askable are vouchers of which their payers may ask for a refund.
const askable = `SELECT DISTINCT ON (o.id) o.id, o.customer_id, v.id FROM orders o JOIN order_line l ON l.order_id = o.id JOIN voucher v ON v.order_id = o.id AND v.line_position = l.position
	WHERE o.paid_at > $1 AND l.refund_rule = 'asking' AND v.state = 'ready' AND v.holder_id = o.customer_id AND v.parent_id IS NULL AND v.share_satang > 0
		AND NOT EXISTS (SELECT FROM voucher_event e WHERE e.voucher_id = v.id) ORDER BY o.id DESC LIMIT 3`

// askForRefunds has some payers ask for a refund: the owner grants the first, refuses the next, and has not answered the last.
func (p *history) askForRefunds(ctx context.Context) error {
	type wish struct{ Order, Payer, Voucher uuid.UUID }
	var wishes []wish
	err := p.db.ReadInOrg(ctx, p.org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, askable, tx.Now.AddDate(0, 0, -6))
		if err != nil {
			return err
		}
		wishes, err = pgx.CollectRows(rows, pgx.RowToStructByPos[wish])
		return err
	})
	if err != nil {
		return err
	}
	owner := auditlog.Actor{Kind: token.Owner, ID: p.ownerID}
	for i, w := range wishes {
		who := token.Session{Audience: token.User, Org: p.org, Subject: w.Payer}
		options, err := p.refunds.Options(ctx, who, w.Order)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(options.Vouchers, func(o refund.Option) bool { return o.Voucher == w.Voucher && o.How == "asking" })
		if at < 0 {
			continue
		}
		all := options.Vouchers[at].Slices
		last := all[len(all)-1]
		asked, err := p.refunds.MakeRequest(ctx, who, uuid.NewString(), refund.OwnInput{
			Choice: refund.Choice{Order: w.Order, Parts: []refund.Part{{Voucher: w.Voucher, Items: last.Items}}}, Amount: last.Amount,
		})
		if err != nil {
			return err
		}
		switch len(wishes) - 1 - i {
		case 1:
			err = p.refunds.RefuseRequest(ctx, p.org, owner, refund.RequestRefusal{ID: asked.ID, Answer: "จองคิวและเตรียมห้องไว้ให้แล้ว จึงคืนเงินไม่ได้ ขออภัยด้วย"})
		case 2:
			err = p.refunds.GrantRequest(ctx, p.org, owner, uuid.NewString(), refund.ByRequest{ID: asked.ID})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leaveObjection sees to it that an objection waits for the owner, as long as somebody has used something today or yesterday.
func (p *history) leaveObjection(ctx context.Context) error {
	id, err := p.oldestCase(ctx)
	if err != nil || id != uuid.Nil {
		return err
	}
	return p.object(ctx)
}

func (p *history) oldestCase(ctx context.Context) (id uuid.UUID, err error) {
	err = p.db.ReadInOrg(ctx, p.org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, openCase, tx.Now)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if len(ids) > 0 {
			id = ids[0]
		}
		return err
	})
	return id, err
}

// ignore returns nil for an error that may come about between people.
func ignore(err error, expected ...error) error {
	for _, one := range expected {
		if errors.Is(err, one) {
			return nil
		}
	}
	return err
}
