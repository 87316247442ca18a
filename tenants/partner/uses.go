package partner

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/servicepoint"
)

// Use is a use at a service point that was a partner's then.
type Use struct {
	ID        uuid.UUID    `json:"id"`
	At        time.Time    `json:"at" doc:"UTC"`
	PartnerTH string       `json:"partner_name_th"`
	PartnerEN string       `json:"partner_name_en"`
	NameTH    string       `json:"name_th" doc:"Of what was used"`
	NameEN    string       `json:"name_en"`
	Kind      string       `json:"kind" enum:"item,baht"`
	Items     int64        `json:"items" doc:"Used up by this use; of kind baht in satang"`
	State     string       `json:"state" enum:"none,pending,mature,open,undone" doc:"none: nothing is earned of it. open: the customer objects to it. undone: the organisation decided that it was none"`
	Due       money.Amount `json:"due_satang" doc:"What the partner earns of it, as it is now"`
}

// DayOfUses is a page of a day's uses, newest first.
type DayOfUses struct {
	Data []Use        `json:"data"`
	Next *uuid.UUID   `json:"next" nullable:"true" doc:"What to ask for as after of the next page"`
	Due  money.Amount `json:"due_satang" doc:"Of the whole day"`
}

// maxUses is how many uses a page of UsesOn has.
const maxUses = 200

const (
	usesOn = `SELECT r.id, r.at, x.name_th, x.name_en, v.name_th, v.name_en, v.kind, r.items,
			CASE WHEN o.state IN ('open', 'undone') THEN o.state WHEN k.id IS NULL THEN 'none' WHEN k.mature_satang > 0 THEN 'mature' ELSE 'pending' END, coalesce(k.due_satang, 0)
		FROM redemption r JOIN partner x ON x.id = r.partner_id JOIN voucher v ON v.id = r.voucher_id
		LEFT JOIN commission k ON k.redemption_id = r.id LEFT JOIN objection o ON o.redemption_id = r.id
		WHERE r.service_point_id = $1 AND r.at >= $2 AND r.at < $3 AND ($4::uuid IS NULL OR (r.at, r.id) < (SELECT a.at, a.id FROM redemption a WHERE a.id = $4))
		ORDER BY r.at DESC, r.id DESC LIMIT $5`
	dueOn = `SELECT coalesce(sum(k.due_satang), 0)::bigint FROM redemption r JOIN commission k ON k.redemption_id = r.id WHERE r.service_point_id = $1 AND r.at >= $2 AND r.at < $3`
)

// UsesOn returns what was used at a service point on a day in Bangkok, of the zero time today, while it was a partner's: those older than after, which is
// nil for the newest. It returns servicepoint.ErrNotStaff.
func (s *Service) UsesOn(ctx context.Context, who token.Session, servicePoint uuid.UUID, day time.Time, after *uuid.UUID) (uses DayOfUses, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		servicepoint.RequireStaff(tx, who.Subject, servicePoint)
		if day.IsZero() {
			day = clock.Day(tx.Now)
		}
		from, to := clock.Start(day), clock.Start(day.AddDate(0, 0, 1))
		rows, err := tx.Query(ctx, usesOn, servicePoint, from, to, after, maxUses+1)
		if err != nil {
			return fmt.Errorf("uses at %s: %w", servicePoint, err)
		}
		if uses.Data, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Use]); err != nil {
			return fmt.Errorf("uses at %s: %w", servicePoint, err)
		}
		return tx.QueryRow(ctx, dueOn, servicePoint, from, to).Scan(&uses.Due)
	})
	if len(uses.Data) > maxUses {
		uses.Data = uses.Data[:maxUses]
		uses.Next = &uses.Data[maxUses-1].ID
	}
	return uses, err
}
