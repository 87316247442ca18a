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
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/servicepoint"
)

// useLookup names a use session, by its id or by its typed name, and the service point where the staff account is.
type useLookup struct {
	staff, servicePoint uuid.UUID
	session             *uuid.UUID
	named               *string
}

// useView is a use session as staff see it, or, in err, the fault for which they see nothing.
type useView struct {
	Scan
	voucher      uuid.UUID
	customer     uuid.UUID
	servicePoint uuid.UUID
	secret       []byte
	state        string
	opened       time.Time
	expires      time.Time
	until        time.Time
	vstate       State
	left         int64
	used         int64
	total        int64
	share        money.Amount // of all items, for the organisation
	commissioned bool         // somebody sold it for commission
	partner      *uuid.UUID   // who earns of what is used at the service point
	partnerRate  int64        // of him, in basis points
	pointIsOpen  bool         // the service point
	closed       []time.Time  // which of the day on which it was asked for and the day before the service point is closed on
	conditions   catalog.Conditions
	staff        string
	scanned      *time.Time // when this member of staff scanned it last, unless cancelled
	err          error      // ErrCodeUnknown, or servicepoint.ErrNotStaff
}

// LIMIT has each looked up by its key: a join may be planned, while the tables are small, to read all of them. A typed name that no open use
// has at the service point may be another one's: staff then say where it was opened for, if the rest of the code is of its secret.
const selectUseViews = `SELECT at.n, ` + servicepoint.StaffServesAt + `, (SELECT name FROM staff WHERE id = at.staff), seen.*
	FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) WITH ORDINALITY AS at (staff, service_point, session, name, n) CROSS JOIN LATERAL (
		SELECT u.id, u.voucher_id, u.customer_id, u.service_point_id, u.secret, u.state, u.opened_at, u.expires_at, u.items,
			v.state, v.items_left, v.items_total - v.items_left - v.items_out, v.items_total, v.share_satang, v.commission_satang > 0, v.valid_until, v.kind, v.name_th, v.name_en, v.picture_id,
			c.display_name, c.picture_url, p.name_th, p.name_en, p.status = 5, x.id, coalesce(n.basis_points, 0),
			(SELECT max(s.at) FROM use_scan s WHERE s.use_session_id = u.id AND s.staff_id = at.staff AND s.cancelled_at IS NULL),
			` + catalog.ClosedAround + `, ` + catalog.ConditionColumns + `
		FROM use_session u JOIN voucher v ON v.id = u.voucher_id JOIN template_version ver ON ver.id = v.version_id JOIN customer c ON c.id = u.customer_id
		JOIN service_point p ON p.id = u.service_point_id LEFT JOIN partner x ON x.id = p.partner_id AND x.status = 5
		LEFT JOIN LATERAL (SELECT t.basis_points FROM partner_rate t WHERE t.partner_id = x.id AND t.status = 5 AND t.first_day <= $5::date ORDER BY t.first_day DESC LIMIT 1) n ON true
		CROSS JOIN LATERAL (SELECT (u.opened_at AT TIME ZONE 'Asia/Bangkok')::date AS day) asked
		WHERE u.id = coalesce(at.session, (SELECT id FROM use_session WHERE service_point_id = at.service_point AND typed_name = at.name AND state = 'open'),
			(SELECT id FROM use_session WHERE typed_name = at.name AND state = 'open' ORDER BY id DESC LIMIT 1)) LIMIT 1) AS seen`

// queueUseViews queues the read of what staff see: a view for each lookup, in their order.
func queueUseViews(tx db.Tx, at []useLookup) *db.Pending[[]useView] {
	queued := tx.Queue(selectUseViews,
		db.Column(at, func(l useLookup) uuid.UUID { return l.staff }),
		db.Column(at, func(l useLookup) uuid.UUID { return l.servicePoint }),
		db.Column(at, func(l useLookup) *uuid.UUID { return l.session }),
		db.Column(at, func(l useLookup) *string { return l.named }), clock.Day(tx.Now))
	return db.Await(queued, func(rows pgx.Rows) ([]useView, error) {
		views := make([]useView, len(at))
		for i := range views {
			views[i].err = ErrCodeUnknown
		}
		for rows.Next() {
			n, view, err := readUseView(rows)
			if err != nil {
				return nil, fmt.Errorf("read a use session: %w", err)
			}
			views[n-1] = view
		}
		return views, rows.Err()
	})
}

// readUseView reads a row. The view has only servicepoint.ErrNotStaff if the staff account does not work at the service point.
func readUseView(row pgx.Row) (n int, v useView, err error) {
	var may bool
	err = row.Scan(append([]any{
		&n, &may, &v.staff, &v.Session, &v.voucher, &v.customer, &v.servicePoint, &v.secret, &v.state, &v.opened, &v.expires, &v.Items,
		&v.vstate, &v.left, &v.used, &v.total, &v.share, &v.commissioned, &v.until, &v.Kind, &v.NameTH, &v.NameEN, &v.Picture,
		&v.CustomerName, &v.CustomerPicture, &v.ServicePointTH, &v.ServicePointEN, &v.pointIsOpen, &v.partner, &v.partnerRate, &v.scanned, &v.closed,
	}, catalog.ConditionTargets(&v.conditions)...)...)
	if err == nil && !may {
		return n, useView{err: servicepoint.ErrNotStaff}, nil
	}
	v.ItemsLeftAfter, v.ValidUntil = v.left-v.Items, v.until.Format(time.DateOnly)
	v.Sentences = v.conditions.Sentences()
	return n, v, err
}

// errUsed says that a session was confirmed before. alreadyUsed reads by whom.
var errUsed = errors.New("voucher: the use was confirmed before")

func (v useView) isOpenAt(now time.Time) bool { return v.state == "open" && now.Before(v.expires) }

// check returns nil if the session can be confirmed at the service point now. Its days and hours are those of when it was asked for.
func (v useView) check(now time.Time, servicePoint uuid.UUID) error {
	switch {
	case v.state == "used":
		return errUsed
	case !v.isOpenAt(now):
		return ErrSessionOver
	case v.until.Before(clock.Day(now)) || v.vstate == Expired:
		return ErrExpired
	case v.vstate != InUse:
		return ErrNotReady
	case v.servicePoint != servicePoint:
		return ErrOtherServicePoint.With(map[string]string{"service_point_name_th": v.ServicePointTH, "service_point_name_en": v.ServicePointEN})
	case !v.pointIsOpen:
		return ErrServicePointClosed
	}
	return catalog.Around(v.conditions, v.closed, v.until).Refusal(v.opened)
}

// explain adds to a fault of the days and hours of a session's voucher when it can be used next. It returns other errors as they are.
func (s *Service) explain(ctx context.Context, org uuid.UUID, v useView, err error) error {
	if !errors.Is(err, catalog.ErrNotToday) && !errors.Is(err, catalog.ErrNotAtThisHour) && !errors.Is(err, catalog.ErrClosedDay) {
		return err
	}
	failed := s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		closed, failed := catalog.Closings(ctx, tx, v.servicePoint, clock.Day(v.opened).AddDate(0, 0, -1))
		if failed != nil {
			return failed
		}
		if why := (catalog.Calendar{Conditions: v.conditions, Closed: closed, Last: v.until}).Check(v.opened); why != nil {
			err = why
		}
		return nil
	})
	if failed != nil {
		return failed
	}
	return err
}

// scanLifetime is how long a scan may be confirmed.
const scanLifetime = time.Minute

// admitScanned is check for a confirmation. It also returns ErrNotScanned if the staff account has not scanned the session within scanLifetime.
func (v useView) admitScanned(now time.Time, servicePoint uuid.UUID) error {
	if err := v.check(now, servicePoint); err != nil {
		return err
	}
	if v.scanned == nil || now.Sub(*v.scanned) > scanLifetime {
		return ErrNotScanned
	}
	return nil
}

func (v useView) redeemed(id uuid.UUID, at time.Time) Redemption {
	return Redemption{
		ID: id, At: at, NameTH: v.NameTH, NameEN: v.NameEN, Kind: v.Kind, Items: v.Items, ItemsLeft: v.ItemsLeftAfter, ItemsTotal: v.total,
		Customer: v.CustomerName, ServicePointTH: v.ServicePointTH, ServicePointEN: v.ServicePointEN, Staff: v.staff,
	}
}

// earned returns the sum that the organisation earns by the use.
func (v useView) earned() money.Amount {
	return Sums{Share: v.share}.Slice(v.Kind, v.total, v.used, v.used+v.Items).Share
}

// partnerShare returns what a partner earns of the use, or nil where the service point is nobody's.
func (v useView) partnerShare() *money.Amount {
	if v.partner == nil {
		return nil
	}
	share := v.earned().Percent(v.partnerRate)
	return &share
}

// after returns the state of the voucher after the use.
func (v useView) after() State {
	if v.ItemsLeftAfter == 0 {
		return transitions[UseLast].to
	}
	return transitions[UseSome].to
}
