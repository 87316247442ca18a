package voucher

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
)

// ScanInput is what staff scanned or typed, and where they stand.
type ScanInput struct {
	Code         string    `json:"code" minLength:"1" maxLength:"7089" doc:"The text of any QR, or the typed code"`
	ServicePoint uuid.UUID `json:"service_point_id"`
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
	ServicePointTH  string     `json:"service_point_name_th"`
	ServicePointEN  string     `json:"service_point_name_en"`
}

// PreviousUse is what the second scanner reads: which voucher it is, and who was first.
type PreviousUse struct {
	Code           string     `json:"code"`
	NameTH         string     `json:"name_th"`
	NameEN         string     `json:"name_en"`
	Picture        *uuid.UUID `json:"picture"`
	At             time.Time  `json:"at"`
	ServicePointTH string     `json:"service_point_name_th"`
	ServicePointEN string     `json:"service_point_name_en"`
	Staff          string     `json:"staff"`
	Items          int64      `json:"items"`
}

const selectPreviousUse = `SELECT v.code, v.name_th, v.name_en, v.picture_id, r.at, p.name_th, p.name_en, s.name, r.items
	FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN service_point p ON p.id = r.service_point_id
	JOIN staff s ON s.id = r.staff_id WHERE r.use_session_id = $1`

// scanRequest is a code that staff hold before the camera or type, and what became of it.
type scanRequest struct {
	useLookup
	qr    *qr // one of these two
	typed *typedCode

	view useView
	err  error
}

// Several may scan one use: each may confirm what he saw, and one of them will.
var insertScans = db.NewBulk[scanRow](`INSERT INTO use_scan (use_session_id, staff_id, at)
	SELECT unnest(@use_session_id::uuid[]), unnest(@staff_id::uuid[]), unnest(@at::timestamptz[]) ON CONFLICT (use_session_id, staff_id, at) DO NOTHING`)

type scanRow struct {
	Session uuid.UUID `db:"use_session_id"`
	Staff   uuid.UUID `db:"staff_id"`
	At      time.Time `db:"at"`
}

// Verify reads a scanned or typed code, burns nothing, and remembers who scanned it: he may confirm it for a minute. Scans of one organisation that come while another is under way are
// read together. It returns ErrOtherOrg, ErrCodeUnknown, ErrStale, ErrAlreadyUsed (with PreviousUse), ErrSessionOver, ErrExpired,
// ErrOtherServicePoint, ErrServicePointClosed or servicepoint.ErrNotStaff.
func (s *Service) Verify(ctx context.Context, who token.Session, in ScanInput) (scan Scan, err error) {
	r, err := newScanRequest(who, in)
	if err != nil {
		return scan, err
	}
	if err := s.scans.Do(ctx, who.Org, r); err != nil {
		return scan, err
	}
	switch {
	case errors.Is(r.err, errUsed):
		return scan, s.alreadyUsed(ctx, who.Org, r.view.Session)
	case r.err != nil:
		return scan, r.err
	}
	return r.view.Scan, nil
}

// newScanRequest takes a code apart. It returns ErrCodeUnknown for what is none, and ErrOtherOrg.
func newScanRequest(who token.Session, in ScanInput) (*scanRequest, error) {
	r := &scanRequest{useLookup: useLookup{staff: who.Subject, servicePoint: in.ServicePoint}}
	if q, ok := parseQR(in.Code); ok {
		if q.org != OrgTag(who.Org) {
			return nil, ErrOtherOrg
		}
		r.qr, r.session = &q, &q.session
		return r, nil
	}
	code, ok := parseTyped(in.Code)
	if !ok {
		return nil, ErrCodeUnknown
	}
	r.typed, r.named = &code, &code.name
	return r, nil
}

func (s *Service) scanAll(ctx context.Context, org uuid.UUID, group []*scanRequest) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		tx.ForceGenericPlan()
		views := queueUseViews(tx, db.Column(group, func(r *scanRequest) useLookup { return r.useLookup }))
		if err := tx.Flush(ctx); err != nil {
			return fmt.Errorf("read scans: %w", err)
		}
		var rows []scanRow
		for i, r := range group {
			r.view = views.Get()[i]
			if r.err = r.decide(org, r.view, tx.Now); r.err == nil {
				rows = append(rows, scanRow{r.view.Session, r.staff, tx.Now})
			}
		}
		if len(rows) > 0 {
			insertScans.Queue(tx, rows)
		}
		return nil
	})
}

// decide believes a code only if its session's secret has signed it, just now.
func (r *scanRequest) decide(org uuid.UUID, v useView, now time.Time) error {
	switch {
	case v.err != nil:
		return v.err
	case r.typed != nil && !r.typed.madeBy(OrgTag(org), v.Session, v.secret, now):
		return ErrCodeUnknown
	case r.qr != nil && !r.qr.signedBy(v.secret):
		return ErrCodeUnknown
	case r.qr != nil && !r.qr.fresh(now) && v.state == "open":
		return ErrStale
	}
	return v.check(now, r.servicePoint)
}

// alreadyUsed is ErrAlreadyUsed with PreviousUse.
func (s *Service) alreadyUsed(ctx context.Context, org, session uuid.UUID) error {
	var e PreviousUse
	err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		return tx.QueryRow(ctx, selectPreviousUse, session).Scan(&e.Code, &e.NameTH, &e.NameEN, &e.Picture, &e.At, &e.ServicePointTH, &e.ServicePointEN, &e.Staff, &e.Items)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrCodeUnknown // it was made with test keys and is void by now
	}
	if err != nil {
		return fmt.Errorf("who used %s: %w", session, err)
	}
	return ErrAlreadyUsed.With(e)
}
