package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
	"welovevoucher/tools/harness"
)

// crowdAsks is for what a voucher of the crowd is sold on.
const crowdAsks = 45_00

// readyToHandOn lets a shop's customers sell vouchers on, and connects its official account at LINE.
func readyToHandOn(o *harness.Organisation, owner string) {
	o.T.Helper()
	harness.MustPost[any](o.Owner, "/api/owner/setting/board/save", "", map[string]any{
		"open": true, "royalty_basis_points": 200, "cap_percent": 100, "days": 30, "sold_out_only": false,
	})
	account := map[string]any{"channel_id": o.Channel + "9", "channel_secret": "secret-of-account"}
	harness.MustPost[any](o.Owner, "/api/owner/setting/push/save", "", account)
	subject := o.Control(o.LINE.URL, "/emulator/login", map[string]string{"person": owner, "client_id": o.Channel})["user_id"]
	require.NoError(o.T, o.DB.InOrg(o.T.Context(), o.ID, func(tx db.Tx) error {
		_, err := tx.Exec(o.T.Context(), `UPDATE staff SET line_sub = $1 WHERE username = 'owner'`, subject)
		return err
	}))
	harness.MustPost[any](o.Owner, "/api/owner/setting/push/test", "", nil)
}

// spare buys a voucher that he does not use himself; uuid.Nil when he has no money for it.
func (p *person) spare() (voucher uuid.UUID, err error) {
	before := len(p.unused)
	if err := p.buy(inPeace); err != nil || len(p.unused) == before {
		return uuid.Nil, err
	}
	voucher = p.unused[before]
	p.unused = p.unused[:before]
	return voucher, nil
}

// madeGift is a gift as its giver sees it.
type madeGift struct {
	ID    uuid.UUID
	Ref   string
	State string
}

func (p *person) giveAway(step stepper) (voucher uuid.UUID, g madeGift, err error) {
	if voucher, err = p.spare(); err != nil || voucher == uuid.Nil {
		return voucher, g, err
	}
	err = step("given", voucher, func() error {
		in := map[string]any{"voucher_id": voucher, "items": itemsOfVoucher, "card": "love", "to_name": "", "words": "", "digits": ""}
		refused, err := p.ask(p.phone, "/api/user/transfer/create", body(in), &g)
		return unexpected("a gift", refused, err)
	})
	return voucher, g, err
}

// give gives his friend a voucher, who claims it.
func (p *person) give(step stepper) error {
	voucher, g, err := p.giveAway(step)
	if err != nil || voucher == uuid.Nil {
		return err
	}
	friend := p.of.friend
	friend.handed[voucher] = true
	return step("claimed", friend.id, func() error {
		refused, err := friend.ask(friend.phone, "/api/user/transfer/receive", body(map[string]any{"ref": g.Ref, "digits": ""}), &g)
		return unexpected("to receive a gift", refused, err)
	})
}

// due is what the timetable asks for every half minute.
type due struct{}

// Kind names the job.
func (due) Kind() string { return "voucher.expire_uses" }

// gathering is what the timetable asks for every half minute, too.
type gathering struct{}

// Kind names the job.
func (gathering) Kind() string { return "push.gather" }

// enqueue asks for a job as the timetable does.
func (p *person) enqueue(job queue.Job) error {
	ctx := queue.NewWaker(p.of.Redis).With(context.Background())
	return p.of.DB.InOrg(ctx, p.of.ID, func(tx db.Tx) error { return queue.Enqueue(ctx, tx, job) })
}

// behind changes something behind the program's back.
func (p *person) behind(sql string, args ...any) error {
	return p.of.InOrgAsSuperuser(context.Background(), p.of.T, p.of.ID, func(tx db.Tx) error {
		_, err := tx.Exec(context.Background(), sql, args...)
		return err
	})
}

// wait gives a voucher away that nobody claims, until it is his again.
func (p *person) wait(step stepper) error {
	voucher, g, err := p.giveAway(inPeace)
	if err != nil || voucher == uuid.Nil {
		return err
	}
	if err := p.behind(`UPDATE gift SET expires_at = created_at WHERE id = $1`, g.ID); err != nil {
		return err
	}
	if err := step("returned", g.ID, func() error { return p.enqueue(due{}) }); err != nil {
		return err
	}
	var kept struct{ State string }
	err = p.sees("a voucher that came back", "/api/user/voucher/detail", body(map[string]any{"id": voucher}), &kept, func() bool { return kept.State == "ready" })
	if err != nil {
		return err
	}
	return p.sees("a gift that came back", "/api/user/transfer/detail", body(map[string]any{"id": g.ID}), &g, func() bool { return g.State == "returned" })
}

// madeOffer is an offer as its seller sees it.
type madeOffer struct {
	ID    uuid.UUID
	State string
	Split struct {
		Net int64 `json:"net_satang"`
	}
}

func (p *person) offer(step stepper) (voucher uuid.UUID, f madeOffer, err error) {
	if voucher, err = p.spare(); err != nil || voucher == uuid.Nil {
		return voucher, f, err
	}
	if err := p.behind(`UPDATE customer SET mobile = '\x00', mobile_verified_at = now() WHERE id = $1`, p.id); err != nil {
		return voucher, f, err
	}
	err = step("offered", voucher, func() error {
		refused, err := p.ask(p.phone, "/api/user/trade/create", body(map[string]any{"voucher_id": voucher, "items": itemsOfVoucher, "price_satang": crowdAsks}), &f)
		return unexpected("an offer", refused, err)
	})
	return voucher, f, err
}

// sell sells a voucher on to his friend, who pays from the wallet.
func (p *person) sell(step stepper) error {
	voucher, f, err := p.offer(step)
	if err != nil || voucher == uuid.Nil {
		return err
	}
	friend := p.of.friend
	p.money += f.Split.Net
	friend.money -= crowdAsks
	friend.handed[voucher] = true
	return step("bought", f.ID, func() error {
		refused, err := friend.ask(friend.phone, "/api/user/trade/buy", body(map[string]any{"id": f.ID, "accepted": friend.texts, "lang": "th"}), &struct{}{})
		return unexpected("to buy an offer", refused, err)
	})
}

// sellDirectly sells a voucher on to his friend, who pays at the gateway.
func (p *person) sellDirectly(step stepper) error {
	voucher, f, err := p.offer(inPeace)
	if err != nil || voucher == uuid.Nil {
		return err
	}
	friend := p.of.friend
	var payment struct {
		ID      uuid.UUID
		Payment charged
	}
	err = step("reserved", f.ID, func() error {
		in := map[string]any{"id": f.ID, "accepted": friend.texts, "lang": "th", "method": "promptpay"}
		refused, err := friend.ask(friend.phone, "/api/user/trade/pay", body(in), &payment)
		return unexpected("to pay an offer", refused, err)
	})
	if err != nil {
		return err
	}
	p.money += f.Split.Net
	friend.handed[voucher] = true
	return step("paid", payment.ID, func() error { return p.settle(payment.Payment.ChargeID) })
}

// objected is a use to which somebody objects.
type objected struct {
	State string
	Anew  *uuid.UUID `json:"anew_id"`
}

// object uses a voucher and says that it was not he. It returns the use and the objection.
func (p *person) object(step stepper) (use, objection uuid.UUID, err error) {
	use, err = p.useOnce(inPeace)
	if err != nil || use == uuid.Nil {
		return use, objection, err
	}
	err = step("objected", use, func() error {
		refused, err := p.ask(p.phone, "/api/user/objection/make", body(map[string]any{"id": use}), &objected{})
		return unexpected("an objection", refused, err)
	})
	if err != nil {
		return use, objection, err
	}
	return use, objection, p.of.DB.InOrg(context.Background(), p.of.ID, func(tx db.Tx) error {
		return tx.QueryRow(context.Background(), `SELECT id FROM objection WHERE redemption_id = $1`, use).Scan(&objection)
	})
}

// undone waits until he has what he used anew.
func (p *person) undone(use uuid.UUID) error {
	var o objected
	p.anew[use] = true
	return p.sees("a use that was undone", "/api/user/objection/use", body(map[string]any{"id": use}), &o, func() bool { return o.State == "undone" && o.Anew != nil })
}

// objectToUse has the owner undo a use.
func (p *person) objectToUse(step stepper) error {
	use, objection, err := p.object(step)
	if err != nil || use == uuid.Nil {
		return err
	}
	err = step("decided", objection, func() error {
		refused, err := p.ask(p.of.Owner, "/api/owner/objection/decide", body(map[string]any{"id": objection, "undo": true, "answer": ""}), &json.RawMessage{})
		if refused == "objection.decided" { // by himself, and he was not answered
			return nil
		}
		return unexpected("a decision", refused, err)
	})
	if err != nil {
		return err
	}
	return p.undone(use)
}

// Nobody decides until its time is over, which is moved here behind the program's back, and moved back for the audit, as if somebody had decided.
const (
	timeOver = `UPDATE objection SET due_at = made_at + interval '1 millisecond' WHERE id = $1`
	asBefore = `UPDATE objection SET due_at = made_at + interval '48 hours', decided_by = (SELECT id FROM staff LIMIT 1) WHERE id = $1`
)

// objectInVain has nobody decide: the clock undoes the use.
func (p *person) objectInVain(step stepper) error {
	use, objection, err := p.object(inPeace)
	if err != nil || use == uuid.Nil {
		return err
	}
	if err := p.behind(timeOver, objection); err != nil {
		return err
	}
	if err := step("undone by the clock", objection, func() error { return p.enqueue(due{}) }); err != nil {
		return err
	}
	if err := p.undone(use); err != nil {
		return err
	}
	return p.behind(asBefore, objection)
}

// bePushed has a message of his pushed to him: his bank holds a payment back, so his vouchers are frozen, which he is to know at any hour.
func (p *person) bePushed(step stepper) error {
	id, charge, err := p.payInPeace()
	if err != nil || id == uuid.Nil {
		return err
	}
	err = step("gathered", p.id, func() error {
		return step("handed over", uuid.Nil, func() error { // the push has no id yet
			if err := p.gateway(charge, "dispute", nil); err != nil {
				return err
			}
			if err := p.vouchersAre("frozen", id); err != nil {
				return err
			}
			return p.enqueue(gathering{})
		})
	})
	if err != nil {
		return err
	}
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		keys, err := p.pushes()
		switch {
		case err != nil:
			return err
		case len(keys) > 0:
			return p.gateway(charge, "win", nil)
		case time.Since(began) > timeout:
			return fmt.Errorf("nothing pushed after %s", timeout)
		}
	}
}

// pushes are the retry keys of what LINE was given for him.
func (p *person) pushes() (keys []string, err error) {
	var people []struct{ ID, Name string }
	var sent []struct{ Kind, To, Key string }
	for path, into := range map[string]any{"/emulator/people": &people, "/emulator/messages": &sent} {
		if err := readJSON(p.of.LINE.URL+path, into); err != nil {
			return nil, err
		}
	}
	ids := map[string]string{}
	for _, known := range people {
		ids[known.ID] = known.Name
	}
	for _, m := range sent {
		if m.Kind == "push" && ids[m.To] == p.name {
			keys = append(keys, m.Key)
		}
	}
	return keys, nil
}

func readJSON(from string, into any) error {
	res, err := http.Get(from)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(into)
}

const (
	// Each message is pushed once, whatever was killed meanwhile.
	pushedOf    = `SELECT DISTINCT push_id FROM message WHERE customer_id = $1 AND push_id IS NOT NULL`
	notHanded   = `SELECT id FROM push WHERE customer_id = $1 AND state <> 'handed'`
	handedToHim = `SELECT v.id FROM voucher v JOIN orders o ON o.id = v.order_id WHERE v.holder_id = $1 AND o.customer_id <> $1`
	anewOf      = `SELECT undoes FROM voucher WHERE undoes IS NOT NULL AND holder_id = $1`
)

// checkHanded requires that what was handed on is where it should be, and that each push reached him once.
func (p *person) checkHanded() {
	c := p.of
	c.T.Helper()
	await(func() bool { return len(p.handed) == len(c.ids(handedToHim, p)) })
	require.Equal(c.T, p.handed, c.ids(handedToHim, p), "what came from others")
	require.Equal(c.T, p.anew, c.ids(anewOf, p), "what was undone")
	keys, err := p.pushes()
	require.NoError(c.T, err)
	slices.Sort(keys)
	require.Equal(c.T, slices.Compact(slices.Clone(keys)), keys, "nothing is pushed twice")
	pushed := c.ids(pushedOf, p)
	require.Len(c.T, keys, len(pushed), "LINE was given what inboxes say")
	require.Empty(c.T, c.ids(notHanded, p))
}
