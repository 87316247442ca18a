package voucher

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
)

// UseLifetime is how long a use session is open before it ends by itself.
const UseLifetime = 10 * time.Minute

// UseInput asks to use n items of a voucher at a service point.
type UseInput struct {
	Voucher      uuid.UUID `json:"voucher_id"`
	ServicePoint uuid.UUID `json:"service_point_id"`
	Items        int64     `json:"items" minimum:"1" maximum:"1000000000000" doc:"Items, or satang of a baht voucher"`
}

// UseSession has everything that the phone needs to make a changing QR by itself.
type UseSession struct {
	ID             uuid.UUID  `json:"id"`
	Voucher        uuid.UUID  `json:"voucher_id"`
	Secret         string     `json:"secret" doc:"base64url of 32 bytes; the phone signs each QR with it"`
	TypedName      string     `json:"typed_name" doc:"Three letters that name the session at its service point while it is open; the phone signs them for a scanner that cannot see"`
	Items          int64      `json:"items"`
	ItemsLeft      int64      `json:"items_left" doc:"What stays after this use"`
	ItemsTotal     int64      `json:"items_total" doc:"What the voucher was issued with"`
	State          string     `json:"state" enum:"open,used,cancelled,expired"`
	OpenedAt       time.Time  `json:"opened_at"`
	ExpiresAt      time.Time  `json:"expires_at"`
	UsedAt         *time.Time `json:"used_at" doc:"When staff confirmed it; null unless used"`
	Staff          string     `json:"staff" doc:"Who confirmed it; empty unless used"`
	ScannedAt      *time.Time `json:"scanned_at" doc:"When staff scanned it who may still confirm it; null otherwise"`
	ScanExpiresAt  *time.Time `json:"scan_expires_at" doc:"Until when they may"`
	ServerTime     time.Time  `json:"server_time" doc:"So that a phone with a wrong clock signs the right time step"`
	OrgTag         string     `json:"organisation_tag"`
	ServicePointTH string     `json:"service_point_name_th"`
	ServicePointEN string     `json:"service_point_name_en"`
	NameTH         string     `json:"name_th"`
	NameEN         string     `json:"name_en"`
	Kind           Kind       `json:"kind" enum:"item,baht"`
}

const (
	// Every transaction locks a voucher before its use session, so that no two wait for each other.
	lockVoucher   = `SELECT id FROM voucher WHERE id = $1 FOR UPDATE`
	lockVoucherOf = `SELECT id FROM voucher WHERE id = (SELECT voucher_id FROM use_session WHERE id = $1) FOR UPDATE`

	beginUse = `UPDATE voucher SET state = $7, updated_at = $5
		WHERE id = $1 AND holder_id = $2 AND state = ANY ($6) AND items_left >= $3 AND valid_until >= $4 RETURNING version_id, valid_until`
	honoured = `SELECT ver.service_point_ids = '{}' OR p.id = ANY (ver.service_point_ids), p.status, ` + catalog.ClosedAround + `, ` + catalog.ConditionColumns + `
		FROM template_version ver, service_point p, (SELECT $3::date AS day) asked WHERE ver.id = $1 AND p.id = $2`
	insertSession = `INSERT INTO use_session (id, voucher_id, customer_id, service_point_id, items, secret, typed_name, state, opened_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9) ON CONFLICT (service_point_id, typed_name) WHERE state = 'open' DO NOTHING`
	whyNot = `SELECT state, items_left, valid_until FROM voucher WHERE id = $1 AND holder_id = $2`

	sessionByID = `SELECT u.id, u.voucher_id, u.secret, coalesce(u.typed_name, ''), u.items, v.items_left, v.items_total, u.state, u.opened_at, u.expires_at, r.at, coalesce(s.name, ''),
			(SELECT max(at) FROM use_scan WHERE use_session_id = u.id AND cancelled_at IS NULL),
			p.name_th, p.name_en, v.name_th, v.name_en, v.kind
		FROM use_session u JOIN voucher v ON v.id = u.voucher_id JOIN service_point p ON p.id = u.service_point_id
		LEFT JOIN redemption r ON r.use_session_id = u.id LEFT JOIN staff s ON s.id = r.staff_id
		WHERE u.id = $1 AND u.customer_id = $2`

	cancelSession = `UPDATE use_session SET state = 'cancelled', closed_at = $3 WHERE id = $1 AND customer_id = $2 AND state = 'open'
		RETURNING voucher_id`
	expireSession = `UPDATE use_session SET state = 'expired', closed_at = $2 WHERE id = $1 AND state = 'open' AND expires_at <= $2
		RETURNING voucher_id`
	dueSessions = `SELECT id FROM use_session WHERE state = 'open' AND expires_at <= $1 ORDER BY voucher_id LIMIT $2`
	anyDue      = `SELECT EXISTS (SELECT FROM use_session WHERE state = 'open' AND expires_at <= $1) OR EXISTS (SELECT FROM gift WHERE ended_at IS NULL AND expires_at <= $1` + daysGoOn + `)
		OR EXISTS (SELECT FROM gift WHERE state = 'scheduled' AND begins_at <= $1` + daysGoOn + `)
		OR EXISTS (SELECT FROM offer WHERE state = 'open' AND expires_at <= $1) OR EXISTS (SELECT FROM objection WHERE state = 'open' AND due_at <= $1)`
	dueSessionOf = `SELECT id FROM use_session WHERE voucher_id = $1 AND state = 'open' AND expires_at <= $2`
	freeVoucher  = `UPDATE voucher SET state = $4, updated_at = $2 WHERE id = $1 AND state = ANY ($3)`
)

// StartUse opens a use session: for ten minutes the phone shows a QR that changes every thirty seconds. It returns the faults of
// consent.Requirements.Check, ErrNotFound, the fault of the voucher's state, ErrExpired, ErrTooFew, idempotency.ErrReused, or the faults of
// honouredAt.
func (s *Service) StartUse(ctx context.Context, who token.Session, key string, in UseInput) (UseSession, error) {
	var required *consent.Requirements
	id, err := idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "voucher.use", Value: key}, in,
		func(tx db.Tx) { required = consent.LockRequirements(tx, consent.ForSignIn, who) },
		func(tx db.Tx, id uuid.UUID) error {
			if err := required.Check(who.Subject); err != nil {
				return err
			}
			return startUse(ctx, tx, who.Subject, id, in)
		})
	if err != nil {
		return UseSession{}, err
	}
	return s.Use(ctx, who, id)
}

func startUse(ctx context.Context, tx db.Tx, holder, id uuid.UUID, in UseInput) error {
	if _, err := tx.Exec(ctx, lockVoucher, in.Voucher); err != nil {
		return fmt.Errorf("lock %s: %w", in.Voucher, err)
	}
	if err := releaseDue(ctx, tx, in.Voucher); err != nil {
		return err
	}

	var version uuid.UUID
	var until time.Time
	step := transitions[StartUse]
	err := tx.QueryRow(ctx, beginUse, in.Voucher, holder, in.Items, clock.Day(tx.Now), tx.Now, step.from, step.to).Scan(&version, &until)
	if errors.Is(err, pgx.ErrNoRows) {
		return refusal(ctx, tx, holder, in)
	}
	if err != nil {
		return fmt.Errorf("begin to use %s: %w", in.Voucher, err)
	}

	if err := honouredAt(ctx, tx, version, in.ServicePoint, until); err != nil {
		return err
	}

	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails (crypto/rand)
	for range typedAttempts {
		tag, err := tx.Exec(ctx, insertSession, id, in.Voucher, holder, in.ServicePoint, in.Items, secret, newName(), tx.Now, tx.Now.Add(UseLifetime))
		if err != nil {
			return fmt.Errorf("open a use of %s: %w", in.Voucher, err)
		}
		if tag.RowsAffected() == 1 {
			return nil
		}
	}
	return fmt.Errorf("open a use of %s: its service point has no name left: %w", in.Voucher, fault.Unready)
}

// newName returns a name of a use session for the typed code. A test replaces it, so that names collide.
var newName = func() string { return NewCode(nameLength) }

// honouredAt returns nil if a version of a template can be used at a service point now. It returns ErrOtherServicePoint if the version does not
// name the service point, ErrServicePointGone if that is deleted, ErrServicePointClosed if it is not active, and the faults of catalog.Calendar.Check. until
// is the last day of the voucher.
func honouredAt(ctx context.Context, tx db.Tx, version, servicePoint uuid.UUID, until time.Time) error {
	var listed bool
	var status int16
	var closed []time.Time
	var conditions catalog.Conditions
	err := tx.QueryRow(ctx, honoured, version, servicePoint, clock.Day(tx.Now)).Scan(append([]any{&listed, &status, &closed}, catalog.ConditionTargets(&conditions)...)...)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrOtherServicePoint
	case err != nil:
		return fmt.Errorf("is version %s honoured at %s: %w", version, servicePoint, err)
	case !listed:
		return ErrOtherServicePoint
	case status == resource.Deleted:
		return ErrServicePointGone
	case status != resource.Active:
		return ErrServicePointClosed
	}
	if catalog.Around(conditions, closed, until).Refusal(tx.Now) == nil {
		return nil
	}
	all, err := catalog.Closings(ctx, tx, servicePoint, clock.Day(tx.Now).AddDate(0, 0, -1))
	if err != nil {
		return err
	}
	return catalog.Calendar{Conditions: conditions, Closed: all, Last: until}.Check(tx.Now)
}

// refusal says why a voucher cannot be used, in the words of the specification.
func refusal(ctx context.Context, tx db.Tx, customer uuid.UUID, in UseInput) error {
	var state State
	var left int64
	var until time.Time
	err := tx.QueryRow(ctx, whyNot, in.Voucher, customer).Scan(&state, &left, &until)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotFound
	case err != nil:
		return fmt.Errorf("state of %s: %w", in.Voucher, err)
	case ends(state) && until.Before(clock.Day(tx.Now)):
		return ErrExpired
	case state != Ready:
		return stateFaults[state]
	default:
		return ErrTooFew
	}
}

func readSession(ctx context.Context, tx db.Tx, customer, id uuid.UUID) (use UseSession, err error) {
	var secret []byte
	err = tx.QueryRow(ctx, sessionByID, id, customer).Scan(&use.ID, &use.Voucher, &secret, &use.TypedName, &use.Items, &use.ItemsLeft, &use.ItemsTotal,
		&use.State, &use.OpenedAt, &use.ExpiresAt, &use.UsedAt, &use.Staff, &use.ScannedAt, &use.ServicePointTH, &use.ServicePointEN, &use.NameTH, &use.NameEN, &use.Kind)
	if errors.Is(err, pgx.ErrNoRows) {
		return use, ErrNotFound
	}
	if err != nil {
		return use, fmt.Errorf("read use %s: %w", id, err)
	}
	if use.State == "open" {
		use.ItemsLeft -= use.Items
		if !tx.Now.Before(use.ExpiresAt) {
			use.State = "expired"
		}
	}
	if use.ScannedAt != nil && use.State == "open" && tx.Now.Sub(*use.ScannedAt) <= scanLifetime {
		until := use.ScannedAt.Add(scanLifetime)
		use.ScanExpiresAt = &until
	} else {
		use.ScannedAt = nil
	}
	use.Secret, use.ServerTime, use.OrgTag = base64.RawURLEncoding.EncodeToString(secret), tx.Now, OrgTag(tx.Org)
	return use, nil
}

// Use returns a use session of the customer's, in any state. It returns ErrNotFound for anybody else's.
func (s *Service) Use(ctx context.Context, who token.Session, id uuid.UUID) (use UseSession, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		use, err = readSession(ctx, tx, who.Subject, id)
		return err
	})
	return use, err
}

// CancelUse cancels a use session and frees its voucher. It changes nothing if the session has ended already; its state says how. It returns
// ErrNotFound for anybody else's.
func (s *Service) CancelUse(ctx context.Context, who token.Session, id uuid.UUID) (use UseSession, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if err := endSession(ctx, tx, cancelSession, id, who.Subject, tx.Now); err != nil {
			return err
		}
		use, err = readSession(ctx, tx, who.Subject, id)
		return err
	})
	return use, err
}

// expireSessions ends at most maxExpired use sessions whose ten minutes have passed. It reports whether more may be due.
func expireSessions(ctx context.Context, tx db.Tx) (more bool, err error) {
	n, err := endDueSessions(ctx, tx, dueSessions, tx.Now, maxExpired)
	return n == maxExpired, err
}

// AnyDue reports whether EndDue has anything to do.
func AnyDue(ctx context.Context, tx db.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, anyDue, tx.Now).Scan(&some)
	return some, err
}

// releaseDue ends the use session, the gift or the offer of one voucher if it is due, so that its holder does not wait for the worker.
func releaseDue(ctx context.Context, tx db.Tx, voucher uuid.UUID) error {
	if _, err := endDueSessions(ctx, tx, dueSessionOf, voucher, tx.Now); err != nil {
		return err
	}
	if _, err := endWhich(ctx, tx, EndGift, Returned, dueGiftOf, voucher, tx.Now); err != nil {
		return err
	}
	_, err := endWhich(ctx, tx, EndOffer, Ended, dueOfferOf, voucher, tx.Now)
	return err
}

// endDueSessions ends the use sessions that a query returns. It returns how many these are.
func endDueSessions(ctx context.Context, tx db.Tx, which string, args ...any) (int, error) {
	rows, err := tx.Query(ctx, which, args...)
	if err != nil {
		return 0, fmt.Errorf("due use sessions: %w", err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return 0, fmt.Errorf("due use sessions: %w", err)
	}
	for _, id := range due {
		if err := endSession(ctx, tx, expireSession, id, tx.Now); err != nil {
			return 0, err
		}
	}
	return len(due), nil
}

// endSession closes a session by one conditional UPDATE and, if it was the one that closed it, frees the voucher.
func endSession(ctx context.Context, tx db.Tx, closing string, session uuid.UUID, args ...any) error {
	if _, err := tx.Exec(ctx, lockVoucherOf, session); err != nil {
		return fmt.Errorf("lock the voucher of use %s: %w", session, err)
	}
	var voucher uuid.UUID
	err := tx.QueryRow(ctx, closing, append([]any{session}, args...)...).Scan(&voucher)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("close use %s: %w", session, err)
	}
	step := transitions[CancelUse]
	if _, err := tx.Exec(ctx, freeVoucher, voucher, tx.Now, step.from, step.to); err != nil {
		return fmt.Errorf("give %s back: %w", voucher, err)
	}
	return nil
}
