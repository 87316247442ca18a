package voucher

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/venue"
)

// ScanInput is what staff scanned or typed, and where they stand.
type ScanInput struct {
	Code  string    `json:"code" minLength:"1" maxLength:"7089" doc:"The text of any QR, or the typed code"`
	Place uuid.UUID `json:"service_point_id"`
}

// Scan is what staff see before they confirm: who, what, how many, what remains.
type Scan struct {
	Session         uuid.UUID  `json:"use_session_id"`
	NameTH          string     `json:"name_th"`
	NameEN          string     `json:"name_en"`
	Picture         *uuid.UUID `json:"picture" nullable:"true"`
	Kind            Kind       `json:"kind" enum:"item,baht"`
	Items           int64      `json:"items" doc:"As many as the customer asked; staff cannot change it"`
	ItemsLeftAfter  int64      `json:"items_left_after"`
	ValidUntil      string     `json:"valid_until" format:"date"`
	CustomerName    string     `json:"customer_name"`
	CustomerPicture string     `json:"customer_picture_url"`
	PlaceTH         string     `json:"place_th"`
	PlaceEN         string     `json:"place_en"`
}

// Earlier tells the second scanner which voucher it is, and who was first.
type Earlier struct {
	Code    string     `json:"code"`
	NameTH  string     `json:"name_th"`
	NameEN  string     `json:"name_en"`
	Picture *uuid.UUID `json:"picture"`
	At      time.Time  `json:"at"`
	PlaceTH string     `json:"place_th"`
	PlaceEN string     `json:"place_en"`
	Staff   string     `json:"staff"`
	Items   int64      `json:"items"`
}

type door struct {
	Scan
	voucher  uuid.UUID
	customer uuid.UUID
	place    uuid.UUID
	secret   []byte
	state    string
	expires  time.Time
	until    time.Time
	vstate   State
	left     int64
	total    int64
	share    money.Amount // of all items, for the seller
	isOpen   bool         // the place
	staff    string
}

const (
	// What staff $1 at place $2 see.
	doorColumns = `SELECT ` + venue.StandingAt + `, u.id, u.voucher_id, u.customer_id, u.service_point_id, u.secret, u.state, u.expires_at, u.items,
			v.state, v.items_left, v.items_total, v.share_satang, v.valid_until, v.kind, v.name_th, v.name_en, v.picture_id,
			c.display_name, c.picture_url, p.name_th, p.name_en, p.status = 5, (SELECT name FROM staff WHERE id = $1)
		FROM use_session u JOIN voucher v ON v.id = u.voucher_id JOIN customer c ON c.id = u.customer_id
		JOIN service_point p ON p.id = u.service_point_id `
	bySession = doorColumns + `WHERE u.id = $3`
	byTyped   = doorColumns + `WHERE u.typed_code = $3`

	first = `SELECT v.code, v.name_th, v.name_en, v.picture_id, r.at, p.name_th, p.name_en, s.name, r.items
		FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN service_point p ON p.id = r.service_point_id
		JOIN staff s ON s.id = r.staff_id WHERE r.use_session_id = $1`
)

// Verify reads a scanned or typed code and burns nothing. It returns ErrOtherOrg, ErrUnknownCode, ErrStale,
// ErrAlreadyUsed (with Earlier), ErrSessionOver, ErrExpired, ErrPlace, ErrPlaceClosed
// or venue.ErrNotYours.
func (s *Service) Verify(ctx context.Context, who token.Session, in ScanInput) (scan Scan, err error) {
	err = s.db.LookInOrg(ctx, who.Org, func(tx db.Tx) error {
		d, err := open(ctx, tx, who.Subject, in)
		if err != nil {
			return err
		}
		if err := d.admit(tx.Now, in.Place); err != nil {
			return whoWasFirst(ctx, tx, d.Session, err)
		}
		scan = d.Scan
		return nil
	})
	return scan, err
}

// open finds the use session behind a code, for staff who work at the place. An unknown code is unknown to everybody.
func open(ctx context.Context, tx db.Tx, staff uuid.UUID, in ScanInput) (d door, err error) {
	q, isQR := parseQR(in.Code)
	if !isQR {
		code, ok := typed(in.Code)
		if !ok {
			return d, ErrUnknownCode
		}
		return readDoor(tx.QueryRow(ctx, byTyped, staff, in.Place, code))
	}
	if q.org != OrgTag(tx.Org) {
		return d, ErrOtherOrg
	}
	d, err = readDoor(tx.QueryRow(ctx, bySession, staff, in.Place, q.session))
	switch {
	case err != nil:
		return d, err
	case !q.signedBy(d.secret):
		return d, ErrUnknownCode
	case !q.fresh(tx.Now) && d.state == "open":
		return d, ErrStale
	}
	return d, nil
}

// readDoor returns venue.ErrNotYours to staff who do not work at the place.
func readDoor(row pgx.Row) (d door, err error) {
	var may bool
	err = row.Scan(&may, &d.Session, &d.voucher, &d.customer, &d.place, &d.secret, &d.state, &d.expires, &d.Items,
		&d.vstate, &d.left, &d.total, &d.share, &d.until, &d.Kind, &d.NameTH, &d.NameEN, &d.Picture,
		&d.CustomerName, &d.CustomerPicture, &d.PlaceTH, &d.PlaceEN, &d.isOpen, &d.staff)
	if errors.Is(err, pgx.ErrNoRows) {
		return d, ErrUnknownCode
	}
	if err != nil {
		return d, fmt.Errorf("read a use session: %w", err)
	}
	if !may {
		return door{}, venue.ErrNotYours
	}
	d.ItemsLeftAfter, d.ValidUntil = d.left-d.Items, d.until.Format(time.DateOnly)
	return d, nil
}

// admit says whether this session can be confirmed here and now.
func (d door) admit(now time.Time, place uuid.UUID) error {
	switch {
	case d.state == "used":
		return errUsed
	case d.state != "open" || !now.Before(d.expires):
		return ErrSessionOver
	case d.until.Before(clock.Day(now)) || d.vstate == Expired:
		return ErrExpired
	case d.vstate != InUse:
		return ErrNotReady
	case d.place != place:
		return ErrPlace.With(map[string]string{"place_th": d.PlaceTH, "place_en": d.PlaceEN})
	case !d.isOpen:
		return ErrPlaceClosed
	}
	return nil
}

// errUsed says that a session was used before; whoWasFirst says by whom.
var errUsed = errors.New("voucher: the use was confirmed before")

// whoWasFirst makes ErrAlreadyUsed, with Earlier, of errUsed. It returns every other refusal as it is.
func whoWasFirst(ctx context.Context, tx db.Tx, session uuid.UUID, refused error) error {
	if !errors.Is(refused, errUsed) {
		return refused
	}
	var e Earlier
	if err := tx.QueryRow(ctx, first, session).Scan(&e.Code, &e.NameTH, &e.NameEN, &e.Picture, &e.At, &e.PlaceTH, &e.PlaceEN, &e.Staff, &e.Items); err != nil {
		return fmt.Errorf("who used %s: %w", session, err)
	}
	return ErrAlreadyUsed.With(e)
}
