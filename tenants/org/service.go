package org

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/platform/secret"
)

// Service changes an organisation's own record.
type Service struct {
	db        *db.DB
	directory *Directory
	box       *secret.Box
}

// New returns the service.
func New(d *db.DB, directory *Directory, box *secret.Box) *Service {
	return &Service{db: d, directory: directory, box: box}
}

// ErrNoLine says that the organisation has no LINE channel, so nobody can sign in by LINE.
var ErrNoLine = fault.New(fault.Conflict, "org.no_line_channel", "This organisation has no LINE channel yet")

// LineChannel is the LINE Login channel of an organisation, with its secret. It returns ErrNoLine when there is none.
func (s *Service) LineChannel(ctx context.Context, id uuid.UUID) (line.Channel, error) {
	o, err := s.directory.ByID(ctx, id)
	if err != nil {
		return line.Channel{}, err
	}
	if o.LineChannel == "" || len(o.lineSecret) == 0 {
		return line.Channel{}, ErrNoLine
	}
	plain, err := s.box.Open(LineSecretAAD(id), o.lineSecret)
	if err != nil {
		return line.Channel{}, fmt.Errorf("LINE channel of %s: %w", o.Unique, err)
	}
	return line.Channel{ID: o.LineChannel, Secret: string(plain)}, nil
}

// LineSecretAAD binds an organisation's channel secret to its row.
func LineSecretAAD(id uuid.UUID) secret.AAD {
	return secret.AAD{Org: id, Column: "organisation.line_secret", Row: id}
}

// Settings are the fields of the organisation's record that an owner may change.
type Settings struct {
	NameTH            string     `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN            string     `json:"name_en" minLength:"1" maxLength:"80"`
	TaglineTH         string     `json:"tagline_th" maxLength:"120"`
	TaglineEN         string     `json:"tagline_en" maxLength:"120"`
	Primary           string     `json:"background_color_primary" pattern:"^#[0-9a-f]{6}$"`
	Secondary         string     `json:"background_color_secondary" pattern:"^#[0-9a-f]{6}$"`
	Logo              *uuid.UUID `json:"logo_id" nullable:"true" doc:"A picture uploaded before"`
	RegisterBeforeUse bool       `json:"register_before_use"`
}

const saveSettings = `UPDATE organisation SET name_th = $2, name_en = $3, tagline_th = $4, tagline_en = $5, colour_primary = $6,
	colour_secondary = $7, logo_id = $8, register_before_use = $9, updated_at = $10 WHERE id = $1`

// Settings returns them as they are saved.
func (o Org) Settings() Settings {
	set := Settings{
		NameTH: o.NameTH, NameEN: o.NameEN, TaglineTH: o.TaglineTH, TaglineEN: o.TaglineEN,
		Primary: o.Primary, Secondary: o.Secondary, RegisterBeforeUse: o.RegisterBeforeUse,
	}
	if o.Logo != uuid.Nil {
		set.Logo = &o.Logo
	}
	return set
}

const lockOrg = `SELECT id FROM organisation WHERE id = $1 FOR UPDATE`

// SaveSettings changes the organisation of the session, and writes the change down in the platform's audit, where the
// record lies. Pages show it at once.
func (s *Service) SaveSettings(ctx context.Context, id uuid.UUID, who auditlog.Actor, in Settings) (Org, error) {
	return s.ChangeSettings(ctx, id, who, func(Settings) Settings { return in })
}

// ChangeSettings saves what change returns for the settings as they are, which nobody else changes meanwhile. It returns ErrNotFound.
func (s *Service) ChangeSettings(ctx context.Context, id uuid.UUID, who auditlog.Actor, change func(Settings) Settings) (Org, error) {
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, lockOrg, id); err != nil {
			return err
		}
		before, err := scan(tx.QueryRow(ctx, byID, id))
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		in := change(before.Settings())
		if err := auditlog.Record(ctx, tx, who, "change", "organisation/"+id.String(), before.Settings(), in); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, saveSettings, id, in.NameTH, in.NameEN, in.TaglineTH, in.TaglineEN, in.Primary, in.Secondary,
			in.Logo, in.RegisterBeforeUse, tx.Now)
		tx.Publish(Topic, id.String())
		return err
	})
	if err != nil {
		return Org{}, fmt.Errorf("save settings of %s: %w", id, err)
	}
	return s.directory.ByID(ctx, id)
}
