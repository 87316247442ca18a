package story

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/voucher"
)

// Voucher is the story of a voucher.
type Voucher struct {
	Record       voucher.Row  `json:"record"`
	Picture      *uuid.UUID   `json:"picture_id" nullable:"true"`
	Paid         money.Amount `json:"paid_satang" doc:"What was paid for all of its items"`
	Money        Sums         `json:"money" doc:"Adds up to it"`
	ItemsOut     int64        `json:"items_out" doc:"That were taken back"`
	ItemsSplit   int64        `json:"items_split" doc:"That became vouchers of their own"`
	Parent       *uuid.UUID   `json:"parent_id" nullable:"true" doc:"Of whose items it was made; null unless it is a slice"`
	ParentCode   string       `json:"parent_code"`
	Slices       []Slice      `json:"slices" doc:"That were made of its items, oldest first"`
	Siblings     []Slice      `json:"siblings" doc:"Others that were made of items of the same voucher, oldest first"`
	ExpiryRule   string       `json:"expiry_rule" enum:"breakage,wallet" doc:"Whose the rest is when it expires: the organisation's, or it goes to the holder's wallet"`
	ConditionsTH string       `json:"conditions_th" doc:"As it was sold"`
	ConditionsEN string       `json:"conditions_en"`
	catalog.Sentences
	ServicePoints []Place     `json:"service_points" doc:"That honour it, as it was sold; none means all"`
	Buyer         uuid.UUID   `json:"buyer_id"`
	BuyerName     string      `json:"buyer_name"`
	FrozenFor     string      `json:"frozen_for" enum:",dispute,refund" doc:"Because of which money it is frozen, also where the organisation froze it as well"`
	Freezes       []Freeze    `json:"freezes" doc:"By the organisation, newest first"`
	Void          *Void       `json:"void" doc:"By the organisation; null unless it ended the voucher"`
	Reissues      []Reissue   `json:"reissues" doc:"By which it got another code, newest first"`
	Extensions    []Extension `json:"extensions" doc:"By the organisation, newest first"`
	AddedDays     int         `json:"added_days" doc:"For how many days more it is valid than was sold"`
	Timeline
}

// Freeze is a reason of the organisation's for which a voucher is or was frozen.
type Freeze struct {
	ID         uuid.UUID  `json:"id"`
	Reason     string     `json:"reason" doc:"In the words of who froze it"`
	At         time.Time  `json:"frozen_at" doc:"UTC"`
	By         string     `json:"frozen_by"`
	EndedAt    *time.Time `json:"ended_at" doc:"UTC; null while it lasts"`
	ReleasedBy string     `json:"released_by" doc:"Empty while it lasts, and where the voucher was taken back before"`
	Days       int        `json:"days" doc:"Which its release added to the validity; while it lasts, which it would add now"`
}

// Void is why the organisation ended a voucher, and what came into its holder's wallet by it.
type Void struct {
	Reason string       `json:"reason" doc:"In the words of who ended it"`
	At     time.Time    `json:"made_at" doc:"UTC"`
	By     string       `json:"made_by"`
	Wallet money.Amount `json:"wallet_satang"`
}

// Reissue is why the organisation gave a voucher another code.
type Reissue struct {
	ID      uuid.UUID `json:"id"`
	OldCode string    `json:"old_code"`
	Reason  string    `json:"reason" doc:"In the words of who did it"`
	At      time.Time `json:"made_at" doc:"UTC"`
	By      string    `json:"made_by"`
}

// Extension is by how many days the organisation extended a voucher, and why.
type Extension struct {
	ID      uuid.UUID `json:"id"`
	Days    int       `json:"days"`
	Reason  string    `json:"reason" doc:"In the words of who did it"`
	At      time.Time `json:"made_at" doc:"UTC"`
	By      string    `json:"made_by"`
	Expired bool      `json:"expired" doc:"It was over before"`
}

// Slice is a voucher that was made of a voucher's items.
type Slice struct {
	ID         uuid.UUID     `json:"id"`
	Code       string        `json:"code"`
	State      voucher.State `json:"state" enum:"ready,in_use,on_sale,in_transfer,frozen,used,expired,refunded,void"`
	Items      int64         `json:"items_total"`
	Holder     uuid.UUID     `json:"holder_id"`
	HolderName string        `json:"holder_name"`
	Paid       money.Amount  `json:"paid_satang" doc:"What was paid for its items"`
}

// Place is a service point.
type Place struct {
	NameTH string `json:"name_th"`
	NameEN string `json:"name_en"`
}

const (
	soldAs = `SELECT v.picture_id, v.items_out, v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang, v.expiry_rule,
			ver.conditions_th, ver.conditions_en, o.customer_id, b.display_name, v.parent_id, coalesce((SELECT p.code FROM voucher p WHERE p.id = v.parent_id), ''),
			coalesce((SELECT CASE WHEN f.disputed_satang > 0 THEN 'dispute' ELSE 'refund' END FROM charge f WHERE f.id = v.frozen_for), ''), v.added_days, ` + catalog.ConditionColumns + `
		FROM voucher v JOIN template_version ver ON ver.id = v.version_id JOIN orders o ON o.id = v.order_id JOIN customer b ON b.id = o.customer_id WHERE v.id = $1`
	slicesOf = `SELECT v.id, v.code, v.state, v.items_total, v.holder_id, c.display_name, v.share_satang + v.fee_satang + v.commission_satang - v.platform_discount_satang
		FROM voucher v JOIN customer c ON c.id = v.holder_id WHERE v.parent_id = $1 AND v.undoes IS NULL ORDER BY v.id`
	siblingsOf = `SELECT v.id, v.code, v.state, v.items_total, v.holder_id, c.display_name, v.share_satang + v.fee_satang + v.commission_satang - v.platform_discount_satang
		FROM voucher s JOIN voucher v ON v.parent_id = s.parent_id AND v.id <> s.id AND v.undoes IS NULL JOIN customer c ON c.id = v.holder_id WHERE s.id = $1 ORDER BY v.id LIMIT 100`
	freezesOf = `SELECT z.id, z.reason, z.frozen_at, s.name, z.ended_at, coalesce(r.name, ''), CASE WHEN z.ended_at IS NULL THEN ceil(extract(epoch FROM $2 - z.frozen_at) / 86400)::integer ELSE z.days END
		FROM owner_freeze z JOIN staff s ON s.id = z.frozen_by LEFT JOIN staff r ON r.id = z.released_by WHERE z.voucher_id = $1 ORDER BY z.id DESC LIMIT 50`
	reissuesOf   = `SELECT w.id, w.old_code, w.reason, w.made_at, s.name FROM reissue w JOIN staff s ON s.id = w.made_by WHERE w.voucher_id = $1 ORDER BY w.id DESC LIMIT 50`
	extensionsOf = `SELECT x.id, x.days, x.reason, x.made_at, s.name, n.from_state = 'expired' FROM extension x JOIN staff s ON s.id = x.made_by JOIN voucher_event n ON n.extension_id = x.id
		WHERE x.voucher_id = $1 ORDER BY x.id DESC LIMIT 50`
	voidOf     = `SELECT w.reason, w.made_at, s.name, ` + voucher.PaidByVoid + ` FROM owner_void w JOIN staff s ON s.id = w.made_by JOIN voucher v ON v.id = w.voucher_id WHERE v.id = $1`
	honouredAt = `SELECT p.name_th, p.name_en FROM voucher v JOIN template_version t ON t.id = v.version_id JOIN service_point p ON p.id = ANY (t.service_point_ids)
		WHERE v.id = $1 ORDER BY p.name_th, p.id`
)

var voucherTimeline = timelineOf(
	`SELECT v.id, 'issued', v.issued_at, 3, 'orders', o.id, o.number, v.name_th, v.name_en, v.kind, v.items_total, 0::bigint, '', '', b.display_name, ''
		FROM voucher v JOIN orders o ON o.id = v.order_id JOIN customer b ON b.id = o.customer_id WHERE v.id = $1 AND v.parent_id IS NULL`,
	`SELECT n.id, CASE n.event WHEN 'undo' THEN 'issued_anew' ELSE 'split_off' END, n.at, 3, 'voucher', p.id, p.code, p.name_th, p.name_en, p.kind, n.items, 0::bigint, '', '', c.display_name, ''
		FROM voucher_event n JOIN voucher p ON p.id = n.voucher_id JOIN customer c ON c.id = n.holder_id WHERE n.child_id = $1`,
	used+` WHERE v.id = $1 AND $2 ORDER BY r.id DESC LIMIT `+limit,
	scanned+` WHERE v.id = $1 AND $2 ORDER BY u.id DESC LIMIT `+limit,
	objectedTo+` WHERE v.id = $1 AND $2 ORDER BY n.id DESC LIMIT `+limit,
	stood+` WHERE v.id = $1 AND $2 ORDER BY n.id DESC LIMIT `+limit,
	changed+` WHERE v.id = $1 ORDER BY n.id DESC LIMIT `+limit,
)

// Voucher returns the story of a voucher. It returns fault.Missing if there is none.
func (s *Service) Voucher(ctx context.Context, org, id uuid.UUID, sees Visible) (story Voucher, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = voucher.Vouchers.Detail(ctx, tx, id); err != nil {
			return err
		}
		r := story.Record
		u := units{Kind: voucher.Kind(r.Kind), State: voucher.State(r.State), Total: r.ItemsTotal, Left: r.ItemsLeft}
		var conditions catalog.Conditions
		if err := tx.QueryRow(ctx, soldAs, id).Scan(append([]any{
			&story.Picture, &u.Out, &u.Sums.Share, &u.Sums.Fee, &u.Sums.Commission, &u.Sums.Discount,
			&story.ExpiryRule, &story.ConditionsTH, &story.ConditionsEN, &story.Buyer, &story.BuyerName, &story.Parent, &story.ParentCode, &story.FrozenFor, &story.AddedDays,
		}, catalog.ConditionTargets(&conditions)...)...); err != nil {
			return fmt.Errorf("how voucher %s was sold: %w", id, err)
		}
		story.Sentences = conditions.Sentences()
		story.Paid = u.Sums.Paid()
		story.Money.add(u)
		if story.Slices, err = collect[Slice](ctx, tx, slicesOf, id); err != nil {
			return fmt.Errorf("slices of voucher %s: %w", id, err)
		}
		if story.Siblings, err = collect[Slice](ctx, tx, siblingsOf, id); err != nil {
			return fmt.Errorf("siblings of voucher %s: %w", id, err)
		}
		for _, slice := range story.Slices {
			story.ItemsSplit += slice.Items
			story.Money.Split += slice.Paid
		}
		story.ItemsOut = u.Out - story.ItemsSplit
		story.Money.Returned -= story.Money.Split
		if story.Freezes, err = collect[Freeze](ctx, tx, freezesOf, id, tx.Now); err != nil {
			return fmt.Errorf("freezes of voucher %s: %w", id, err)
		}
		if story.Reissues, err = collect[Reissue](ctx, tx, reissuesOf, id); err != nil {
			return fmt.Errorf("codes of voucher %s: %w", id, err)
		}
		if story.Extensions, err = collect[Extension](ctx, tx, extensionsOf, id); err != nil {
			return fmt.Errorf("extensions of voucher %s: %w", id, err)
		}
		voids, err := collect[Void](ctx, tx, voidOf, id)
		if err != nil {
			return fmt.Errorf("why voucher %s is void: %w", id, err)
		}
		for _, void := range voids {
			story.Void = &void
		}
		if story.ServicePoints, err = collect[Place](ctx, tx, honouredAt, id); err != nil {
			return fmt.Errorf("where voucher %s is honoured: %w", id, err)
		}
		story.Timeline, err = readTimeline(ctx, tx, voucherTimeline, id, sees.Uses)
		return err
	})
	return story, err
}
