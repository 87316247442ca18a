// Package objection is what follows when a customer says that a use was not his: what the use earned is held on an account of its own, until
// the organisation lets the use stand, or undoes it, or has said nothing for 48 hours.
package objection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
)

// State of an objection.
type State string

// The states. An open objection ends once, and for good.
const (
	Open   State = "open"
	Stands State = "stands" // the use does
	Undone State = "undone" // the use is
)

// decideWithin is how long the organisation has. Then a use is undone by itself.
const decideWithin = 48 * time.Hour

// Faults.
var (
	ErrNotFound = fault.New(fault.NotFound, "objection.not_found", "Use not found")
	ErrTooLate  = fault.New(fault.Conflict, "objection.too_late", "This was possible until the end of the day after the use")
	ErrMade     = fault.New(fault.Conflict, "objection.made", "You have said already that it was not you")
	ErrDecided  = fault.New(fault.Conflict, "objection.decided", "This has been decided already")
)

// Until is the moment until which somebody may object to a use: the end of the next day in Bangkok.
func Until(used time.Time) time.Time { return clock.Start(clock.Day(used).AddDate(0, 0, 2)) }

// Use is a use as who used it sees it.
type Use struct {
	ID         uuid.UUID    `json:"id"`
	Voucher    *uuid.UUID   `json:"voucher_id" nullable:"true" doc:"Null where he does not hold it any more"`
	NameTH     string       `json:"name_th"`
	NameEN     string       `json:"name_en"`
	Picture    *uuid.UUID   `json:"picture" nullable:"true"`
	Kind       string       `json:"kind" enum:"item,baht"`
	Items      int64        `json:"items" doc:"Satang when kind is baht"`
	ItemsLeft  int64        `json:"items_left" doc:"After it"`
	PlaceTH    string       `json:"service_point_name_th"`
	PlaceEN    string       `json:"service_point_name_en"`
	At         time.Time    `json:"at" doc:"UTC"`
	Until      time.Time    `json:"until" doc:"Until when he may say that it was not he"`
	MayObject  bool         `json:"may_object"`
	State      State        `json:"state" enum:",open,stands,undone" doc:"Empty where he has not objected"`
	Share      money.Amount `json:"share_satang" doc:"What the organisation earned by it, which is held while the objection is open; 0 for who did not pay for it"`
	MadeAt     *time.Time   `json:"made_at"`
	DueAt      *time.Time   `json:"due_at" doc:"When it is undone by itself"`
	DecidedAt  *time.Time   `json:"decided_at"`
	ByItself   bool         `json:"by_itself" doc:"It was undone because nobody decided in time"`
	Answer     string       `json:"answer" doc:"What the organisation says to it; may be empty"`
	Anew       *uuid.UUID   `json:"anew_id" nullable:"true" doc:"The voucher of what was undone, while he holds it"`
	ValidUntil *string      `json:"anew_valid_until" format:"date"`
}

// A use's price is nothing of somebody's to whom the voucher was given, or who bought it on the board.
const useOf = `SELECT r.id, CASE WHEN v.holder_id = r.customer_id THEN v.id END, v.name_th, v.name_en, v.picture_id, v.kind, r.items, r.items_left, p.name_th, p.name_en, r.at,
		coalesce(o.state, ''), CASE WHEN b.customer_id = r.customer_id THEN r.amount_satang ELSE 0 END, o.made_at, o.due_at, o.decided_at, o.state = 'undone' AND o.decided_by IS NULL, coalesce(o.answer, ''),
		CASE WHEN n.holder_id = r.customer_id THEN n.id END, n.valid_until::text
	FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN orders b ON b.id = v.order_id JOIN service_point p ON p.id = r.service_point_id
	LEFT JOIN objection o ON o.redemption_id = r.id LEFT JOIN voucher n ON n.undoes = r.id WHERE r.id = $1 AND r.customer_id = $2`

// Service has the use cases of objections.
type Service struct {
	db     *db.DB
	settle func(ctx context.Context, tx db.Tx, customer uuid.UUID, credited bool) error
}

// New returns the service. settle is charge.Settle: what is issued anew may stand for what its payer owes.
func New(d *db.DB, settle func(ctx context.Context, tx db.Tx, customer uuid.UUID, credited bool) error) *Service {
	return &Service{d, settle}
}

// Use returns a use of the customer's. It returns ErrNotFound for anybody else's.
func (s *Service) Use(ctx context.Context, who token.Session, id uuid.UUID) (u Use, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		var byItself *bool
		err := tx.QueryRow(ctx, useOf, id, who.Subject).Scan(&u.ID, &u.Voucher, &u.NameTH, &u.NameEN, &u.Picture, &u.Kind, &u.Items, &u.ItemsLeft, &u.PlaceTH, &u.PlaceEN, &u.At,
			&u.State, &u.Share, &u.MadeAt, &u.DueAt, &u.DecidedAt, &byItself, &u.Answer, &u.Anew, &u.ValidUntil)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("read use %s: %w", id, err)
		}
		u.Until, u.ByItself = Until(u.At), byItself != nil && *byItself
		u.MayObject = u.State == "" && tx.Now.Before(u.Until)
		return nil
	})
	return u, err
}
