package push

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/line"
	"welovevoucher/platform/queue"
)

// triedFor is how long a push is tried. LINE keeps a retry key for a day; after that a second try could arrive twice.
const triedFor = 23 * time.Hour

const (
	readPush = `SELECT p.body, p.created_at, c.line_sub FROM push p JOIN customer c ON c.id = p.customer_id WHERE p.id = $1 AND p.state = 'waiting' AND p.tries = $2`
	endPush  = `UPDATE push SET state = $2, body = NULL, tries = tries + 1, ended_at = $3 WHERE id = $1 AND state = 'waiting'`
	tryAgain = `UPDATE push SET tries = tries + 1 WHERE id = $1 AND state = 'waiting'`
	heldOf   = `UPDATE message SET held = 'quota' WHERE push_id = $1`
)

// pause is how long to wait after so many tries: a minute, then twice as long each time, an hour at most.
func pause(tries int) time.Duration { return min(time.Minute<<min(tries, 6), time.Hour) }

// Send hands a push to LINE, or stores why it is over. Where LINE does not answer it is tried again under the same key for 23 hours.
func (s *Service) Send(ctx context.Context, id uuid.UUID, job SendJob) error {
	var body []line.Message
	var created time.Time
	var subject string
	var account *setting
	err := s.db.ReadInOrg(ctx, id, func(tx db.Tx) (err error) {
		if err := tx.QueryRow(ctx, readPush, job.Push, job.Try).Scan(&body, &created, &subject); err != nil {
			return err
		}
		account, err = read(ctx, tx, readSetting)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it is over, this try was made, or its person was erased
	}
	if err != nil {
		return fmt.Errorf("push %s: %w", job.Push, err)
	}
	now := s.db.Now()
	switch {
	case account == nil || account.testedAt == nil || account.refusedAt != nil:
		return s.end(ctx, id, job, "refused")
	case now.Sub(created) >= triedFor:
		return s.end(ctx, id, job, "unknown")
	}
	ch, err := s.open(id, account)
	if err != nil {
		return err
	}
	bearer, err := s.line.AccountToken(ctx, ch)
	if err == nil {
		err = s.line.Push(ctx, bearer, job.Push, subject, body...)
	}
	switch {
	case err == nil:
		return s.end(ctx, id, job, "handed")
	case errors.Is(err, line.ErrSpent):
		return s.rest(ctx, id, job, ch.ID, bearer)
	case errors.Is(err, line.ErrChannel):
		return errors.Join(s.refuse(ctx, id, ch.ID), s.end(ctx, id, job, "refused"))
	case errors.Is(err, line.ErrRefused):
		return s.end(ctx, id, job, "refused")
	}
	return s.db.InOrg(ctx, id, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, tryAgain, job.Push); err != nil {
			return fmt.Errorf("push %s: %w", job.Push, err)
		}
		next := min(pause(job.Try), created.Add(triedFor).Sub(tx.Now))
		return queue.EnqueueAt(ctx, tx, tx.Now.Add(next), SendJob{Push: job.Push, Try: job.Try + 1})
	})
}

// end stores how a push ended.
func (s *Service) end(ctx context.Context, id uuid.UUID, job SendJob, state string) error {
	return s.db.InOrg(ctx, id, func(tx db.Tx) error { return endIn(ctx, tx, job, state) })
}

func endIn(ctx context.Context, tx db.Tx, job SendJob, state string) error {
	if _, err := tx.Exec(ctx, endPush, job.Push, state, tx.Now); err != nil {
		return fmt.Errorf("push %s is %s: %w", job.Push, state, err)
	}
	return nil
}

// rest stores that the month's quota is spent: until the next month, or for an hour where LINE has counted less than the quota, since a
// sending of many people reserves some and may give it back.
func (s *Service) rest(ctx context.Context, id uuid.UUID, job SendJob, channel, bearer string) error {
	quota, err := s.line.Quota(ctx, bearer)
	if err != nil {
		return err
	}
	return s.db.InOrg(ctx, id, func(tx db.Tx) error {
		if err := countQuota(ctx, tx, channel, quota); err != nil {
			return err
		}
		until := month(tx.Now).AddDate(0, 1, 0)
		if quota.Limited && quota.Used < quota.Value {
			until = tx.Now.Add(time.Hour)
		}
		if _, err := tx.Exec(ctx, saveRest, channel, until); err != nil {
			return fmt.Errorf("push setting: %w", err)
		}
		if _, err := tx.Exec(ctx, heldOf, job.Push); err != nil {
			return fmt.Errorf("messages of push %s: %w", job.Push, err)
		}
		return endIn(ctx, tx, job, "spent")
	})
}
