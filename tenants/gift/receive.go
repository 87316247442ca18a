package gift

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
)

const (
	byLink = `SELECT g.id, g.giver_id, g.people, (SELECT count(*) FROM gift_taker o WHERE o.gift_id = g.id), coalesce(g.receiver_id = $2, false) OR t.gift_id IS NOT NULL,
			g.state, g.begins_at, g.expires_at, g.extended_at IS NOT NULL, ` + stillSince + `, g.digits, g.paused_until,
			c.display_name, c.status = 5, g.to_name, g.card, g.words, coalesce(t.thanked_at, g.thanked_at)
		FROM gift g JOIN customer c ON c.id = g.giver_id LEFT JOIN gift_taker t ON t.gift_id = g.id AND t.customer_id = $2 WHERE g.link_hash = $1`
	countOpened = `UPDATE gift SET opened = opened + 1, opened_at = coalesce(opened_at, $2) WHERE id = $1 AND ended_at IS NULL`
	// The try is counted in a statement of its own, so that two at once are two.
	countWrong = `UPDATE gift SET wrong_digits = CASE WHEN wrong_digits + 1 >= $3 THEN 0 ELSE wrong_digits + 1 END,
			paused_until = CASE WHEN wrong_digits + 1 >= $3 THEN $4 ELSE paused_until END
		WHERE id = $1 AND ended_at IS NULL AND (paused_until IS NULL OR paused_until <= $2)`
	claim = `UPDATE gift SET state = 'claimed', receiver_id = $2, ended_at = $3 WHERE id = $1 AND ended_at IS NULL AND begins_at <= $3 AND expires_at > $3`
	// With the last one it has ended.
	takeOne = `UPDATE gift SET state = CASE WHEN $3 THEN 'claimed' ELSE state END, ended_at = CASE WHEN $3 THEN $2::timestamptz END
		WHERE id = $1 AND ended_at IS NULL AND begins_at <= $2 AND expires_at > $2`
	insertTaker = `INSERT INTO gift_taker (gift_id, customer_id, voucher_id, taken_at) VALUES ($1, $2, $3, $4)`
	thank       = `UPDATE gift SET thanked_at = $3 WHERE id = $1 AND receiver_id = $2 AND thanked_at IS NULL RETURNING giver_id`
	thankOne    = `UPDATE gift_taker t SET thanked_at = $3 FROM gift g WHERE t.gift_id = $1 AND t.customer_id = $2 AND t.thanked_at IS NULL AND g.id = t.gift_id RETURNING g.giver_id`

	// All of a gift are of one version.
	rulesOf = `SELECT v.version_id, ver.conditions_th, ver.conditions_en, v.transfer_rule, v.transfers_left, ` + catalog.ConditionColumns + ` FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id
		JOIN template_version ver ON ver.id = v.version_id WHERE n.gift_id = $1 AND n.event = 'give' LIMIT 1`
)

// linked is a gift that a link leads to.
type linked struct {
	term
	id, giver   uuid.UUID
	taken       int
	mine        bool // claimed, or taken one of, by the person who asks
	digits      string
	paused      *time.Time
	from        string
	giverServed bool
	to          string
	card        string
	words       string
	thanked     *time.Time
}

func readLinked(ctx context.Context, tx db.Tx, ref string, person uuid.UUID) (g linked, err error) {
	err = tx.QueryRow(ctx, byLink, token.Hash(ref), person).Scan(&g.id, &g.giver, &g.people, &g.taken, &g.mine, &g.state, &g.begins, &g.expires, &g.extended, &g.still, &g.digits, &g.paused,
		&g.from, &g.giverServed, &g.to, &g.card, &g.words, &g.thanked)
	if errors.Is(err, pgx.ErrNoRows) {
		return g, ErrNotFound
	}
	if err != nil {
		return g, fmt.Errorf("gift of a link: %w", err)
	}
	return g, nil
}

// admit returns why nobody may claim the gift now: ErrOver.
func (g linked) admit(now time.Time) error {
	switch {
	case !g.isOpen(now):
		return g.over(now)
	case !g.giverServed: // his gifts do not go on; they come back at their end
		return ErrOver.With(OverDetail{voucher.Stopped, g.people})
	}
	return nil
}

// unlock returns nil if nothing locks the gift, or the digits open it, and ErrPaused or ErrDigits otherwise.
func (g linked) unlock(now time.Time, digits string) error {
	switch {
	case g.digits == "":
		return nil
	case g.paused != nil && now.Before(*g.paused):
		return ErrPaused.With(PausedDetail{*g.paused})
	case g.digits != digits:
		return ErrDigits
	}
	return nil
}

// refuse counts wrong digits that somebody has tried. They stay counted, so its error does not undo the transaction: the caller returns refused
// after the commit.
func (g linked) refuse(ctx context.Context, tx db.Tx, in Link, why error) (refused, err error) {
	if !errors.Is(why, ErrDigits) || in.Digits == "" {
		return why, nil
	}
	if _, err := tx.Exec(ctx, countWrong, g.id, tx.Now, triesOfDigits, tx.Now.Add(pause)); err != nil {
		return nil, fmt.Errorf("count wrong digits of gift %s: %w", g.id, err)
	}
	return why, nil
}

// Open returns what a link leads to, for somebody who may not be signed in. It counts that somebody else than the giver has seen it. It
// returns ErrNotFound, ErrOver, and ErrDigits or ErrPaused if digits are given.
func (s *Service) Open(ctx context.Context, who token.Session, in Link) (w Wrapped, err error) {
	var refused error
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		person := uuid.Nil
		if who.Audience == token.User {
			person = who.Subject
		}
		g, err := readLinked(ctx, tx, in.Ref, person)
		if err != nil {
			return err
		}
		own, mine := g.giver == person, g.mine
		w = Wrapped{State: g.now(tx.Now), People: g.people, Left: g.people - g.taken, Takers: []Taker{}, Own: own, From: g.from, To: g.to, Card: g.card, ExpiresAt: g.expires, ThankedAt: g.thanked, Contents: []Content{}}
		if mine {
			w.State = claimed
		}
		if own || mine {
			w.ID = &g.id
		} else if err := g.admit(tx.Now); err != nil {
			return err
		}
		if own && !g.isOpen(tx.Now) {
			return g.over(tx.Now)
		}
		if !own && !mine {
			if _, err := tx.Exec(ctx, countOpened, g.id, tx.Now); err != nil {
				return fmt.Errorf("count who opened gift %s: %w", g.id, err)
			}
			// That has locked it. Who guesses many times at once meets it as the guess before has left it.
			if g, err = readLinked(ctx, tx, in.Ref, person); err != nil {
				return err
			}
			if err := g.admit(tx.Now); err != nil {
				return err
			}
			if why := g.unlock(tx.Now, in.Digits); why != nil {
				w.Locked = true
				if in.Digits == "" && errors.Is(why, ErrDigits) {
					return nil
				}
				refused, err = g.refuse(ctx, tx, in, why)
				return err
			}
		}
		w.Words = g.words
		return w.unwrap(ctx, tx, g, person)
	})
	if err == nil {
		err = refused
	}
	return w, err
}

// unwrap reads what is in the gift.
func (w *Wrapped) unwrap(ctx context.Context, tx db.Tx, g linked, person uuid.UUID) error {
	all, err := readContents(ctx, tx, person, []uuid.UUID{g.id})
	if err != nil {
		return err
	}
	w.Contents = all[g.id]
	if g.mine && g.people > 1 {
		takers, err := readTakers(ctx, tx, person, []uuid.UUID{g.id})
		if err != nil {
			return err
		}
		w.Takers = takers[g.id]
	}
	var version uuid.UUID
	var conditions catalog.Conditions
	err = tx.QueryRow(ctx, rulesOf, g.id).Scan(append([]any{&version, &w.ConditionsTH, &w.ConditionsEN, &w.TransferRule, &w.Transfers}, catalog.ConditionTargets(&conditions)...)...)
	if err != nil {
		return fmt.Errorf("rules of gift %s: %w", g.id, err)
	}
	w.Sentences = conditions.Sentences()
	if w.State == open {
		w.Transfers = max(0, w.Transfers-1) // the claim takes one
	}
	w.Where, err = voucher.HonouredAt(ctx, tx, version)
	return err
}

// Receive makes what a link leads to the customer's own, or one voucher of an ang-pao. Who has claimed it already gets it again. It returns
// ErrNotFound, ErrOwn, ErrHadOne, ErrOver, ErrDigits, ErrPaused and the faults of consent.Requirements.Check.
func (s *Service) Receive(ctx context.Context, who token.Session, in Link) (Gift, error) {
	id, err := s.take(ctx, who, in, func(ctx context.Context, tx db.Tx, g linked) error {
		lot, err := voucher.LockGiven(ctx, tx, g.id)
		if err != nil {
			return err
		}
		if g.people > 1 {
			return g.takeOne(ctx, tx, who, in, lot)
		}
		tag, err := tx.Exec(ctx, claim, g.id, who.Subject, tx.Now)
		if err != nil {
			return fmt.Errorf("claim gift %s: %w", g.id, err)
		}
		if tag.RowsAffected() == 0 {
			return whyOver(ctx, tx, who, in)
		}
		lot.Claim(tx, g.id, who.Subject)
		event := notice.Event{Topic: "gift", ID: &g.id, State: claimed}
		if err := notice.Send(ctx, tx, token.User, who.Subject, event); err != nil {
			return err
		}
		if err := message.Write(ctx, tx, g.giver, message.GiftClaimed, g.id, 0); err != nil {
			return err
		}
		return notice.Send(ctx, tx, token.User, g.giver, event)
	})
	if err != nil {
		return Gift{}, err
	}
	return s.Detail(ctx, who, id)
}

// whyOver returns why a gift could not be claimed any more that was open when it was read: another was faster.
func whyOver(ctx context.Context, tx db.Tx, who token.Session, in Link) error {
	now, err := readLinked(ctx, tx, in.Ref, who.Subject)
	if err != nil {
		return err
	}
	return now.over(tx.Now)
}

// takeOne makes a voucher of an ang-pao the customer's own, who has none of it. What is left of it is locked: nobody else takes one meanwhile, and
// it does not end. Its giver has a message when the first and when the last one is taken.
func (g linked) takeOne(ctx context.Context, tx db.Tx, who token.Session, in Link, left voucher.Lot) error {
	if len(left) == 0 {
		return whyOver(ctx, tx, who, in)
	}
	last := len(left) == 1
	tag, err := tx.Exec(ctx, takeOne, g.id, tx.Now, last)
	if err != nil {
		return fmt.Errorf("take one of %s: %w", g.id, err)
	}
	if tag.RowsAffected() == 0 {
		return whyOver(ctx, tx, who, in)
	}
	one := left[:1]
	one.Claim(tx, g.id, who.Subject)
	tx.Queue(insertTaker, g.id, who.Subject, one[0].ID, tx.Now)
	event := notice.Event{Topic: "gift", ID: &g.id, State: claimed}
	for _, person := range []uuid.UUID{who.Subject, g.giver} {
		if err := notice.Send(ctx, tx, token.User, person, event); err != nil {
			return err
		}
	}
	switch {
	case last:
		return message.Write(ctx, tx, g.giver, message.GiftAllTaken, g.id, 0)
	case len(left) == g.people:
		return message.Write(ctx, tx, g.giver, message.GiftFirstTaken, g.id, 0)
	}
	return nil
}

// Decline gives back what a link leads to. An ang-pao stays for the others. It returns the faults of Receive.
func (s *Service) Decline(ctx context.Context, who token.Session, in Link) error {
	_, err := s.take(ctx, who, in, func(ctx context.Context, tx db.Tx, g linked) error {
		if g.people > 1 {
			return nil
		}
		ended, err := voucher.EndGift(ctx, tx, g.id, voucher.Declined)
		if err == nil && !ended {
			err = whyOver(ctx, tx, who, in)
		}
		return err
	})
	return err
}

// take admits a customer to what a link leads to, with the giver and him locked, and has then decide. It returns the gift's id also if he has
// claimed it before, and ErrHadOne if he has taken one of an ang-pao.
func (s *Service) take(ctx context.Context, who token.Session, in Link, then func(ctx context.Context, tx db.Tx, g linked) error) (id uuid.UUID, err error) {
	var refused error
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		g, err := readLinked(ctx, tx, in.Ref, who.Subject)
		if err != nil {
			return err
		}
		customer.Lock(tx, g.giver, who.Subject)
		required := consent.LockRequirements(tx, consent.ForSignIn, who)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if err := required.Check(who.Subject); err != nil {
			return err
		}
		if g, err = readLinked(ctx, tx, in.Ref, who.Subject); err != nil { // as it is under the locks
			return err
		}
		id = g.id
		switch {
		case g.mine && g.people > 1:
			return ErrHadOne
		case g.mine:
			return nil
		case g.giver == who.Subject:
			return ErrOwn
		}
		if err := g.admit(tx.Now); err != nil {
			return err
		}
		if why := g.unlock(tx.Now, in.Digits); why != nil {
			refused, err = g.refuse(ctx, tx, in, why)
			return err
		}
		return then(ctx, tx, g)
	})
	if err == nil {
		err = refused
	}
	return id, err
}

// Thank has who claimed a gift, or took one of an ang-pao, thank who gave it, once. Doing it again changes nothing. The giver of an ang-pao sees
// the thanks on its page, and has no message for each. It returns ErrNotFound.
func (s *Service) Thank(ctx context.Context, who token.Session, id uuid.UUID) (Gift, error) {
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		var giver uuid.UUID
		err := tx.QueryRow(ctx, thank, id, who.Subject, tx.Now).Scan(&giver)
		if err == nil {
			err = message.Write(ctx, tx, giver, message.GiftThanked, id, 0)
		} else if errors.Is(err, pgx.ErrNoRows) {
			err = tx.QueryRow(ctx, thankOne, id, who.Subject, tx.Now).Scan(&giver)
		}
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("thank for gift %s: %w", id, err)
		}
		return notice.Send(ctx, tx, token.User, giver, notice.Event{Topic: "gift", ID: &id, State: "thanked"})
	})
	if errors.Is(err, ErrNotFound) {
		if g, e := s.Detail(ctx, who, id); e == nil && g.ThankedAt != nil && !g.Given {
			return g, nil // he has
		}
	}
	if err != nil {
		return Gift{}, err
	}
	return s.Detail(ctx, who, id)
}
