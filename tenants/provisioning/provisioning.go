// Package provisioning opens an organisation: from an admin's form to a site that is live, in steps that can be resumed.
package provisioning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/orgtemplate"
	"welovevoucher/tenants/staff"
)

// Service opens organisations.
type Service struct {
	db        *db.DB
	schemas   *db.Schemas // only the worker has one; nil in the API
	box       *secret.Box
	staff     *staff.Service
	pictures  *catalog.Pictures
	templates *orgtemplate.Service
	directory *org.Directory
	domain    string // hosts below it are the platform's own and need no proof
	proofs    Verifiers

	lookup func(ctx context.Context, name string) ([]string, error) // TXT records
}

// Verifiers ask the outside whether what an admin typed is true.
type Verifiers struct {
	Line     func(context.Context, line.Channel) error // line.ErrChannel, line.ErrUnavailable
	Pay      func(context.Context, charge.Keys) error  // payment.ErrKeys, payment.ErrPair, payment.ErrUnavailable
	Platform bool                                      // the platform has a gateway account of its own

	PlatformLive bool // that account moves real money
}

// New returns the service. schemas may be nil where nothing is provisioned.
func New(
	d *db.DB, schemas *db.Schemas, box *secret.Box, st *staff.Service, pictures *catalog.Pictures, templates *orgtemplate.Service, directory *org.Directory, domain string, proofs Verifiers,
) *Service {
	return &Service{
		db: d, schemas: schemas, box: box, staff: st, pictures: pictures, templates: templates, directory: directory, domain: domain, proofs: proofs,
		lookup: net.DefaultResolver.LookupTXT,
	}
}

// PlatformAccount says whether an organisation without keys of its own can be paid.
func (s *Service) PlatformAccount() bool { return s.proofs.Platform }

// Faults of an admin's form.
var (
	ErrUniqueTaken = fault.New(fault.Invalid, "org.unique_taken", "This unique name is taken")
	ErrHostTaken   = fault.New(fault.Invalid, "org.host_taken", "This host belongs to another organisation")
	ErrLiffTaken   = fault.New(fault.Invalid, "org.liff_taken", "This LIFF id belongs to another organisation")
	ErrLiffChannel = fault.New(fault.Invalid, "org.liff_channel", "The LIFF id must begin with the channel id")
)

// NewOrg is a new organisation as an admin enters it.
type NewOrg struct {
	Unique     string    `json:"unique" pattern:"^[a-z0-9-]{3,40}$" doc:"Public slug"`
	NameTH     string    `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN     string    `json:"name_en" minLength:"1" maxLength:"80"`
	TaglineTH  string    `json:"tagline_th" maxLength:"120"`
	TaglineEN  string    `json:"tagline_en" maxLength:"120"`
	Plan       uuid.UUID `json:"plan_id"`
	Primary    string    `json:"background_color_primary" pattern:"^#[0-9a-f]{6}$"`
	Secondary  string    `json:"background_color_secondary" pattern:"^#[0-9a-f]{6}$"`
	Logo       []byte    `json:"logo,omitempty" maxLength:"900000" doc:"A square picture in base64; none is its first letter"`
	Hosts      []string  `json:"hosts" maxItems:"10" doc:"The first is the canonical one, once its DNS proves it; {unique}.{our domain} is always added"`
	Liff       org.Liff  `json:"liff"`
	Line       LineInput `json:"line"`
	Pay        PayInput  `json:"payment"`
	FirstOwner Owner     `json:"owner"`

	Template *uuid.UUID `json:"template_id,omitempty" required:"false" nullable:"true" doc:"What it begins with; none: with what every organisation has"`
}

// LineInput is the organisation's LINE Login channel; empty means later.
type LineInput struct {
	ChannelID string `json:"channel_id" maxLength:"20" pattern:"^[0-9]*$"`
	Secret    string `json:"channel_secret" maxLength:"64"`
}

// PayInput holds the keys of the organisation's own gateway account; all empty means that the platform's collects.
type PayInput struct {
	PublicKey     string `json:"public_key" maxLength:"100"`
	SecretKey     string `json:"secret_key" maxLength:"100"`
	WebhookSecret string `json:"webhook_secret" maxLength:"200" doc:"In base64, as the gateway's dashboard shows it"`
}

func (in PayInput) collector() payment.Collector {
	if in == (PayInput{}) {
		return payment.CollectorPlatform
	}
	return payment.CollectorOrganisation
}

// Owner is the organisation's first account.
type Owner struct {
	Username string `json:"username" minLength:"3" maxLength:"40" pattern:"^[A-Za-z0-9._@-]+$"`
	Name     string `json:"name" minLength:"1" maxLength:"80"`
	Password string `json:"password" maxLength:"72"`
}

// Step is one job of opening an organisation, as the admin watches it. Detail is the owner's user name, the hosts that wait
// for their DNS, or why a step failed.
type Step struct {
	Name       string     `json:"name" enum:"schema,tables,rows,owner,addresses,live"`
	State      string     `json:"state" enum:"waiting,running,done,failed"`
	Detail     string     `json:"detail"`
	Attempt    int        `json:"attempt"`
	StartedAt  *time.Time `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at"`
}

// Job provisions an organisation; a job of the platform.
type Job struct {
	Org uuid.UUID `json:"org"`
}

// Kind names the job.
func (Job) Kind() string { return "provision" }

// ownerSeed is what the first owner's account and the first rows are made from; the password is hashed already.
type ownerSeed struct {
	Username string `json:"username"`
	Name     string `json:"name"`
	Hash     string `json:"hash"`
	Pay      []byte `json:"pay,omitempty"` // sealed PayInput
	Logo     *logo  `json:"logo,omitempty"`

	Template *beginning `json:"template,omitempty"`
}

// beginning is a template's version with which an organisation begins, and who chose it.
type beginning struct {
	Version uuid.UUID      `json:"version"`
	By      auditlog.Actor `json:"by"`
}

func (b *beginning) version() *uuid.UUID {
	if b == nil {
		return nil
	}
	return &b.Version
}

// logo is a picture of an organisation that has no tables yet, and who chose it.
type logo struct {
	Picture catalog.StoredPicture `json:"picture"`
	By      auditlog.Actor        `json:"by"`
}

const (
	insertOrg = `INSERT INTO organisation (id, key, unique_name, name_th, name_en, tagline_th, tagline_en, plan_id, node, state,
		colour_primary, colour_secondary, line_channel_id, line_secret, first_owner, collector, created_at, updated_at, logo_id, template_version_id)
		VALUES ($1, $1, $2, $3, $4, $5, $6, $7, $8, 'provisioning', $9, $10, $11, $12, $13, $14, $15, $15, $16, $17)`
	insertStep = `INSERT INTO provision_step (org_id, position, name, state) VALUES ($1, $2, $3, 'waiting')`
)

// Create writes an organisation down and lets a worker open it. It returns fault.BadInput with the fields that are wrong.
func (s *Service) Create(ctx context.Context, who auditlog.Actor, in NewOrg) (uuid.UUID, error) {
	if bad := in.check(); len(bad) > 0 {
		return uuid.Nil, fault.Of(bad...)
	}
	if err := s.prove(ctx, in); err != nil {
		return uuid.Nil, err
	}
	hash, err := s.staff.Hash(ctx, in.FirstOwner.Password)
	if err != nil {
		return uuid.Nil, fault.At("owner.password", staff.ErrPassword)
	}

	id := db.NewID()
	owner, lineSecret, err := s.seal(id, in, hash)
	if err != nil {
		return uuid.Nil, err
	}
	if owner.Logo, err = s.keepLogo(ctx, id, who, in.Logo); err != nil {
		return uuid.Nil, err
	}
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		if err := org.RequirePlan(ctx, tx, in.Plan); err != nil {
			return err
		}
		if in.Template != nil {
			version, err := orgtemplate.Newest(ctx, tx, *in.Template)
			if err != nil {
				return err
			}
			owner.Template = &beginning{version, who}
		}
		_, err := tx.Exec(ctx, insertOrg, id, in.Unique, in.NameTH, in.NameEN, in.TaglineTH, in.TaglineEN, in.Plan, db.MainNode,
			in.Primary, in.Secondary, in.Line.ChannelID, lineSecret, owner, in.Pay.collector(), tx.Now, owner.Logo.id(), owner.Template.version())
		if err != nil {
			return err
		}
		for i, host := range s.hosts(in) {
			if err := s.writeHost(ctx, tx, id, host, i == 0); err != nil {
				return err
			}
		}
		if err := writeLiff(ctx, tx, id, in.Liff); err != nil {
			return err
		}
		for i, step := range steps {
			if _, err := tx.Exec(ctx, insertStep, id, i, step.name); err != nil {
				return err
			}
		}
		if err := auditlog.Record(ctx, tx, who, "open", "organisation/"+id.String(), nil, in.opening(s.hosts(in), owner.Logo)); err != nil {
			return err
		}
		return queue.Enqueue(ctx, tx, Job{Org: id})
	})
	if taken := taken(err); taken != nil {
		return uuid.Nil, taken
	}
	if err != nil {
		return uuid.Nil, fmt.Errorf("create the organisation %s: %w", in.Unique, err)
	}
	return id, nil
}

// opening is a new organisation as the audit log keeps it.
type opening struct {
	Unique    string            `json:"unique"`
	NameTH    string            `json:"name_th"`
	NameEN    string            `json:"name_en"`
	Plan      uuid.UUID         `json:"plan_id"`
	Hosts     []string          `json:"hosts"`
	Channel   string            `json:"channel_id"`
	Liff      org.Liff          `json:"liff"`
	Collector payment.Collector `json:"collector"`
	Owner     string            `json:"owner"`

	Logo     *uuid.UUID `json:"logo_id"`
	Template *uuid.UUID `json:"template_id"`
}

func (in NewOrg) opening(hosts []string, l *logo) opening {
	return opening{in.Unique, in.NameTH, in.NameEN, in.Plan, hosts, in.Line.ChannelID, in.Liff, in.Pay.collector(), in.FirstOwner.Username, l.id(), in.Template}
}

func (in NewOrg) check() (bad []fault.Field) {
	for i, host := range in.Hosts {
		if !org.HostForm.MatchString(org.CleanHost(host)) {
			bad = append(bad, fault.Field{Path: fmt.Sprintf("hosts.%d", i), Fault: fault.WrongFormat.Code})
		}
	}
	bad = append(bad, checkLine(in.Line, in.Liff)...)
	if (in.Line.ChannelID == "") != (in.Line.Secret == "") {
		bad = append(bad, fault.Field{Path: "line.channel_secret", Fault: fault.Required.Code})
	}
	if in.Pay.collector() == payment.CollectorOrganisation {
		bad = append(bad, in.Pay.check()...)
	}
	return bad
}

// prove asks LINE and the gateway.
func (s *Service) prove(ctx context.Context, in NewOrg) error {
	if in.Line.ChannelID != "" {
		if err := s.proveLine(ctx, line.Channel{ID: in.Line.ChannelID, Secret: in.Line.Secret}); err != nil {
			return err
		}
	}
	if in.Pay.collector() == payment.CollectorOrganisation {
		return s.provePay(ctx, in.Pay.keys())
	}
	return nil
}

func (s *Service) seal(id uuid.UUID, in NewOrg, hash string) (owner ownerSeed, lineSecret []byte, err error) {
	owner = ownerSeed{Username: in.FirstOwner.Username, Name: in.FirstOwner.Name, Hash: hash}
	if in.Line.Secret != "" {
		if lineSecret, err = s.box.Seal(org.LineSecretAAD(id), []byte(in.Line.Secret)); err != nil {
			return owner, nil, err
		}
	}
	if in.Pay.collector() == payment.CollectorPlatform {
		return owner, lineSecret, nil
	}
	keys, err := json.Marshal(in.Pay)
	if err != nil {
		return owner, nil, fmt.Errorf("payment keys: %w", err)
	}
	owner.Pay, err = s.box.Seal(firstOwnerAAD(id), keys)
	return owner, lineSecret, err
}

// keepLogo puts the logo where the organisation's pictures will be; its row is one of the first.
func (s *Service) keepLogo(ctx context.Context, id uuid.UUID, who auditlog.Actor, picture []byte) (*logo, error) {
	if len(picture) == 0 {
		return nil, nil
	}
	kept, err := s.pictures.Store(ctx, id, bytes.NewReader(picture), catalog.Crop{})
	if refused := (*fault.Fault)(nil); errors.As(err, &refused) {
		return nil, fault.At("logo", refused)
	}
	return &logo{kept, who}, err
}

func (l *logo) id() *uuid.UUID {
	if l == nil {
		return nil
	}
	return &l.Picture.ID
}

func firstOwnerAAD(id uuid.UUID) secret.AAD {
	return secret.AAD{Org: id, Column: "organisation.first_owner", Row: id}
}

// taken turns what the database refused into the field that is wrong.
func taken(err error) error {
	switch {
	case db.IsUnique(err, "organisation_unique_name"):
		return fault.At("unique", ErrUniqueTaken)
	case db.IsUnique(err, "host_verified"), errors.Is(err, ErrHostTaken):
		return fault.At("hosts", ErrHostTaken)
	case errors.Is(err, fault.BadInput):
		return err
	}
	return nil
}

const stepsOf = `SELECT name, state, detail, attempt, started_at, finished_at FROM provision_step WHERE org_id = $1 ORDER BY position`

// Steps shows how far an organisation is.
func (s *Service) Steps(ctx context.Context, id uuid.UUID) (list []Step, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, stepsOf, id)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Step])
		return err
	})
	return list, err
}

const unfinished = `SELECT EXISTS (SELECT FROM provision_step WHERE org_id = $1 AND state = 'failed')`

// Retry hands a broken organisation to a worker again; it goes on where it stopped.
func (s *Service) Retry(ctx context.Context, id uuid.UUID, who auditlog.Actor) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		var broken bool
		if err := tx.QueryRow(ctx, unfinished, id).Scan(&broken); err != nil {
			return err
		}
		if !broken {
			return org.ErrNotFound
		}
		if err := auditlog.Record(ctx, tx, who, "retry", "organisation/"+id.String(), nil, nil); err != nil {
			return err
		}
		return queue.Enqueue(ctx, tx, Job{Org: id})
	})
}

var errNoSchemas = errors.New("provisioning: this process has no MIGRATE_URL")
