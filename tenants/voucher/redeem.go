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
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/venue"
	"welovevoucher/tenants/wallet"
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
	isOpen   bool // the place
}

const (
	// What staff $1 at place $2 see.
	doorColumns = `SELECT ` + venue.StandingAt + `, u.id, u.voucher_id, u.customer_id, u.service_point_id, u.secret, u.state, u.expires_at, u.items,
			v.state, v.items_left, v.valid_until, v.kind, v.name_th, v.name_en, v.picture_id,
			c.display_name, c.picture_url, p.name_th, p.name_en, p.status = 5
		FROM use_session u JOIN voucher v ON v.id = u.voucher_id JOIN customer c ON c.id = u.customer_id
		JOIN service_point p ON p.id = u.service_point_id `
	bySession = doorColumns + `WHERE u.id = $3`
	byTyped   = doorColumns + `WHERE u.typed_code = $3`

	first = `SELECT v.code, v.name_th, v.name_en, v.picture_id, r.at, p.name_th, p.name_en, s.name, r.items
		FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN service_point p ON p.id = r.service_point_id
		JOIN staff s ON s.id = r.staff_id WHERE r.use_session_id = $1`

	confirmUse = `UPDATE use_session u SET state = 'used', closed_at = $4 FROM service_point p, customer c, staff s
		WHERE u.id = $3 AND u.service_point_id = $2 AND u.state = 'open' AND u.expires_at > $4
			AND p.id = $2 AND p.status = 5 AND c.id = u.customer_id AND s.id = $1 AND ` + venue.Standing + `
		RETURNING u.voucher_id, u.customer_id, u.items, c.display_name, p.name_th, p.name_en, s.name`
	// Of the session that was confirmed just now.
	useItems = `UPDATE voucher v SET items_left = v.items_left - u.items, updated_at = $2,
		state = CASE WHEN v.items_left = u.items THEN $5::text ELSE $6::text END
		FROM use_session u WHERE u.id = $1 AND u.state = 'used' AND u.closed_at = $2
			AND v.id = u.voucher_id AND v.state = ANY ($4) AND v.items_left >= u.items AND v.valid_until >= $3
		RETURNING v.kind, v.name_th, v.name_en, v.items_total, v.items_left, v.share_satang`
	insertRedemption = `INSERT INTO redemption (id, use_session_id, voucher_id, customer_id, service_point_id, staff_id, items, items_left, amount_satang, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
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
		if err := d.admit(ctx, tx, in.Place); err != nil {
			return err
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
		&d.vstate, &d.left, &d.until, &d.Kind, &d.NameTH, &d.NameEN, &d.Picture,
		&d.CustomerName, &d.CustomerPicture, &d.PlaceTH, &d.PlaceEN, &d.isOpen)
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
	err = idem.Once(ctx, s.db, who.Org, idem.Key{Actor: who.Subject, Operation: "voucher.confirm", Value: key}, in,
		func(tx db.Tx, id uuid.UUID) (err error) {
			r, err = confirm(ctx, tx, who.Subject, id, in)
			return err
		},
		func(tx db.Tx, id uuid.UUID) (err error) {
			r, err = readRedemption(tx.QueryRow(ctx, redemptionByID, id))
			return err
		})
	return r, err
}

var used = promauto.NewCounterVec(prometheus.CounterOpts{Name: "wlv_vouchers_used_total", Help: "Uses that staff have confirmed."}, []string{"kind"})

// errRefused says that a use could not be confirmed, and not yet why.
var errRefused = errors.New("voucher: the use is not confirmed")

// confirm decides in one round trip, writes what follows from it, and answers from what it wrote.
func confirm(ctx context.Context, tx db.Tx, staff, id uuid.UUID, in ConfirmInput) (Redemption, error) {
	r := Redemption{ID: id, At: tx.Now}
	var voucher, customer uuid.UUID
	var total int64
	var share money.Amount
	tx.PlanOnce()
	tx.Later(lockVoucherOf, in.Session)
	tx.Later(confirmUse, staff, in.Place, in.Session, tx.Now).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&voucher, &customer, &r.Items, &r.Customer, &r.PlaceTH, &r.PlaceEN, &r.Staff)
		return orElse(err, errRefused)
	})
	tx.Later(useItems, in.Session, tx.Now, clock.Day(tx.Now), steps[UseLast].from, steps[UseLast].to, steps[UseSome].to).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&r.Kind, &r.NameTH, &r.NameEN, &total, &r.ItemsLeft, &share)
		return orElse(err, ErrExpired)
	})
	err := tx.Flush(ctx)
	if errors.Is(err, errRefused) {
		return r, refuseConfirm(ctx, tx, staff, in)
	}
	if err != nil {
		return r, fmt.Errorf("confirm %s: %w", in.Session, err)
	}

	earned := shareOf(r.Kind, share, total, total-r.ItemsLeft-r.Items, r.Items)
	tx.Later(insertRedemption, id, in.Session, voucher, customer, in.Place, staff, r.Items, r.ItemsLeft, earned, tx.Now)
	err = wallet.Transfer(tx, wallet.Cause{Kind: "use", ID: id},
		wallet.Posting{Debit: wallet.House(wallet.Unearned), Credit: wallet.House(wallet.Payable), Amount: earned})
	if err != nil {
		return r, err
	}
	tx.AfterCommit(func(context.Context) { used.WithLabelValues(string(r.Kind)).Inc() })
	return r, notice.Send(ctx, tx, token.User, customer, notice.Print{Topic: "use", ID: &in.Session, State: "used"})
}

// orElse is the refusal that no row stands for.
func orElse(err, refusal error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return refusal
	}
	return err
}

func refuseConfirm(ctx context.Context, tx db.Tx, staff uuid.UUID, in ConfirmInput) error {
	d, err := readDoor(tx.QueryRow(ctx, bySession, staff, in.Place, in.Session))
	if err != nil {
		return err
	}
	if err := d.admit(ctx, tx, in.Place); err != nil {
		return err
	}
	return fault.Internal // admitted, and yet not confirmed: cannot be
}
