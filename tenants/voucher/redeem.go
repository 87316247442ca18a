package voucher

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idem"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/venue"
	"welovevoucher/tenants/wallet"
)

// ScanInput is what staff scanned or typed, and where they stand.
type ScanInput struct {
	Code  string    `json:"code" minLength:"1" maxLength:"200" doc:"A QR's text, or the typed code"`
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
	Today           int        `json:"today" doc:"Uses confirmed at this place today"`
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
	isOpen   bool // the place
}

const (
	doorColumns = `SELECT u.id, u.voucher_id, u.customer_id, u.service_point_id, u.secret, u.state, u.expires_at, u.items,
			v.state, v.items_left, v.valid_until, v.kind, v.name_th, v.name_en, v.picture_id,
			c.display_name, c.picture_url, p.name_th, p.name_en, p.status = 5
		FROM use_session u JOIN voucher v ON v.id = u.voucher_id JOIN customer c ON c.id = u.customer_id
		JOIN service_point p ON p.id = u.service_point_id `
	bySession = doorColumns + `WHERE u.id = $1`
	byTyped   = doorColumns + `WHERE u.typed_code = $1`

	today = `SELECT count(*) FROM redemption WHERE service_point_id = $1 AND at >= $2`
	first = `SELECT v.code, v.name_th, v.name_en, v.picture_id, r.at, p.name_th, p.name_en, s.name, r.items
		FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN service_point p ON p.id = r.service_point_id
		JOIN staff s ON s.id = r.staff_id WHERE r.use_session_id = $1`

	confirmUse = `UPDATE use_session SET state = 'used', closed_at = $3
		WHERE id = $1 AND service_point_id = $2 AND state = 'open' AND expires_at > $3
			AND EXISTS (SELECT FROM service_point WHERE id = $2 AND status = 5) RETURNING voucher_id, customer_id, items`
	useItems = `UPDATE voucher SET items_left = items_left - $2, updated_at = $3,
		state = CASE WHEN items_left = $2 THEN $6::text ELSE $7::text END
		WHERE id = $1 AND state = ANY ($5) AND items_left >= $2 AND valid_until >= $4
		RETURNING kind, items_total, items_left, share_satang`
	insertRedemption = `INSERT INTO redemption (id, use_session_id, voucher_id, customer_id, service_point_id, staff_id, items, items_left, amount_satang, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
)

// Verify reads a scanned or typed code and burns nothing. It returns ErrOtherOrg, ErrUnknownCode, ErrStale,
// ErrAlreadyUsed (with Earlier), ErrSessionOver, ErrExpired, ErrPlace, ErrPlaceClosed
// or venue.ErrNotYours.
func (s *Service) Verify(ctx context.Context, who token.Session, in ScanInput) (scan Scan, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		d, err := open(ctx, tx, in.Code)
		if err != nil {
			return err
		}
		if err := d.admit(ctx, tx, in.Place); err != nil {
			return err
		}
		venue.Stand(tx, who.Subject, in.Place)
		scan = d.Scan
		return tx.QueryRow(ctx, today, in.Place, clock.Start(clock.Day(tx.Now))).Scan(&scan.Today)
	})
	return scan, err
}

// open finds the use session behind a code.
func open(ctx context.Context, tx db.Tx, code string) (door, error) {
	q, isQR := parseQR(code)
	if !isQR {
		return readDoor(tx.QueryRow(ctx, byTyped, typed(code)))
	}
	if q.org != OrgTag(tx.Org) {
		return door{}, ErrOtherOrg
	}
	d, err := readDoor(tx.QueryRow(ctx, bySession, q.session))
	switch {
	case err != nil:
		return door{}, err
	case !q.signedBy(d.secret):
		return door{}, ErrUnknownCode
	case !q.fresh(tx.Now) && d.state == "open":
		return door{}, ErrStale
	}
	return d, nil
}

func readDoor(row pgx.Row) (d door, err error) {
	err = row.Scan(&d.Session, &d.voucher, &d.customer, &d.place, &d.secret, &d.state, &d.expires, &d.Items,
		&d.vstate, &d.left, &d.until, &d.Kind, &d.NameTH, &d.NameEN, &d.Picture,
		&d.CustomerName, &d.CustomerPicture, &d.PlaceTH, &d.PlaceEN, &d.isOpen)
	if errors.Is(err, pgx.ErrNoRows) {
		return d, ErrUnknownCode
	}
	if err != nil {
		return d, fmt.Errorf("read a use session: %w", err)
	}
	d.ItemsLeftAfter, d.ValidUntil = d.left-d.Items, d.until.Format(time.DateOnly)
	return d, nil
}

// admit says whether this session can be confirmed here and now.
func (d door) admit(ctx context.Context, tx db.Tx, place uuid.UUID) error {
	switch {
	case d.state == "used":
		return alreadyUsed(ctx, tx, d.Session)
	case d.state != "open" || !tx.Now.Before(d.expires):
		return ErrSessionOver
	case d.until.Before(clock.Day(tx.Now)) || d.vstate == Expired:
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

func alreadyUsed(ctx context.Context, tx db.Tx, session uuid.UUID) error {
	var e Earlier
	if err := tx.QueryRow(ctx, first, session).Scan(&e.Code, &e.NameTH, &e.NameEN, &e.Picture, &e.At, &e.PlaceTH, &e.PlaceEN, &e.Staff, &e.Items); err != nil {
		return fmt.Errorf("who used %s: %w", session, err)
	}
	return ErrAlreadyUsed.With(e)
}

// ConfirmInput names the use session that a scan returned, and where the staff stand.
type ConfirmInput struct {
	Session uuid.UUID `json:"use_session_id"`
	Place   uuid.UUID `json:"service_point_id"`
}

// Redemption is a use that has happened.
type Redemption struct {
	ID        uuid.UUID `json:"id"`
	At        time.Time `json:"at"`
	NameTH    string    `json:"name_th"`
	NameEN    string    `json:"name_en"`
	Kind      Kind      `json:"kind" enum:"item,baht"`
	Items     int64     `json:"items"`
	ItemsLeft int64     `json:"items_left"`
	Customer  string    `json:"customer_name"`
	PlaceTH   string    `json:"place_th"`
	PlaceEN   string    `json:"place_en"`
	Staff     string    `json:"staff"`
}

// Confirm uses what was scanned: one conditional UPDATE decides, whatever the load. The seller earns the items' share.
// It returns ErrAlreadyUsed (with Earlier) to whoever comes second, and what Verify returns otherwise.
func (s *Service) Confirm(ctx context.Context, who token.Session, key string, in ConfirmInput) (r Redemption, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		id, replay, err := idem.Claim(ctx, tx, idem.Key{Actor: who.Subject, Operation: "voucher.confirm", Value: key}, in, db.NewID())
		if err != nil {
			return err
		}
		if !replay {
			if err := confirm(ctx, tx, who.Subject, id, in); err != nil {
				return err
			}
		}
		r, err = readRedemption(tx.QueryRow(ctx, redemptionByID, id))
		return err
	})
	return r, err
}

var used = promauto.NewCounterVec(prometheus.CounterOpts{Name: "wlv_vouchers_used_total", Help: "Uses that staff have confirmed."}, []string{"kind"})

func confirm(ctx context.Context, tx db.Tx, staff, id uuid.UUID, in ConfirmInput) error {
	venue.Stand(tx, staff, in.Place)
	tx.Later(lockVoucherOf, in.Session)
	var voucher, customer uuid.UUID
	var items int64
	err := tx.QueryRow(ctx, confirmUse, in.Session, in.Place, tx.Now).Scan(&voucher, &customer, &items)
	if errors.Is(err, pgx.ErrNoRows) {
		return refuseConfirm(ctx, tx, in)
	}
	if err != nil {
		return fmt.Errorf("confirm %s: %w", in.Session, err)
	}

	var v struct {
		kind        Kind
		total, left int64
		share       int64
	}
	err = tx.QueryRow(ctx, useItems, voucher, items, tx.Now, clock.Day(tx.Now), steps[UseLast].from, steps[UseLast].to, steps[UseSome].to).Scan(&v.kind, &v.total, &v.left, &v.share)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrExpired
	}
	if err != nil {
		return fmt.Errorf("use %d of %s: %w", items, voucher, err)
	}

	earned := shareOf(v.kind, amount(v.share), v.total, v.total-v.left-items, items)
	tx.Later(insertRedemption, id, in.Session, voucher, customer, in.Place, staff, items, v.left, earned, tx.Now)
	err = wallet.Transfer(ctx, tx, wallet.Cause{Kind: "use", ID: id},
		wallet.Posting{Debit: wallet.House(wallet.Unearned), Credit: wallet.House(wallet.Payable), Amount: earned})
	if err != nil {
		return err
	}
	tx.AfterCommit(func(context.Context) { used.WithLabelValues(string(v.kind)).Inc() })
	return notice.Send(ctx, tx, token.User, customer, notice.Print{Topic: "use", ID: &in.Session, State: "used"})
}

func refuseConfirm(ctx context.Context, tx db.Tx, in ConfirmInput) error {
	d, err := readDoor(tx.QueryRow(ctx, bySession, in.Session))
	if err != nil {
		return err
	}
	if err := d.admit(ctx, tx, in.Place); err != nil {
		return err
	}
	return fault.Internal // admitted, and yet not confirmed: cannot be
}
