package gift

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gate"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
)

const (
	insertGift = `INSERT INTO gift (id, giver_id, state, card, to_name, words, link_hash, digits, days, created_at, begins_at, expires_at, people)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`
	givenBy = `SELECT state, begins_at, expires_at, days, extended_at IS NOT NULL, ` + stillSince + `, people FROM gift WHERE id = $1 AND giver_id = $2`
	extend  = `UPDATE gift SET expires_at = $3, extended_at = $2 WHERE id = $1 AND ended_at IS NULL AND extended_at IS NULL`
	begin   = `UPDATE gift SET state = 'open', begins_at = $2, expires_at = $3 WHERE id = $1 AND state = 'scheduled'`
)

// Give puts a voucher, or some of its items, and what goes along with it, on its way. It returns the faults of consent.Requirements.Check, gate.ErrRequired, customer.ErrDebt,
// idempotency.ErrReused, ErrWhen, and those of voucher.LockLot and voucher.Lot.Check, or voucher.LockAlike and
// voucher.Lot.CheckEach.
func (s *Service) Give(ctx context.Context, who token.Session, key string, in Input) (Gift, error) {
	organisation, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return Gift{}, err
	}
	var required *consent.Requirements
	var asked gate.Checked
	id, err := idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "gift.give", Value: key}, in,
		func(tx db.Tx) {
			required = consent.LockRequirements(tx, consent.ForSignIn, who)
			asked = gate.Queue(tx, organisation, who.Subject)
		},
		func(tx db.Tx, id uuid.UUID) error {
			if err := required.Check(who.Subject); err != nil {
				return err
			}
			if err := asked.Check(who.Subject); err != nil {
				return err
			}
			if debt := required.Debt(who.Subject); debt > 0 {
				return customer.ErrDebt.With(customer.Debt{Amount: debt})
			}
			return s.give(ctx, tx, who, id, in)
		})
	if err != nil {
		return Gift{}, err
	}
	return s.Detail(ctx, who, id)
}

func (s *Service) give(ctx context.Context, tx db.Tx, who token.Session, id uuid.UUID, in Input) error {
	people := max(1, in.People)
	lot, err := lockGoods(ctx, tx, who.Subject, in, people)
	if err != nil {
		return err
	}
	_, hash, err := s.ref(who.Org, id)
	if err != nil {
		return err
	}
	setting, err := ReadSetting(ctx, tx)
	if err != nil {
		return err
	}
	state, begins := open, tx.Now
	if in.Begins != nil {
		if state, begins = scheduled, *in.Begins; !mayBegin(begins, tx.Now, lot.ValidUntil()) {
			return ErrWhen
		}
	}
	tx.Queue(insertGift, id, who.Subject, state, in.Card, in.To, in.Words, hash, in.Digits, setting.Days, tx.Now, begins, lastMoment(begins, lot.ValidUntil(), setting.Days), people)
	if people == 1 {
		lot.Give(tx, id, in.Items)
	} else {
		lot.GiveEach(tx, id, people, in.Items)
	}
	return notice.Send(ctx, tx, token.User, who.Subject, notice.Event{Topic: "gift", ID: &id, State: state})
}

// lockGoods locks what goes to so many people, and checks that it may.
func lockGoods(ctx context.Context, tx db.Tx, giver uuid.UUID, in Input, people int) (lot voucher.Lot, err error) {
	if people == 1 {
		if lot, err = voucher.LockLot(ctx, tx, giver, in.Voucher); err != nil {
			return nil, err
		}
		return lot, lot.Check(tx, in.Voucher, in.Items)
	}
	if lot, err = voucher.LockAlike(ctx, tx, giver, in.Voucher, people, in.Items); err != nil {
		return nil, err
	}
	return lot, lot.CheckEach(tx, in.Voucher, people, in.Items)
}

// mayBegin reports whether a gift of what is valid until a day may be made for a moment.
func mayBegin(moment, now, validUntil time.Time) bool {
	return moment.After(now) && !clock.Day(moment).After(clock.Day(now).AddDate(0, 0, daysAhead)) && !clock.Day(moment).After(validUntil)
}

// Begin opens the link of a gift of the customer's now that would open later, and returns the gift. It changes nothing of one that is open. It
// returns ErrNotFound or ErrOver.
func (s *Service) Begin(ctx context.Context, who token.Session, id uuid.UUID) (Gift, error) {
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		lot, err := voucher.LockGiven(ctx, tx, id)
		if err != nil {
			return err
		}
		t, days, err := readGiven(ctx, tx, who, id)
		if err != nil {
			return err
		}
		switch t.now(tx.Now) {
		case open:
			return nil
		case scheduled:
		default:
			return t.over(tx.Now)
		}
		tx.Queue(begin, id, tx.Now, lastMoment(tx.Now, lot.ValidUntil(), days))
		return notice.Send(ctx, tx, token.User, who.Subject, notice.Event{Topic: "gift", ID: &id, State: open})
	})
	if err != nil {
		return Gift{}, err
	}
	return s.Detail(ctx, who, id)
}

// Withdraw ends a gift of the customer's that nobody has claimed, or an ang-pao, whose rest is his again, and returns it. It changes nothing if it has ended otherwise; its state says
// how. It returns ErrNotFound for anybody else's.
func (s *Service) Withdraw(ctx context.Context, who token.Session, id uuid.UUID) (Gift, error) {
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if _, _, err := readGiven(ctx, tx, who, id); err != nil {
			return err
		}
		_, err := voucher.EndGift(ctx, tx, id, voucher.Withdrawn)
		return err
	})
	if err != nil {
		return Gift{}, err
	}
	return s.Detail(ctx, who, id)
}

// readGiven reads the term of a gift that the customer gave. It returns ErrNotFound for anybody else's.
func readGiven(ctx context.Context, tx db.Tx, who token.Session, id uuid.UUID) (t term, days int, err error) {
	err = tx.QueryRow(ctx, givenBy, id, who.Subject).Scan(&t.state, &t.begins, &t.expires, &days, &t.extended, &t.still, &t.people)
	if errors.Is(err, pgx.ErrNoRows) {
		return t, 0, ErrNotFound
	}
	if err != nil {
		return t, 0, fmt.Errorf("read gift %s: %w", id, err)
	}
	return t, days, nil
}

// Extend makes a link good for as many days more as it had, once, on its last day, and returns the gift. It returns ErrNotFound, ErrOver,
// ErrTooEarly or ErrExtended.
func (s *Service) Extend(ctx context.Context, who token.Session, id uuid.UUID) (Gift, error) {
	err := s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		lot, err := voucher.LockGiven(ctx, tx, id)
		if err != nil {
			return err
		}
		t, days, err := readGiven(ctx, tx, who, id)
		if err != nil {
			return err
		}
		switch {
		case !t.isOpen(tx.Now):
			return t.over(tx.Now)
		case t.extended:
			return ErrExtended
		case !t.mayExtend(tx.Now):
			return ErrTooEarly
		}
		_, err = tx.Exec(ctx, extend, id, tx.Now, lastMoment(tx.Now, lot.ValidUntil(), days))
		if err != nil {
			return fmt.Errorf("extend gift %s: %w", id, err)
		}
		return nil
	})
	if err != nil {
		return Gift{}, err
	}
	return s.Detail(ctx, who, id)
}
