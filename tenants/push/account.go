package push

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/platform/money"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
)

// Account is an organisation's official account, and what became of its pushes in this month.
type Account struct {
	ChannelID string `json:"channel_id"`
	SecretEnd string `json:"secret_end" doc:"The last characters of the channel's secret; empty while no account is connected"`
	BasicID   string `json:"basic_id" doc:"With its @"`
	Name      string `json:"name"`
	// State is what the account is doing.
	State        string        `json:"state" enum:"none,untested,sending,refused,resting" doc:"none: no account; untested: nothing is sent before the test; refused: LINE does not take the channel; resting: the month's quota is spent"`
	MonthlyLimit *int          `json:"monthly_limit" nullable:"true" doc:"The organisation's own; null is none"`
	UsesFrom     *money.Amount `json:"uses_from_satang" nullable:"true" doc:"A use by which the organisation earned so much is pushed; null: none for its worth"`
	Quota        *int          `json:"quota" nullable:"true" doc:"Of the account in this month; null is without limit or not counted yet"`
	Used         int           `json:"used" doc:"Of the quota, by LINE's count, in every way of sending"`
	CountedAt    *time.Time    `json:"counted_at" nullable:"true"`
	Handed       int           `json:"handed" doc:"Pushes that LINE took in this month"`
	Waiting      int           `json:"waiting"`
	Unknown      int           `json:"unknown" doc:"Of which LINE did not say whether it took them"`
	Refused      int           `json:"refused"`
	Held         []Held        `json:"held" doc:"Messages of this month that stayed in the inbox"`
}

// Held counts messages that were not pushed for one reason.
type Held struct {
	Reason   string `json:"reason" enum:"late,no_friend,off,quota,limit,saving,enough"`
	Messages int    `json:"messages"`
}

// ChannelInput is a Messaging API channel.
type ChannelInput struct {
	ChannelID string `json:"channel_id" pattern:"^[0-9]{5,20}$"`
	Secret    string `json:"channel_secret" maxLength:"64" doc:"Empty keeps the one that is there"`
}

// ChannelName names a channel.
type ChannelName struct {
	ChannelID string `json:"channel_id" maxLength:"20"`
}

// LimitInput is how many pushes a month an organisation wants at most, and of which uses.
type LimitInput struct {
	MonthlyLimit *int          `json:"monthly_limit" nullable:"true" minimum:"0" maximum:"1000000" doc:"null is no limit of its own"`
	UsesFrom     *money.Amount `json:"uses_from_satang" nullable:"true" minimum:"100" maximum:"1000000000000" doc:"A use by which it earned so much is pushed; null: none for its worth"`
}

// setting is the account as it is kept.
type setting struct {
	channelID     string
	sealed        []byte
	basicID, name string
	testedAt      *time.Time
	refusedAt     *time.Time
	limit         *int
	usesFrom      *money.Amount
	quota         *int
	used          int
	countedAt     *time.Time
	restsUntil    *time.Time
}

const (
	readSetting = `SELECT channel_id, secret, basic_id, name, tested_at, refused_at, monthly_limit, uses_from_satang, quota, used, counted_at, rests_until FROM push_setting`
	lockSetting = readSetting + ` FOR UPDATE`
	saveAccount = `INSERT INTO push_setting (channel_id, secret, basic_id, name, updated_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (one) DO UPDATE SET channel_id = excluded.channel_id, secret = excluded.secret, basic_id = excluded.basic_id, name = excluded.name, updated_at = excluded.updated_at,
			tested_at = NULL, refused_at = NULL, quota = NULL, used = 0, counted_at = NULL, rests_until = NULL`
	removeAccount = `DELETE FROM push_setting WHERE channel_id = $1`
	saveLimit     = `UPDATE push_setting SET monthly_limit = $1, uses_from_satang = $2, updated_at = $3`
	saveTested    = `UPDATE push_setting SET tested_at = $2, refused_at = NULL WHERE channel_id = $1`
	saveRefused   = `UPDATE push_setting SET refused_at = $2 WHERE channel_id = $1`
	saveRest      = `UPDATE push_setting SET rests_until = $2 WHERE channel_id = $1`
	saveQuota     = `UPDATE push_setting SET quota = $2, used = $3, counted_at = $4, rests_until = CASE WHEN $2::integer IS NULL OR $3 < $2 THEN NULL ELSE rests_until END WHERE channel_id = $1`
	countPushes   = `SELECT count(*) FILTER (WHERE state = 'handed'), count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'unknown'), count(*) FILTER (WHERE state = 'refused')
		FROM push WHERE created_at >= $1`
	countHeld = `SELECT held, count(*)::integer FROM message WHERE held <> 'inbox' AND created_at >= $1 GROUP BY held ORDER BY held`
	lineOf    = `SELECT coalesce(line_sub, '') FROM staff WHERE id = $1`
)

// read returns the organisation's account, or nil when it has none.
func read(ctx context.Context, tx db.Tx, sql string) (*setting, error) {
	var s setting
	err := tx.QueryRow(ctx, sql).Scan(&s.channelID, &s.sealed, &s.basicID, &s.name, &s.testedAt, &s.refusedAt, &s.limit, &s.usesFrom, &s.quota, &s.used, &s.countedAt, &s.restsUntil)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // none is an answer
	}
	if err != nil {
		return nil, fmt.Errorf("push setting: %w", err)
	}
	return &s, nil
}

func secretAt(id uuid.UUID) secret.AAD {
	return secret.AAD{Org: id, Column: "push_setting.secret", Row: id}
}

// open returns the channel with its secret.
func (s *Service) open(id uuid.UUID, a *setting) (line.Channel, error) {
	plain, err := s.box.Open(secretAt(id), a.sealed)
	if err != nil {
		return line.Channel{}, fmt.Errorf("push setting: %w", err)
	}
	return line.Channel{ID: a.channelID, Secret: string(plain)}, nil
}

// month is when the month of a time began, in Bangkok.
func month(t time.Time) time.Time {
	y, m, _ := t.In(clock.Bangkok).Date()
	return time.Date(y, m, 1, 0, 0, 0, 0, clock.Bangkok)
}

// Account returns the organisation's account, and what became of its pushes.
func (s *Service) Account(ctx context.Context, who token.Session) (a Account, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		a, err = s.account(ctx, tx, who.Org)
		return err
	})
	return a, err
}

func (s *Service) account(ctx context.Context, tx db.Tx, id uuid.UUID) (a Account, err error) {
	a = Account{State: "none", Held: []Held{}}
	kept, err := read(ctx, tx, readSetting)
	if kept == nil || err != nil {
		return a, err
	}
	ch, err := s.open(id, kept)
	if err != nil {
		return a, err
	}
	a.ChannelID, a.SecretEnd, a.BasicID, a.Name = ch.ID, end(ch.Secret), kept.basicID, kept.name
	a.State, a.MonthlyLimit, a.UsesFrom = kept.state(tx.Now), kept.limit, kept.usesFrom
	a.Quota, a.Used, a.CountedAt = kept.quota, kept.used, kept.countedAt
	since := month(tx.Now)
	if err := tx.QueryRow(ctx, countPushes, since).Scan(&a.Handed, &a.Waiting, &a.Unknown, &a.Refused); err != nil {
		return a, fmt.Errorf("pushes of the month: %w", err)
	}
	rows, err := tx.Query(ctx, countHeld, since)
	if err != nil {
		return a, fmt.Errorf("messages that were held back: %w", err)
	}
	if a.Held, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Held]); err != nil {
		return a, fmt.Errorf("messages that were held back: %w", err)
	}
	return a, nil
}

func (a *setting) state(now time.Time) string {
	switch {
	case a.testedAt == nil:
		return "untested"
	case a.refusedAt != nil:
		return "refused"
	case a.restsUntil != nil && a.restsUntil.After(now):
		return "resting"
	}
	return "sending"
}

// end is what is shown of a secret.
func end(plain string) string { return plain[max(0, len(plain)-4):] }

// accountState is what the audit log keeps: of a secret only its end.
type accountState struct {
	ChannelID string `json:"channel_id"`
	SecretEnd string `json:"secret_end"`
	BasicID   string `json:"basic_id"`
}

// SaveChannel connects the account of a channel, once LINE has confirmed channel and secret. Nothing is sent before Test. It returns
// fault.BadInput with the fields that are wrong, or line.ErrUnavailable.
func (s *Service) SaveChannel(ctx context.Context, who token.Session, by auditlog.Actor, in ChannelInput) (Account, error) {
	ch := line.Channel{ID: in.ChannelID, Secret: in.Secret}
	if ch.Secret == "" {
		before, err := s.kept(ctx, who.Org)
		if err != nil {
			return Account{}, err
		}
		if before == nil || before.channelID != ch.ID {
			return Account{}, fault.At("channel_secret", fault.Required)
		}
		if ch, err = s.open(who.Org, before); err != nil {
			return Account{}, err
		}
	}
	account, err := s.ask(ctx, ch)
	if err != nil {
		return Account{}, err
	}
	sealed, err := s.box.Seal(secretAt(who.Org), []byte(ch.Secret))
	if err != nil {
		return Account{}, fmt.Errorf("push setting: %w", err)
	}
	return s.change(ctx, who, by, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, saveAccount, ch.ID, sealed, account.BasicID, account.Name, tx.Now); err != nil {
			return fmt.Errorf("push setting: %w", err)
		}
		return nil
	})
}

// ask asks LINE whose account a channel is.
func (s *Service) ask(ctx context.Context, ch line.Channel) (line.Account, error) {
	bearer, err := s.line.AccountToken(ctx, ch)
	if err == nil {
		var a line.Account
		if a, err = s.line.Account(ctx, bearer); err == nil {
			return a, nil
		}
	}
	if errors.Is(err, line.ErrChannel) || errors.Is(err, line.ErrRefused) {
		return line.Account{}, fault.At("channel_secret", line.ErrChannel)
	}
	return line.Account{}, err
}

// RemoveChannel takes the account of a channel off. What waits is not sent. It returns ErrNoAccount if the organisation has another account, or
// none.
func (s *Service) RemoveChannel(ctx context.Context, who token.Session, by auditlog.Actor, in ChannelName) (Account, error) {
	return s.change(ctx, who, by, func(tx db.Tx) error {
		removed, err := tx.Exec(ctx, removeAccount, in.ChannelID)
		if err != nil {
			return fmt.Errorf("push setting: %w", err)
		}
		if removed.RowsAffected() == 0 {
			return ErrNoAccount
		}
		return nil
	})
}

// change changes the account, and records it as it was and is.
func (s *Service) change(ctx context.Context, who token.Session, by auditlog.Actor, fn func(tx db.Tx) error) (after Account, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if _, err := read(ctx, tx, lockSetting); err != nil {
			return err
		}
		before, err := s.account(ctx, tx, who.Org)
		if err != nil {
			return err
		}
		if err := fn(tx); err != nil {
			return err
		}
		if after, err = s.account(ctx, tx, who.Org); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, by, "connect_push", "push_setting", accountState{before.ChannelID, before.SecretEnd, before.BasicID},
			accountState{after.ChannelID, after.SecretEnd, after.BasicID})
	})
	return after, err
}

// SaveLimit sets how many pushes a month the organisation wants at most, and of which uses. It returns ErrNoAccount without an account.
func (s *Service) SaveLimit(ctx context.Context, who token.Session, by auditlog.Actor, in LimitInput) (after Account, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		before, err := read(ctx, tx, lockSetting)
		if err != nil {
			return err
		}
		if before == nil {
			return ErrNoAccount
		}
		if _, err := tx.Exec(ctx, saveLimit, in.MonthlyLimit, in.UsesFrom, tx.Now); err != nil {
			return fmt.Errorf("push limit: %w", err)
		}
		if err := auditlog.Record(ctx, tx, by, "change", "push_setting", LimitInput{before.limit, before.usesFrom}, in); err != nil {
			return err
		}
		after, err = s.account(ctx, tx, who.Org)
		return err
	})
	return after, err
}

// Test sends a push to the member of the staff who asks for it. When LINE takes it the account is of the provider of the sign-in, since LINE knows
// a person under another id at another provider; from then on customers are pushed to. It returns ErrNotLinked, ErrProvider, ErrNoAccount,
// line.ErrChannel or line.ErrUnavailable.
func (s *Service) Test(ctx context.Context, who token.Session) (Account, error) {
	kept, err := s.kept(ctx, who.Org)
	if err != nil {
		return Account{}, err
	}
	if kept == nil {
		return Account{}, ErrNoAccount
	}
	var subject string
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error { return tx.QueryRow(ctx, lineOf, who.Subject).Scan(&subject) })
	if err != nil {
		return Account{}, fmt.Errorf("LINE account of %s: %w", who.Subject, err)
	}
	if subject == "" {
		return Account{}, ErrNotLinked
	}
	ch, err := s.open(who.Org, kept)
	if err != nil {
		return Account{}, err
	}
	bearer, err := s.line.AccountToken(ctx, ch)
	if err != nil {
		return Account{}, err
	}
	switch err := s.line.Push(ctx, bearer, db.NewID(), subject, line.Text(testText)); {
	case errors.Is(err, line.ErrRefused):
		return Account{}, ErrProvider
	case errors.Is(err, line.ErrSpent): // LINE knows the person: it counts after it has looked for him
	case err != nil:
		return Account{}, err
	}
	quota, err := s.line.Quota(ctx, bearer)
	if err != nil {
		return Account{}, err
	}
	var after Account
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, saveTested, ch.ID, tx.Now); err != nil {
			return fmt.Errorf("push setting: %w", err)
		}
		if err := countQuota(ctx, tx, ch.ID, quota); err != nil {
			return err
		}
		after, err = s.account(ctx, tx, who.Org)
		return err
	})
	return after, err
}

const testText = "ทดสอบการส่งข้อความจากระบบเวาเชอร์ของร้าน: ใช้งานได้แล้ว\nA test of your shop’s voucher messages: it works."

func (s *Service) kept(ctx context.Context, id uuid.UUID) (a *setting, err error) {
	err = s.db.ReadInOrg(ctx, id, func(tx db.Tx) error {
		a, err = read(ctx, tx, readSetting)
		return err
	})
	return a, err
}

// countQuota stores what LINE has counted.
func countQuota(ctx context.Context, tx db.Tx, channel string, q line.Quota) error {
	var limit *int
	if q.Limited {
		limit = &q.Value
	}
	if _, err := tx.Exec(ctx, saveQuota, channel, limit, q.Used, tx.Now); err != nil {
		return fmt.Errorf("push quota: %w", err)
	}
	return nil
}

// Count asks LINE how much of the month's quota is left. A worker calls it for each organisation that pushes.
func (s *Service) Count(ctx context.Context, id uuid.UUID) error {
	kept, err := s.kept(ctx, id)
	if err != nil || kept == nil {
		return err
	}
	ch, err := s.open(id, kept)
	if err != nil {
		return err
	}
	bearer, err := s.line.AccountToken(ctx, ch)
	var quota line.Quota
	if err == nil {
		quota, err = s.line.Quota(ctx, bearer)
	}
	if errors.Is(err, line.ErrChannel) || errors.Is(err, line.ErrRefused) {
		return s.refuse(ctx, id, ch.ID)
	}
	if err != nil {
		return err
	}
	return s.db.InOrg(ctx, id, func(tx db.Tx) error { return countQuota(ctx, tx, ch.ID, quota) })
}

// refuse stores that LINE does not take the channel. Nothing is sent until it is connected or tested anew.
func (s *Service) refuse(ctx context.Context, id uuid.UUID, channel string) error {
	return s.db.InOrg(ctx, id, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, saveRefused, channel, tx.Now); err != nil {
			return fmt.Errorf("push setting: %w", err)
		}
		return nil
	})
}

// Sends reports whether the organisation pushes.
func Sends(ctx context.Context, tx db.Tx) (bool, error) {
	kept, err := read(ctx, tx, readSetting)
	return kept != nil && kept.testedAt != nil && kept.refusedAt == nil, err
}
