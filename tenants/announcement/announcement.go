// Package announcement keeps what the platform's people announce in the offices of organisations.
package announcement

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
)

// Service keeps announcements.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{d} }

// Faults of announcements.
var (
	ErrEnded    = fault.New(fault.Conflict, "announcement.ended", "This announcement has ended. Please write a new one")
	ErrPastTime = fault.New(fault.Invalid, "field.past_time", "this time is over")
	ErrNotAfter = fault.New(fault.Invalid, "field.not_after", "the end has to be after the beginning")
	ErrFarTime  = fault.New(fault.Invalid, "field.far_time", "this time is more than a year from now")
	errNoAuthor = errors.New("announcement: an admin is not in the platform's list")
)

// maxAway bounds how far the times of an announcement are from now.
const maxAway = 366 * 24 * time.Hour

// Content is what an admin writes.
type Content struct {
	Kind    string      `json:"kind" enum:"news,maintenance,important" doc:"Who has read news may put them away"`
	TitleTH string      `json:"title_th" minLength:"1" maxLength:"120"`
	TitleEN string      `json:"title_en" minLength:"1" maxLength:"120"`
	TextTH  string      `json:"text_th" minLength:"1" maxLength:"1000"`
	TextEN  string      `json:"text_en" minLength:"1" maxLength:"1000"`
	From    time.Time   `json:"from" doc:"When offices show it"`
	Until   time.Time   `json:"until" doc:"When they no longer do"`
	Plans   []uuid.UUID `json:"plans" maxItems:"50" doc:"Whose organisations read it; none: all"`
}

// Announcement is one as admins list it.
type Announcement struct {
	ID uuid.UUID `json:"id"`
	Content
	State     string    `json:"state" enum:"planned,shown,over,withdrawn"`
	AddedBy   string    `json:"added_by" doc:"Name of the admin"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Change is an announcement as it is to be.
type Change struct {
	ID        uuid.UUID `json:"id"`
	UpdatedAt time.Time `json:"updated_at" doc:"As it was read"`
	Content
}

// Notice is an announcement as an office shows it.
type Notice struct {
	ID        uuid.UUID `json:"id"`
	Kind      string    `json:"kind" enum:"news,maintenance,important"`
	TitleTH   string    `json:"title_th"`
	TitleEN   string    `json:"title_en"`
	TextTH    string    `json:"text_th"`
	TextEN    string    `json:"text_en"`
	Until     time.Time `json:"until"`
	UpdatedAt time.Time `json:"updated_at" doc:"What was put away is shown again after a change"`
}

// maxNotices is how many announcements an office shows at once.
const maxNotices = 10

const (
	announcements = `SELECT a.id, a.kind, a.title_th, a.title_en, a.text_th, a.text_en, a.shows_from, a.shows_until, a.plan_ids,
			CASE WHEN a.withdrawn_at IS NOT NULL THEN 'withdrawn' WHEN a.shows_until <= $1 THEN 'over' WHEN a.shows_from > $1 THEN 'planned' ELSE 'shown' END, b.name, a.created_at, a.updated_at
		FROM announcement a JOIN admin b ON b.id = a.added_by WHERE $2::uuid IS NULL OR a.id < $2 ORDER BY a.id DESC LIMIT $3`
	lockAnnouncement = `SELECT kind, title_th, title_en, text_th, text_en, shows_from, shows_until, plan_ids, updated_at, withdrawn_at FROM announcement WHERE id = $1 FOR UPDATE`
	unknownPlan      = `SELECT p.id FROM unnest($1::uuid[]) p (id) WHERE NOT EXISTS (SELECT 1 FROM plan WHERE plan.id = p.id) LIMIT 1`
	insert           = `INSERT INTO announcement (id, kind, title_th, title_en, text_th, text_en, shows_from, shows_until, plan_ids, added_by, created_at, updated_at)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, a.id, $11, $11 FROM admin a WHERE a.id = $10`
	update     = `UPDATE announcement SET kind = $2, title_th = $3, title_en = $4, text_th = $5, text_en = $6, shows_from = $7, shows_until = $8, plan_ids = $9, updated_at = $10 WHERE id = $1`
	withdraw   = `UPDATE announcement SET withdrawn_at = $2, updated_at = $2 WHERE id = $1`
	shownToOrg = `SELECT a.id, a.kind, a.title_th, a.title_en, a.text_th, a.text_en, a.shows_until, a.updated_at FROM announcement a
		WHERE a.withdrawn_at IS NULL AND a.shows_from <= $1 AND a.shows_until > $1
			AND (a.plan_ids = '{}' OR (SELECT o.plan_id FROM organisation o WHERE o.id = $2) = ANY (a.plan_ids))
		ORDER BY a.kind = 'important' DESC, a.kind = 'maintenance' DESC, a.shows_from DESC, a.id LIMIT $3`
)

// List returns a page of announcements, the newest first: at most limit of those added before the one with the id after.
func (s *Service) List(ctx context.Context, after *uuid.UUID, limit int) (list []Announcement, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, announcements, tx.Now, after, limit)
		if err != nil {
			return fmt.Errorf("announcements: %w", err)
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (a Announcement, err error) {
			err = row.Scan(&a.ID, &a.Kind, &a.TitleTH, &a.TitleEN, &a.TextTH, &a.TextEN, &a.From, &a.Until, &a.Plans, &a.State, &a.AddedBy, &a.CreatedAt, &a.UpdatedAt)
			return a, err
		})
		return err
	})
	return list, err
}

// Shown returns what an organisation's office shows now: what is important first, then maintenance, then news.
func (s *Service) Shown(ctx context.Context, org uuid.UUID) (list []Notice, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, shownToOrg, tx.Now, org, maxNotices)
		if err != nil {
			return fmt.Errorf("announcements to organisation %s: %w", org, err)
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Notice])
		return err
	})
	return list, err
}

// Add adds an announcement. It returns fault.BadInput.
func (s *Service) Add(ctx context.Context, who auditlog.Actor, in Content) (uuid.UUID, error) {
	in = in.tidy()
	id := db.NewID()
	return id, s.db.InPlatform(ctx, func(tx db.Tx) error {
		if err := in.check(ctx, tx); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, insert, id, in.Kind, in.TitleTH, in.TitleEN, in.TextTH, in.TextEN, in.From, in.Until, in.Plans, who.ID, tx.Now)
		if err != nil {
			return fmt.Errorf("add an announcement: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return errNoAuthor
		}
		return record(ctx, tx, who, "add", id, nil, in)
	})
}

// Save changes an announcement. It returns fault.Missing, fault.BadInput, ErrEnded for one that was withdrawn or is over, and
// resource.ErrChangedMeanwhile.
func (s *Service) Save(ctx context.Context, who auditlog.Actor, in Change) error {
	in.Content = in.tidy()
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		before, err := lock(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		if !before.updatedAt.Equal(in.UpdatedAt) {
			return resource.ErrChangedMeanwhile
		}
		if err := in.check(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, update, in.ID, in.Kind, in.TitleTH, in.TitleEN, in.TextTH, in.TextEN, in.From, in.Until, in.Plans, tx.Now); err != nil {
			return fmt.Errorf("change announcement %s: %w", in.ID, err)
		}
		return record(ctx, tx, who, "change", in.ID, before.Content, in.Content)
	})
}

// Withdraw has offices show an announcement no longer, whatever its end. It returns fault.Missing, and ErrEnded for one that was
// withdrawn or is over.
func (s *Service) Withdraw(ctx context.Context, who auditlog.Actor, id uuid.UUID) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		before, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, withdraw, id, tx.Now); err != nil {
			return fmt.Errorf("withdraw announcement %s: %w", id, err)
		}
		return record(ctx, tx, who, "withdraw", id, before.Content, nil)
	})
}

// tidy trims the texts, sorts the plans and has each once.
func (c Content) tidy() Content {
	for _, text := range []*string{&c.TitleTH, &c.TitleEN, &c.TextTH, &c.TextEN} {
		*text = strings.TrimSpace(*text)
	}
	c.From, c.Until = c.From.UTC(), c.Until.UTC()
	c.Plans = slices.Clone(c.Plans)
	slices.SortFunc(c.Plans, func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })
	c.Plans = slices.Compact(c.Plans)
	if c.Plans == nil {
		c.Plans = []uuid.UUID{}
	}
	return c
}

// check returns a fault for each field that is wrong.
func (c Content) check(ctx context.Context, tx db.Tx) error {
	var wrong []fault.Field
	at := func(path string, f *fault.Fault) { wrong = append(wrong, fault.Field{Path: path, Fault: f.Code}) }
	for _, field := range []struct{ path, text string }{{"title_th", c.TitleTH}, {"title_en", c.TitleEN}, {"text_th", c.TextTH}, {"text_en", c.TextEN}} {
		if field.text == "" {
			at(field.path, fault.Required)
		}
	}
	if away := c.From.Sub(tx.Now); away > maxAway || away < -maxAway {
		at("from", ErrFarTime)
	}
	switch {
	case !c.Until.After(c.From):
		at("until", ErrNotAfter)
	case !c.Until.After(tx.Now):
		at("until", ErrPastTime)
	case c.Until.Sub(tx.Now) > maxAway:
		at("until", ErrFarTime)
	}
	var unknown uuid.UUID
	switch err := tx.QueryRow(ctx, unknownPlan, c.Plans).Scan(&unknown); {
	case err == nil:
		at("plans", fault.NotInList)
	case !errors.Is(err, pgx.ErrNoRows):
		return fmt.Errorf("plans of an announcement: %w", err)
	}
	if len(wrong) > 0 {
		return fault.Of(wrong...)
	}
	return nil
}

type kept struct {
	Content
	updatedAt time.Time
}

// lock returns an announcement that is not over until the transaction ends. It returns fault.Missing and ErrEnded.
func lock(ctx context.Context, tx db.Tx, id uuid.UUID) (k kept, err error) {
	var withdrawn *time.Time
	err = tx.QueryRow(ctx, lockAnnouncement, id).Scan(&k.Kind, &k.TitleTH, &k.TitleEN, &k.TextTH, &k.TextEN, &k.From, &k.Until, &k.Plans, &k.updatedAt, &withdrawn)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return k, fault.Missing
	case err != nil:
		return k, fmt.Errorf("announcement %s: %w", id, err)
	case withdrawn != nil || !k.Until.After(tx.Now):
		return k, ErrEnded
	}
	return k, nil
}

func record(ctx context.Context, tx db.Tx, who auditlog.Actor, action string, id uuid.UUID, before, after any) error {
	return auditlog.Record(ctx, tx, who, action, "announcement/"+id.String(), before, after)
}
