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
	"welovevoucher/tenants/voucher"
)

// Case is what the organisation decides by.
type Case struct {
	Record          Row          `json:"record"`
	Picture         *uuid.UUID   `json:"picture_id" nullable:"true" doc:"Of the voucher"`
	CustomerPicture string       `json:"customer_picture_url"`
	Paid            money.Amount `json:"paid_satang" doc:"What was paid for the items"`
	Opened          time.Time    `json:"opened_at" doc:"UTC; when the phone showed the code"`
	Scanned         *time.Time   `json:"scanned_at" doc:"UTC; when who confirmed it scanned it last before"`
	Uses            int64        `json:"uses" doc:"Of the customer, in a year"`
	Objections      int64        `json:"objections" doc:"Of the customer, in a year"`
	Answer          string       `json:"answer" doc:"What the organisation says to it; may be empty"`
	Until           string       `json:"valid_until" format:"date" doc:"To which day its items can be used when it is undone now, or could be when it was"`
	Anew            *uuid.UUID   `json:"anew_id" nullable:"true" doc:"The voucher of what was undone"`
	AnewCode        string       `json:"anew_code"`
}

// Items leave a voucher from its front by uses; what a use left says which uses were before it.
const caseOf = `SELECT v.picture_id, c.picture_url, v.kind, v.items_total, v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang,
		(SELECT coalesce(sum(b.items), 0)::bigint FROM redemption b WHERE b.voucher_id = v.id AND b.items_left > r.items_left), r.items,
		u.opened_at, (SELECT max(s.at) FROM use_scan s WHERE s.use_session_id = u.id AND s.staff_id = r.staff_id AND s.cancelled_at IS NULL AND s.at <= r.at),
		(SELECT count(*) FROM redemption b WHERE b.customer_id = o.customer_id AND b.at > $2), (SELECT count(*) FROM objection b WHERE b.customer_id = o.customer_id AND b.made_at > $2),
		o.answer, coalesce(n.valid_until, greatest(v.valid_until, $3::date))::text, n.id, coalesce(n.code, '')
	FROM objection o JOIN redemption r ON r.id = o.redemption_id JOIN use_session u ON u.id = r.use_session_id JOIN voucher v ON v.id = o.voucher_id JOIN customer c ON c.id = o.customer_id
	LEFT JOIN voucher n ON n.undoes = r.id WHERE o.id = $1`

// Case returns an objection as the organisation sees it. It returns fault.Missing if there is none.
func (s *Service) Case(ctx context.Context, org, id uuid.UUID) (c Case, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		if c.Record, err = Objections.Detail(ctx, tx, id); err != nil {
			return err
		}
		var kind voucher.Kind
		var sums voucher.Sums
		var total, since, items int64
		err := tx.QueryRow(ctx, caseOf, id, tx.Now.AddDate(-1, 0, 0), clock.Day(tx.Now).AddDate(0, 0, voucher.DaysAnew)).Scan(&c.Picture, &c.CustomerPicture, &kind, &total,
			&sums.Share, &sums.Fee, &sums.Commission, &sums.Discount, &since, &items, &c.Opened, &c.Scanned, &c.Uses, &c.Objections, &c.Answer, &c.Until, &c.Anew, &c.AnewCode)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("read objection %s: %w", id, err)
		}
		c.Paid = sums.Slice(kind, total, since, since+items).Paid()
		return nil
	})
	return c, err
}
