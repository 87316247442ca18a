// Package orgtemplate keeps what new organisations can begin with: colours, tags, goods, questions and texts to agree to, made from an organisation
// that is there. A template has versions, and a version never changes.
package orgtemplate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
)

// Service keeps templates, and begins organisations with them.
type Service struct {
	db       *db.DB
	objects  blob.Store
	pictures *catalog.Pictures
	orgs     *org.Directory
}

// New returns the service.
func New(d *db.DB, objects blob.Store, pictures *catalog.Pictures, orgs *org.Directory) *Service {
	return &Service{d, objects, pictures, orgs}
}

// Names are what a template is called.
type Names struct {
	NameTH string `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN string `json:"name_en" minLength:"1" maxLength:"80"`
}

func (n Names) tidy() Names { return Names{strings.TrimSpace(n.NameTH), strings.TrimSpace(n.NameEN)} }

func (n Names) check() error {
	var bad []fault.Field
	if n.NameTH == "" {
		bad = append(bad, fault.Field{Path: "name_th", Fault: fault.Required.Code})
	}
	if n.NameEN == "" {
		bad = append(bad, fault.Field{Path: "name_en", Fault: fault.Required.Code})
	}
	if len(bad) > 0 {
		return fault.Of(bad...)
	}
	return nil
}

// Source says which organisation a version is made from, and why.
type Source struct {
	Org  uuid.UUID `json:"org_id"`
	Note string    `json:"note" maxLength:"200" doc:"What is new in this version"`
}

// Row is a template as it is listed: with its newest version.
type Row struct {
	ID uuid.UUID `json:"id"`
	Names
	Status    int16     `json:"status" doc:"2 inactive: no organisation can begin with it; 5 active"`
	UpdatedAt time.Time `json:"updated_at" doc:"UTC"`
	Version   int32     `json:"version"`
	Primary   string    `json:"background_color_primary"`
	Secondary string    `json:"background_color_secondary"`
	Packages  int64     `json:"packages"`
	Tags      int64     `json:"tags"`
	Questions int64     `json:"questions"`
	Texts     int64     `json:"texts" doc:"To agree to"`
	Used      int64     `json:"used" doc:"By how many organisations, in any of its versions"`
}

// Version is one of a template's.
type Version struct {
	Number int32     `json:"number"`
	Note   string    `json:"note"`
	FromTH string    `json:"from_name_th" doc:"The organisation that it was made from"`
	FromEN string    `json:"from_name_en"`
	MadeBy string    `json:"made_by" doc:"Name of the admin"`
	MadeAt time.Time `json:"made_at" doc:"UTC"`
	Used   int64     `json:"used" doc:"By how many organisations"`
}

// Record is a template with what its newest version has.
type Record struct {
	Row
	Content  Summary   `json:"content"`
	Versions []Version `json:"versions" doc:"The newest first"`
}

const (
	rows = `SELECT t.id, t.name_th, t.name_en, t.status, t.updated_at, v.number, v.content->>'primary', v.content->>'secondary', jsonb_array_length(v.content->'packages'),
			jsonb_array_length(v.content->'tags'), jsonb_array_length(v.content->'questions'), jsonb_array_length(v.content->'texts'),
			(SELECT count(*) FROM org_template_version u JOIN organisation o ON o.template_version_id = u.id WHERE u.template_id = t.id)
		FROM org_template t JOIN LATERAL (SELECT n.number, n.content FROM org_template_version n WHERE n.template_id = t.id ORDER BY n.number DESC LIMIT 1) v ON true
		WHERE $1::uuid IS NULL OR t.id = $1 ORDER BY t.status DESC, t.created_at, t.id LIMIT 200`
	versionsOf = `SELECT v.number, v.note, o.name_th, o.name_en, a.name, v.made_at, (SELECT count(*) FROM organisation u WHERE u.template_version_id = v.id)
		FROM org_template_version v JOIN organisation o ON o.id = v.from_org JOIN admin a ON a.id = v.made_by WHERE v.template_id = $1 ORDER BY v.number DESC LIMIT 100`
	newestContent = `SELECT id, content FROM org_template_version WHERE template_id = $1 ORDER BY number DESC LIMIT 1`
	newestActive  = `SELECT v.id FROM org_template t JOIN org_template_version v ON v.template_id = t.id WHERE t.id = $1 AND t.status = 5 ORDER BY v.number DESC LIMIT 1`
	contentOf     = `SELECT number, content FROM org_template_version v WHERE v.id = $1`

	insertTemplate = `INSERT INTO org_template (id, name_th, name_en, status, created_at, updated_at) VALUES ($1, $2, $3, 5, $4, $4)`
	insertVersion  = `INSERT INTO org_template_version (id, template_id, number, note, from_org, content, made_by, made_at)
		SELECT $1, $2, coalesce(max(v.number), 0) + 1, $3, $4, $5, $6, $7 FROM org_template_version v WHERE v.template_id = $2`
	lockTemplate = `SELECT name_th, name_en, status, updated_at FROM org_template WHERE id = $1 FOR UPDATE`
	saveTemplate = `UPDATE org_template SET name_th = $2, name_en = $3, status = $4, updated_at = $5 WHERE id = $1`
)

// object is what the audit log calls a template.
func object(id uuid.UUID) string { return "org_template/" + id.String() }

// List returns all templates, those that an organisation can begin with first.
func (s *Service) List(ctx context.Context) (list []Row, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		list, err = read(ctx, tx, nil)
		return err
	})
	return list, err
}

func read(ctx context.Context, tx db.Tx, id *uuid.UUID) ([]Row, error) {
	found, err := tx.Query(ctx, rows, id)
	if err != nil {
		return nil, fmt.Errorf("templates: %w", err)
	}
	return pgx.CollectRows(found, pgx.RowToStructByPos[Row])
}

// Template returns a template. It returns fault.Missing if there is none.
func (s *Service) Template(ctx context.Context, id uuid.UUID) (r Record, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error {
		found, err := read(ctx, tx, &id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fault.Missing
		}
		r.Row = found[0]
		var version uuid.UUID
		var content Content
		if err := tx.QueryRow(ctx, newestContent, id).Scan(&version, &content); err != nil {
			return fmt.Errorf("content of template %s: %w", id, err)
		}
		r.Content = content.summary()
		versions, err := tx.Query(ctx, versionsOf, id)
		if err != nil {
			return fmt.Errorf("versions of template %s: %w", id, err)
		}
		r.Versions, err = pgx.CollectRows(versions, pgx.RowToStructByPos[Version])
		return err
	})
	return r, err
}

// Add makes a template from an organisation, whose audit log says who did. It returns org.ErrNotFound or fault.BadInput,
// of an organisation too if it has no active package, or more than 200 of something.
func (s *Service) Add(ctx context.Context, who auditlog.Actor, names Names, from Source) (uuid.UUID, error) {
	names = names.tidy()
	if err := names.check(); err != nil {
		return uuid.Nil, err
	}
	id := db.NewID()
	return id, s.make(ctx, who, id, from, func(tx db.Tx) error {
		tx.Queue(insertTemplate, id, names.NameTH, names.NameEN, tx.Now)
		return auditlog.Record(ctx, tx, who, "add", object(id), nil, names)
	})
}

// AddVersion makes another version of a template from an organisation, whose audit log says who did. Organisations that began with an older one
// stay as they are. It returns fault.Missing or what Add returns.
func (s *Service) AddVersion(ctx context.Context, who auditlog.Actor, id uuid.UUID, from Source) error {
	return s.make(ctx, who, id, from, func(tx db.Tx) error {
		_, err := lock(ctx, tx, id)
		return err
	})
}

// make reads an organisation's content, keeps its pictures, and writes a version of a template down, in the transaction of first.
func (s *Service) make(ctx context.Context, who auditlog.Actor, id uuid.UUID, from Source, first func(tx db.Tx) error) error {
	o, err := s.orgs.ByID(ctx, from.Org)
	if err != nil {
		return err
	}
	if !o.Answers() {
		return org.ErrNotFound
	}
	version := db.NewID()
	content, err := s.readContent(ctx, who, o, id)
	if err != nil {
		return err
	}
	if err := s.keepPictures(ctx, from.Org, version, &content); err != nil {
		return err
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		if err := first(tx); err != nil {
			return err
		}
		note := strings.TrimSpace(from.Note)
		tx.Queue(insertVersion, version, id, note, from.Org, content, who.ID, tx.Now)
		return auditlog.Record(ctx, tx, who, "version", object(id), nil, Source{from.Org, note})
	})
}

// Change is a template as it is to be.
type Change struct {
	ID        uuid.UUID `json:"id"`
	UpdatedAt time.Time `json:"updated_at" doc:"As it was read"`
	Names
	Status int16 `json:"status" enum:"2,5" doc:"2: no organisation can begin with it any more"`
}

type template struct {
	Names
	Status    int16 `json:"status"`
	updatedAt time.Time
}

func lock(ctx context.Context, tx db.Tx, id uuid.UUID) (t template, err error) {
	err = tx.QueryRow(ctx, lockTemplate, id).Scan(&t.NameTH, &t.NameEN, &t.Status, &t.updatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return t, fault.Missing
	}
	if err != nil {
		return t, fmt.Errorf("template %s: %w", id, err)
	}
	return t, nil
}

// Save renames a template, or says whether organisations can begin with it. It returns fault.BadInput, fault.Missing or resource.ErrChangedMeanwhile.
func (s *Service) Save(ctx context.Context, who auditlog.Actor, in Change) error {
	in.Names = in.tidy()
	if err := in.check(); err != nil {
		return err
	}
	if in.Status != resource.Active && in.Status != resource.Inactive {
		return fault.At("status", fault.NotInList)
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		before, err := lock(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		if !before.updatedAt.Equal(in.UpdatedAt) {
			return resource.ErrChangedMeanwhile
		}
		tx.Queue(saveTemplate, in.ID, in.NameTH, in.NameEN, in.Status, tx.Now)
		return auditlog.Record(ctx, tx, who, "change", object(in.ID), before, template{Names: in.Names, Status: in.Status})
	})
}

// Newest returns the version with which an organisation begins that is opened with a template now. It returns fault.BadInput where it cannot.
func Newest(ctx context.Context, tx db.Tx, id uuid.UUID) (version uuid.UUID, err error) {
	err = tx.QueryRow(ctx, newestActive, id).Scan(&version)
	if errors.Is(err, pgx.ErrNoRows) {
		return version, fault.At("template_id", fault.NotInList)
	}
	if err != nil {
		return version, fmt.Errorf("newest version of template %s: %w", id, err)
	}
	return version, nil
}
