package voucher

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/batch"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/servicepoint"
)

// Service answers holders of vouchers and the staff who honour them.
type Service struct {
	db     *db.DB
	settle charge.Settle
	// By organisation: a transaction has one.
	scans         *batch.Batcher[uuid.UUID, *scanRequest]
	confirmations *batch.Batcher[uuid.UUID, *confirmRequest]
}

// New returns the service. settle settles what a customer owes whose wallet was credited.
func New(d *db.DB, settle charge.Settle) *Service {
	s := &Service{db: d, settle: settle}
	s.scans = batch.New(maxBatch, maxQueue, s.scanAll, db.IsUnknownOutcome)
	s.confirmations = batch.New(maxBatch, maxQueue, s.confirmAll, db.IsUnknownOutcome)
	return s
}

// ancestors are what a voucher v was made of, itself first.
const ancestors = `WITH RECURSIVE up (id, parent_id) AS (SELECT v.id, v.parent_id UNION ALL SELECT p.id, p.parent_id FROM up JOIN voucher p ON p.id = up.parent_id) `

const listColumns = `SELECT v.id, v.code, v.kind, v.name_th, v.name_en, v.picture_id, v.state,
		v.items_total, v.items_left, v.valid_until, CASE WHEN v.state = 'used' THEN v.updated_at END, v.gift_id, v.gift_id IS NOT NULL AND EXISTS (SELECT FROM gift g WHERE g.id = v.gift_id AND g.expires_at <= $2` + daysGoOn + `),
		v.offer_id, v.offer_id IS NOT NULL AND EXISTS (SELECT FROM offer f WHERE f.id = v.offer_id AND f.expires_at <= $2), u.id, u.expires_at, place.name_th, place.name_en,
		(SELECT count(*) FROM service_point p WHERE p.status = 5 AND (ver.service_point_ids = '{}' OR p.id = ANY (ver.service_point_ids))),
		coalesce((SELECT CASE WHEN f.disputed_satang > 0 THEN 'dispute' ELSE 'refund' END FROM charge f WHERE f.id = v.frozen_for), CASE WHEN v.owner_freeze_id IS NULL THEN '' ELSE 'shop' END), v.transfer_rule, v.transfers_left,
		v.items_total - v.items_out, first_value(v.id) OVER (PARTITION BY root.id ORDER BY v.id)
	FROM voucher v JOIN template_version ver ON ver.id = v.version_id LEFT JOIN use_session u ON u.voucher_id = v.id AND u.state = 'open' AND u.expires_at > $2
		LEFT JOIN service_point place ON place.id = u.service_point_id
		CROSS JOIN LATERAL (SELECT CASE WHEN v.parent_id IS NULL THEN v.id ELSE (` + ancestors + `SELECT up.id FROM up WHERE up.parent_id IS NULL) END AS id) root
	WHERE v.holder_id = $1 `

const (
	listReady   = listColumns + `AND (v.state = ANY ($5) AND v.valid_until >= $4 OR v.state = 'frozen') ORDER BY u.id IS NULL, v.valid_until, v.id LIMIT $3`
	listUsed    = listColumns + `AND v.state IN ('used', 'refunded', 'void') ORDER BY v.updated_at DESC, v.id LIMIT $3`
	listExpired = listColumns + `AND (v.state = 'expired' OR v.state = ANY ($5) AND v.valid_until < $4) ORDER BY v.valid_until DESC, v.id LIMIT $3`
	listAll     = listColumns + `ORDER BY v.id DESC LIMIT $3`
	listOne     = listColumns + `AND v.id = $3`
	// His others that were made of one with it, and can be used.
	listSiblings = listColumns + `AND v.id <> $3 AND v.state = ANY ($4) AND v.id IN (
		WITH RECURSIVE up (id, parent_id) AS (SELECT a.id, a.parent_id FROM voucher a WHERE a.id = $3 UNION ALL SELECT p.id, p.parent_id FROM up JOIN voucher p ON p.id = up.parent_id),
			down (id) AS (SELECT up.id FROM up WHERE up.parent_id IS NULL UNION ALL SELECT c.id FROM down JOIN voucher c ON c.parent_id = down.id)
		SELECT down.id FROM down) ORDER BY v.id`
	listOfOrder = listColumns + `AND v.order_id = $3 ORDER BY v.id`
)

// lists are the views of a customer's vouchers; some depend on the day, and on the states that its end ends.
var lists = map[string]struct {
	sql   string
	byDay bool
}{"ready": {listReady, true}, "used": {listUsed, false}, "expired": {listExpired, true}, "all": {listAll, false}}

// ListInput narrows a customer's vouchers.
type ListInput struct {
	State string `json:"state" enum:"ready,used,expired,all"`
}

const maxList = 500

// List is one view of a customer's vouchers, and how many each view has.
type List struct {
	Data   []Voucher `json:"data"`
	Counts struct {
		Ready   int `json:"ready"`
		Used    int `json:"used"`
		Expired int `json:"expired"`
		All     int `json:"all"`
	} `json:"counts"`
}

// As the views do.
const countViews = `SELECT count(*) FILTER (WHERE state = ANY ($3) AND valid_until >= $2 OR state = 'frozen'),
		count(*) FILTER (WHERE state IN ('used', 'refunded', 'void')),
		count(*) FILTER (WHERE state = 'expired' OR state = ANY ($3) AND valid_until < $2), count(*)
	FROM voucher WHERE holder_id = $1`

// List returns the customer's vouchers; those in use first, then by the end of their validity.
func (s *Service) List(ctx context.Context, who token.Session, in ListInput) (l List, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		today, ends := clock.Day(tx.Now), transitions[Expire].from
		view, args := lists[in.State], []any{who.Subject, tx.Now, maxList}
		if view.byDay {
			args = append(args, today, ends)
		}
		tx.Queue(view.sql, args...).Query(func(rows pgx.Rows) (err error) {
			l.Data, err = pgx.CollectRows(rows, readVoucher(tx))
			return err
		})
		tx.Queue(countViews, who.Subject, today, ends).QueryRow(func(row pgx.Row) error {
			return row.Scan(&l.Counts.Ready, &l.Counts.Used, &l.Counts.Expired, &l.Counts.All)
		})
		if err := tx.Flush(ctx); err != nil {
			return fmt.Errorf("vouchers of %s: %w", who.Subject, err)
		}
		return nil
	})
	return l, err
}

// OfOrder queues the read of the vouchers that an order issued, as its buyer sees them. into is set by tx.Flush.
func OfOrder(tx db.Tx, customer, order uuid.UUID, into *[]Voucher) {
	tx.Queue(listOfOrder, customer, tx.Now, order).Query(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectRows(rows, readVoucher(tx))
		return err
	})
}

// readVoucher reads a voucher in the state that it has now: a due use session, gift or offer does not hold it, and a due voucher is expired, also before a
// worker has saved that.
func readVoucher(tx db.Tx) pgx.RowToFunc[Voucher] {
	return func(row pgx.CollectableRow) (v Voucher, err error) {
		var until time.Time
		var use *uuid.UUID
		var expires *time.Time
		var placeTH, placeEN *string
		var giftIsOver, offerIsOver bool
		err = row.Scan(&v.ID, &v.Code, &v.Kind, &v.NameTH, &v.NameEN, &v.Picture, &v.State, &v.ItemsTotal, &v.ItemsLeft,
			&until, &v.UsedAt, &v.Gift, &giftIsOver, &v.Offer, &offerIsOver, &use, &expires, &placeTH, &placeEN, &v.ServicePoints, &v.Frozen, &v.TransferRule, &v.TransfersLeft, &v.Own, &v.FirstSibling)
		if err != nil {
			return v, err
		}
		v.ValidUntil = until.Format(time.DateOnly)
		if use != nil {
			v.Use = &OpenUse{ID: *use, Expires: *expires, ServicePointTH: *placeTH, ServicePointEN: *placeEN}
		}
		if expired, ok := Next(v.State, Expire); ok && until.Before(clock.Day(tx.Now)) {
			v.State = expired
		} else if free, ok := Next(v.State, CancelUse); ok && use == nil {
			v.State = free
		} else if back, ok := Next(v.State, WithdrawGift); ok && giftIsOver {
			v.State = back
		} else if back, ok := Next(v.State, WithdrawOffer); ok && offerIsOver {
			v.State = back
		}
		if v.State != InTransfer {
			v.Gift = nil
		}
		if v.State != OnSale {
			v.Offer = nil
		}
		return v, nil
	}
}

// Detail is a voucher with everything its holder may want to know.
type Detail struct {
	Voucher
	IssuedAt     time.Time `json:"issued_at"`
	OrderNumber  string    `json:"order_number" doc:"Empty unless he bought it"`
	GivenBy      string    `json:"given_by" doc:"Who gave it to him last; empty if he bought it"`
	Package      uuid.UUID `json:"package_id" doc:"What it was bought as; it may be off sale"`
	ConditionsTH string    `json:"conditions_th"`
	ConditionsEN string    `json:"conditions_en"`
	catalog.Sentences
	Alike       int                          `json:"alike" doc:"How many of his vouchers of the same order are ready and like it, this one among them: one link may give each of so many people one"`
	Void        *money.Amount                `json:"void_satang" nullable:"true" doc:"What came to his wallet when the organisation ended it; null unless it did"`
	Together    bool                         `json:"transfer_together"`
	ExpiryRule  string                       `json:"expiry_rule" enum:"breakage,wallet" doc:"What is left at expiry: kept by the organisation, or back to the holder's wallet"`
	Where       []catalog.PublicServicePoint `json:"where"`
	Redemptions []Redemption                 `json:"uses" doc:"His own"`
	Hands       []string                     `json:"hands" enum:"gift,offer" doc:"By what it went from hand to hand after the organisation had sold it, the first first; the last one is its holder's"`
	Siblings    []Voucher                    `json:"siblings" doc:"His others that were made of one with it, and are not over"`
	Refund      *OwnRefund                   `json:"refund" doc:"null unless he paid for it, may change his mind still, and nobody else has held it"`
}

// OwnRefund says how its payer has a voucher refunded who changes his mind.
type OwnRefund struct {
	Order uuid.UUID `json:"order_id"`
	Rule  string    `json:"refund_rule" enum:"asking,self"`
	Until string    `json:"until" format:"date" doc:"Last day, Asia/Bangkok"`
}

// ownRefund returns what its package said of refunds when it was sold, or nil if its holder has nothing of that now.
func (d Detail) ownRefund(order uuid.UUID, payer *uuid.UUID, holder uuid.UUID, terms catalog.RefundTerms, paidAt, now time.Time) *OwnRefund {
	if payer == nil || *payer != holder || len(d.Hands) > 0 || d.State != Ready || terms.Rule == "none" || !terms.Open(paidAt, now) {
		return nil
	}
	return &OwnRefund{order, terms.Rule, terms.Until(paidAt).Format(time.DateOnly)}
}

const (
	// Its claims, and those of what it was split off from, or was used of, before it was.
	claims = `WITH RECURSIVE hand (id, parent_id, undoes, before) AS (
			SELECT v.id, v.parent_id, v.undoes, NULL::uuid UNION ALL SELECT p.id, p.parent_id, p.undoes, coalesce(h.undoes, h.id) FROM hand h JOIN voucher p ON p.id = h.parent_id)
		SELECT n.id, n.gift_id FROM hand h JOIN voucher_event n ON n.voucher_id = h.id AND n.event = 'claim' AND (h.before IS NULL OR n.id < h.before)`
	detail = `SELECT v.version_id, v.issued_at, CASE WHEN o.customer_id = v.holder_id THEN o.number ELSE '' END,
			CASE WHEN o.customer_id = v.holder_id THEN '' ELSE coalesce((SELECT c.display_name FROM (` + claims + `) n JOIN gift g ON g.id = n.gift_id JOIN customer c ON c.id = g.giver_id
				ORDER BY n.id DESC LIMIT 1), '') END, l.package_id, v.transfer_together, v.expiry_rule, (SELECT ` + PaidByVoid + ` FROM owner_void w WHERE w.voucher_id = v.id),
			ver.conditions_th, ver.conditions_en, o.id, CASE WHEN v.share_satang + v.fee_satang + v.commission_satang > v.platform_discount_satang THEN o.customer_id END, o.paid_at, l.refund_rule, l.refund_days,
			(SELECT count(*) FROM voucher a JOIN voucher b ON b.order_id = a.order_id AND b.holder_id = a.holder_id AND ` + alike + ` WHERE a.id = v.id AND b.state = 'ready'), ` + catalog.ConditionColumns + `
		FROM voucher v JOIN orders o ON o.id = v.order_id JOIN order_line l ON l.order_id = v.order_id AND l.position = v.line_position
		JOIN template_version ver ON ver.id = v.version_id WHERE v.id = $1`
	servedBy = catalog.SelectServicePoints + `CROSS JOIN (SELECT $1::uuid AS staff) AS at WHERE p.status = 5 AND ` + servicepoint.StaffServes + ` ORDER BY p.created_at, p.id`
	honour   = catalog.SelectServicePoints + `WHERE p.status = 5 AND EXISTS (SELECT FROM template_version ver WHERE ver.id = $1 AND (ver.service_point_ids = '{}' OR p.id = ANY (ver.service_point_ids)))
		ORDER BY p.created_at, p.id`

	redemptionColumns = `SELECT r.id, r.at, v.name_th, v.name_en, v.kind, r.items, r.items_left, v.items_total, c.display_name, p.name_th, p.name_en, s.name
		FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN customer c ON c.id = r.customer_id
		JOIN service_point p ON p.id = r.service_point_id JOIN staff s ON s.id = r.staff_id `
	redemptionByID            = redemptionColumns + `WHERE r.id = $1`
	redemptionsOfVoucher      = redemptionColumns + `WHERE r.voucher_id = $1 AND r.customer_id = $2 ORDER BY r.id DESC`
	redemptionsOfCustomer     = redemptionColumns + `WHERE r.customer_id = $1 AND ($2::uuid IS NULL OR r.id < $2) ORDER BY r.id DESC LIMIT $3`
	redemptionsAtServicePoint = redemptionColumns + `WHERE r.service_point_id = $1 AND r.at >= $2 AND r.at < $3
		AND ($4::uuid IS NULL OR (r.at, r.id) < (SELECT a.at, a.id FROM redemption a WHERE a.id = $4)) ORDER BY r.at DESC, r.id DESC LIMIT $5`
)

// Detail returns one of the customer's vouchers. It returns ErrNotFound for anybody else's.
func (s *Service) Detail(ctx context.Context, who token.Session, id uuid.UUID) (d Detail, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, listOne, who.Subject, tx.Now, id)
		if err != nil {
			return fmt.Errorf("voucher %s: %w", id, err)
		}
		d.Voucher, err = pgx.CollectExactlyOneRow(rows, readVoucher(tx))
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("voucher %s: %w", id, err)
		}

		var version, order uuid.UUID
		var payer *uuid.UUID // of what cost something
		var paidAt time.Time
		var terms catalog.RefundTerms
		var conditions catalog.Conditions
		err = tx.QueryRow(ctx, detail, id).Scan(append([]any{
			&version, &d.IssuedAt, &d.OrderNumber, &d.GivenBy, &d.Package, &d.Together, &d.ExpiryRule, &d.Void,
			&d.ConditionsTH, &d.ConditionsEN, &order, &payer, &paidAt, &terms.Rule, &terms.Days, &d.Alike,
		}, catalog.ConditionTargets(&conditions)...)...)
		if err != nil {
			return fmt.Errorf("detail of %s: %w", id, err)
		}
		d.Sentences = conditions.Sentences()
		if d.Hands, err = HandsOf(ctx, tx, id, tx.Now, nil); err != nil {
			return err
		}
		if n := len(d.Hands); n > 0 && d.Hands[n-1] != "gift" {
			d.GivenBy = "" // who gave it to a former holder is no name for who bought it of him
		}
		d.Refund = d.ownRefund(order, payer, who.Subject, terms, paidAt, tx.Now)
		if rows, err = tx.Query(ctx, listSiblings, who.Subject, tx.Now, id, transitions[RefundOutside].from); err != nil {
			return fmt.Errorf("siblings of %s: %w", id, err)
		}
		if d.Siblings, err = pgx.CollectRows(rows, readVoucher(tx)); err != nil {
			return fmt.Errorf("siblings of %s: %w", id, err)
		}
		if d.Where, err = HonouredAt(ctx, tx, version); err != nil {
			return err
		}
		d.Redemptions, err = redemptions(ctx, tx, redemptionsOfVoucher, id, who.Subject)
		return err
	})
	return d, err
}

// HonouredAt returns the open service points that honour a version of a template.
func HonouredAt(ctx context.Context, tx db.Tx, version uuid.UUID) ([]catalog.PublicServicePoint, error) {
	rows, err := tx.Query(ctx, honour, version)
	if err != nil {
		return nil, fmt.Errorf("service points of version %s: %w", version, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[catalog.PublicServicePoint])
}

// History returns a page of the customer's redemptions, newest first.
func (s *Service) History(ctx context.Context, who token.Session, after *uuid.UUID) (list []Redemption, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		list, err = redemptions(ctx, tx, redemptionsOfCustomer, who.Subject, after, 100)
		return err
	})
	return list, err
}

// ListServicePoints lists the open service points where the staff honours vouchers.
func (s *Service) ListServicePoints(ctx context.Context, who token.Session) (points []catalog.PublicServicePoint, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, servedBy, who.Subject)
		if err != nil {
			return fmt.Errorf("service points of %s: %w", who.Subject, err)
		}
		points, err = pgx.CollectRows(rows, pgx.RowToStructByPos[catalog.PublicServicePoint])
		return err
	})
	return points, err
}

// maxUsesOfDay is how many redemptions a page of UsesOn has.
const maxUsesOfDay = 200

// UsesOn returns the redemptions at a service point on a day in Bangkok, newest first, of the zero time today: those older than after, which is nil for
// the newest, and what to ask for as after of the next, which is nil at the end. It returns servicepoint.ErrNotStaff.
func (s *Service) UsesOn(ctx context.Context, who token.Session, servicePoint uuid.UUID, day time.Time, after *uuid.UUID) (list []Redemption, next *uuid.UUID, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		servicepoint.RequireStaff(tx, who.Subject, servicePoint)
		if day.IsZero() {
			day = clock.Day(tx.Now)
		}
		list, err = redemptions(ctx, tx, redemptionsAtServicePoint, servicePoint, clock.Start(day), clock.Start(day.AddDate(0, 0, 1)), after, maxUsesOfDay+1)
		return err
	})
	if len(list) > maxUsesOfDay {
		list = list[:maxUsesOfDay]
		next = &list[maxUsesOfDay-1].ID
	}
	return list, next, err
}

func redemptions(ctx context.Context, tx db.Tx, sql string, args ...any) ([]Redemption, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("redemptions: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Redemption, error) { return readRedemption(row) })
}

func readRedemption(row pgx.Row) (r Redemption, err error) {
	err = row.Scan(&r.ID, &r.At, &r.NameTH, &r.NameEN, &r.Kind, &r.Items, &r.ItemsLeft, &r.ItemsTotal, &r.Customer, &r.ServicePointTH, &r.ServicePointEN, &r.Staff)
	r.At = r.At.UTC() // as the first answer said it
	return r, err
}
