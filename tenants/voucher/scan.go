package voucher

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/notice"
)

// ScanInput is a code that staff scanned or typed, and their service point.
type ScanInput struct {
	Code         string    `json:"code" minLength:"1" maxLength:"7089" doc:"The text of any QR, or the typed code"`
	ServicePoint uuid.UUID `json:"service_point_id"`
}

// Scan is shown to staff before they confirm: the customer, the voucher, how many items, how many remain.
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
	catalog.Sentences
}

// PreviousUse is shown to staff who scan a code that was used already: the voucher, and the staff who confirmed it.
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

// scanRequest is a code that staff scanned or typed, and its result.
type scanRequest struct {
	useLookup
	qr    *qr // one of these two
	typed *typedCode
	trace string

	view useView
	err  error
}

// Several staff accounts may scan one use session: each may confirm it, and the first one does.
var insertScans = db.NewBulk[scanRow](`INSERT INTO use_scan (use_session_id, staff_id, at)
	SELECT unnest(@use_session_id::uuid[]), unnest(@staff_id::uuid[]), unnest(@at::timestamptz[]) ON CONFLICT (use_session_id, staff_id, at) DO NOTHING`)

type scanRow struct {
	Session uuid.UUID `db:"use_session_id"`
	Staff   uuid.UUID `db:"staff_id"`
	At      time.Time `db:"at"`
}

// Verify reads a scanned or typed code and uses nothing. It records the scan: only the staff account that scanned may confirm, within a
// minute. Scans of one organisation that come while others are read share the next transaction. It returns ErrOtherOrg, ErrCodeUnknown,
// ErrStale, ErrAlreadyUsed (with PreviousUse), ErrSessionOver, ErrExpired, ErrNotReady (also if the voucher was frozen,
// refunded or voided), ErrOtherServicePoint, ErrServicePointClosed, servicepoint.ErrNotStaff, the faults of catalog.Calendar.Check, or fault.Unready if
// the queue is full.
func (s *Service) Verify(ctx context.Context, who token.Session, in ScanInput) (scan Scan, err error) {
	r, err := newScanRequest(who, in)
	if err != nil {
		return scan, err
	}
	r.trace = queue.TraceOf(ctx)
	if err := s.scans.Do(ctx, who.Org, r); err != nil {
		return scan, err
	}
	switch {
	case errors.Is(r.err, errUsed):
		return scan, s.alreadyUsed(ctx, who.Org, r.view.Session)
	case r.err != nil:
		return scan, s.explain(ctx, who.Org, r.view, r.err)
	}
	return r.view.Scan, nil
}

// newScanRequest parses a code. It returns ErrCodeUnknown if the text is no code, and ErrOtherOrg if it names another organisation.
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

func (s *Service) scanAll(ctx context.Context, org uuid.UUID, batch []*scanRequest) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		tx.ForceGenericPlan()
		views := queueUseViews(tx, db.Column(batch, func(r *scanRequest) useLookup { return r.useLookup }))
		if err := tx.Flush(ctx); err != nil {
			return fmt.Errorf("read scans: %w", err)
		}
		var rows []scanRow
		var phones []notice.Recipient
		for i, r := range batch {
			r.view = views.Get()[i]
			if r.err = r.authenticate(org, r.view, tx.Now); r.err != nil {
				continue
			}
			if r.err = r.view.check(tx.Now, r.servicePoint); r.err == nil {
				rows = append(rows, scanRow{r.view.Session, r.staff, tx.Now})
			}
			if r.view.isOpenAt(tx.Now) {
				phones = append(phones, notice.Recipient{Subject: r.view.customer, Event: scanned(r.view.Session, r.err), Trace: r.trace})
			}
		}
		if len(rows) > 0 {
			insertScans.Queue(tx, rows)
		}
		return queue.EnqueueAll(ctx, tx, notice.Jobs(token.User, phones))
	})
}

// scanned is the event of a scan for the phone that shows the code: staff look at it, or why they cannot honour it.
func scanned(session uuid.UUID, refused error) notice.Event {
	if refused != nil {
		return notice.Event{Topic: "use", ID: &session, State: "refused", Fault: fault.From(refused).Code}
	}
	return notice.Event{Topic: "use", ID: &session, State: "scanned"}
}

// authenticate returns nil if the code was signed with the secret of its session, in this time step or the last.
func (r *scanRequest) authenticate(org uuid.UUID, v useView, now time.Time) error {
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
	return nil
}

// ScannedInput names the use session that a scan returned.
type ScannedInput struct {
	Session uuid.UUID `json:"use_session_id"`
}

// A use session that has ended is left as it is: its scans say who could confirm it.
const cancelScans = `UPDATE use_scan c SET cancelled_at = $3 FROM use_session u
	WHERE u.id = c.use_session_id AND u.id = $1 AND u.state = 'open' AND c.staff_id = $2 AND c.cancelled_at IS NULL RETURNING u.customer_id`

// CancelScan forgets that the staff account has scanned a use session: it has to scan again before it confirms, and the customer's QR goes on.
// It changes nothing if the session has ended or the account has not scanned it, and returns ErrCodeUnknown if there is no such session.
func (s *Service) CancelScan(ctx context.Context, who token.Session, in ScannedInput) error {
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		locked, err := tx.Exec(ctx, lockVoucherOf, in.Session)
		if err != nil {
			return fmt.Errorf("lock the voucher of use %s: %w", in.Session, err)
		}
		if locked.RowsAffected() == 0 {
			return ErrCodeUnknown
		}
		rows, err := tx.Query(ctx, cancelScans, in.Session, who.Subject, tx.Now)
		if err != nil {
			return fmt.Errorf("cancel the scans of use %s: %w", in.Session, err)
		}
		customers, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil {
			return fmt.Errorf("cancel the scans of use %s: %w", in.Session, err)
		}
		if len(customers) == 0 {
			return nil
		}
		return notice.Send(ctx, tx, token.User, customers[0], notice.Event{Topic: "use", ID: &in.Session, State: "open"})
	})
}

// alreadyUsed returns ErrAlreadyUsed with PreviousUse.
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
