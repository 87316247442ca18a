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
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
)

const (
	byLink = `SELECT g.id, g.giver_id, g.receiver_id, g.state, g.begins_at, g.expires_at, g.extended_at IS NOT NULL, g.digits, g.paused_until,
			c.display_name, c.status = 5, g.to_name, g.card, g.words, g.thanked_at
		FROM gift g JOIN customer c ON c.id = g.giver_id WHERE g.link_hash = $1`
	countOpened = `UPDATE gift SET opened = opened + 1, opened_at = coalesce(opened_at, $2) WHERE id = $1 AND ended_at IS NULL`
	// The try is counted in a statement of its own, so that two at once are two.
	countWrong = `UPDATE gift SET wrong_digits = CASE WHEN wrong_digits + 1 >= $3 THEN 0 ELSE wrong_digits + 1 END,
			paused_until = CASE WHEN wrong_digits + 1 >= $3 THEN $4 ELSE paused_until END
		WHERE id = $1 AND ended_at IS NULL AND (paused_until IS NULL OR paused_until <= $2)`
	claim = `UPDATE gift SET state = 'claimed', receiver_id = $2, ended_at = $3 WHERE id = $1 AND ended_at IS NULL AND begins_at <= $3 AND expires_at > $3`
	thank = `UPDATE gift SET thanked_at = $3 WHERE id = $1 AND receiver_id = $2 AND thanked_at IS NULL RETURNING giver_id`

	// All of a gift are of one version.
	rulesOf = `SELECT v.version_id, ver.conditions_th, ver.conditions_en, v.transfer_rule, v.transfers_left FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id
		JOIN template_version ver ON ver.id = v.version_id WHERE n.gift_id = $1 AND n.event = 'give' LIMIT 1`
)

// linked is a gift that a link leads to.
type linked struct {
	term
	id, giver   uuid.UUID
	receiver    *uuid.UUID
	digits      string
	paused      *time.Time
	from        string
	giverServed bool
	to          string
	card        string
	words       string
	thanked     *time.Time
}

func readLinked(ctx context.Context, tx db.Tx, ref string) (g linked, err error) {
	err = tx.QueryRow(ctx, byLink, token.Hash(ref)).Scan(&g.id, &g.giver, &g.receiver, &g.state, &g.begins, &g.expires, &g.extended, &g.digits, &g.paused,
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
		return ErrOver.With(OverDetail{voucher.Stopped})
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
		g, err := readLinked(ctx, tx, in.Ref)
		if err != nil {
			return err
		}
		person := uuid.Nil
		if who.Audience == token.User {
			person = who.Subject
		}
		own, mine := g.giver == person, g.receiver != nil && *g.receiver == person
		w = Wrapped{State: g.now(tx.Now), Own: own, From: g.from, To: g.to, Card: g.card, ExpiresAt: g.expires, ThankedAt: g.thanked, Contents: []Content{}}
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
	var version uuid.UUID
	if err := tx.QueryRow(ctx, rulesOf, g.id).Scan(&version, &w.ConditionsTH, &w.ConditionsEN, &w.TransferRule, &w.Transfers); err != nil {
		return fmt.Errorf("rules of gift %s: %w", g.id, err)
	}
	if w.State == open {
		w.Transfers = max(0, w.Transfers-1) // the claim takes one
	}
	w.Where, err = voucher.HonouredAt(ctx, tx, version)
	return err
}

// Receive makes what a link leads to the customer's own. Who has claimed it already gets it again. It returns ErrNotFound, ErrOwn, ErrOver,
// ErrDigits, ErrPaused and the faults of consent.Requirements.Check.
func (s *Service) Receive(ctx context.Context, who token.Session, in Link) (Gift, error) {
	id, err := s.take(ctx, who, in, func(ctx context.Context, tx db.Tx, g linked) error {
		lot, err := voucher.LockGiven(ctx, tx, g.id)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, claim, g.id, who.Subject, tx.Now)
		if err != nil {
			return fmt.Errorf("claim gift %s: %w", g.id, err)
		}
		if tag.RowsAffected() == 0 {
			now, err := readLinked(ctx, tx, in.Ref)
			if err != nil {
				return err
			}
			return now.over(tx.Now)
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

// Decline gives back what a link leads to. It returns the faults of Receive.
func (s *Service) Decline(ctx context.Context, who token.Session, in Link) error {
	_, err := s.take(ctx, who, in, func(ctx context.Context, tx db.Tx, g linked) error {
		ended, err := voucher.EndGift(ctx, tx, g.id, voucher.Declined)
		if err != nil {
			return err
		}
		if !ended {
			now, err := readLinked(ctx, tx, in.Ref)
			if err != nil {
				return err
			}
			return now.over(tx.Now)
		}
		return nil
	})
	return err
}

// take admits a customer to what a link leads to, with the giver and him locked, and has then decide. It returns the gift's id also if he has
// claimed it before.
func (s *Service) take(ctx context.Context, who token.Session, in Link, then func(ctx context.Context, tx db.Tx, g linked) error) (id uuid.UUID, err error) {
	var refused error
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		g, err := readLinked(ctx, tx, in.Ref)
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
		if g, err = readLinked(ctx, tx, in.Ref); err != nil { // as it is under the locks
			return err
		}
		id = g.id
		switch {
		case g.receiver != nil && *g.receiver == who.Subject:
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

// Thank has who claimed a gift thank who gave it, once. Doing it again changes nothing. It returns ErrNotFound.
func (s *Service) Thank(ctx context.Context, who token.Session, id uuid.UUID) (Gift, error) {
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		var giver uuid.UUID
		err := tx.QueryRow(ctx, thank, id, who.Subject, tx.Now).Scan(&giver)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("thank for gift %s: %w", id, err)
		}
		if err := message.Write(ctx, tx, giver, message.GiftThanked, id, 0); err != nil {
			return err
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
