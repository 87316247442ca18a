package voucher

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// Issuance is a voucher to be issued.
type Issuance struct {
	Order         uuid.UUID
	Line          int
	Template      uuid.UUID
	Version       uuid.UUID // of the template, as it was bought
	Kind          Kind
	NameTH        string
	NameEN        string
	Picture       *uuid.UUID
	Holder        uuid.UUID
	Items         int64 // satang when Kind is Baht
	Sums          Sums
	ValidUntil    time.Time
	TransferRule  string
	TransferTimes int
	Together      bool
	ExpiryRule    string
	VATPoint      string
	ServicePoints int // open service points that honour it
}

type voucherRow struct {
	ID            uuid.UUID    `db:"id"`
	Code          string       `db:"code"`
	Order         uuid.UUID    `db:"order_id"`
	Line          int          `db:"line_position"`
	Template      uuid.UUID    `db:"template_id"`
	Version       uuid.UUID    `db:"version_id"`
	Kind          Kind         `db:"kind"`
	NameTH        string       `db:"name_th"`
	NameEN        string       `db:"name_en"`
	Picture       *uuid.UUID   `db:"picture_id"`
	Holder        uuid.UUID    `db:"holder_id"`
	State         State        `db:"state"`
	Items         int64        `db:"items"`
	Share         money.Amount `db:"share_satang"`
	Fee           money.Amount `db:"fee_satang"`
	Commission    money.Amount `db:"commission_satang"`
	Discount      money.Amount `db:"platform_discount_satang"`
	ValidUntil    time.Time    `db:"valid_until"`
	TransferRule  string       `db:"transfer_rule"`
	TransfersLeft int          `db:"transfers_left"`
	Together      bool         `db:"transfer_together"`
	ExpiryRule    string       `db:"expiry_rule"`
	VATPoint      string       `db:"vat_point"`
	At            time.Time    `db:"at"`
}

var insertVouchers = db.NewBulk[voucherRow](`INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en,
		picture_id, holder_id, state, items_total, share_satang, fee_satang, commission_satang, platform_discount_satang, items_left,
		valid_until, transfer_rule, transfers_left, transfer_together, expiry_rule, vat_point, issued_at, issued_until, updated_at)
	SELECT unnest(@id::uuid[]), unnest(@code::text[]), unnest(@order_id::uuid[]), unnest(@line_position::smallint[]), unnest(@template_id::uuid[]),
		unnest(@version_id::uuid[]), unnest(@kind::text[]), unnest(@name_th::text[]), unnest(@name_en::text[]),
		unnest(@picture_id::uuid[]), unnest(@holder_id::uuid[]), unnest(@state::text[]), unnest(@items::bigint[]), unnest(@share_satang::bigint[]),
		unnest(@fee_satang::bigint[]), unnest(@commission_satang::bigint[]), unnest(@platform_discount_satang::bigint[]), unnest(@items::bigint[]),
		unnest(@valid_until::date[]), unnest(@transfer_rule::text[]), unnest(@transfers_left::int[]), unnest(@transfer_together::boolean[]),
		unnest(@expiry_rule::text[]), unnest(@vat_point::text[]), unnest(@at::timestamptz[]), unnest(@valid_until::date[]), unnest(@at::timestamptz[])`)

// Issue queues the insert of vouchers, ready for their holders, and returns them as those see them, in the same order.
func Issue(tx db.Tx, vouchers []Issuance) []Voucher {
	issued, rows := make([]Voucher, len(vouchers)), make([]voucherRow, len(vouchers))
	for i, v := range vouchers {
		issued[i] = Voucher{
			ID: db.NewID(), Code: NewCode(10), Kind: v.Kind, NameTH: v.NameTH, NameEN: v.NameEN, Picture: v.Picture, State: Ready,
			ItemsTotal: v.Items, ItemsLeft: v.Items, ValidUntil: v.ValidUntil.Format(time.DateOnly), ServicePoints: v.ServicePoints,
			TransferRule: v.TransferRule, TransfersLeft: v.TransferTimes, Own: v.Items,
		}
		issued[i].FirstSibling = issued[i].ID
		rows[i] = voucherRow{
			ID: issued[i].ID, Code: issued[i].Code, Order: v.Order, Line: v.Line, Template: v.Template, Version: v.Version, Kind: v.Kind,
			NameTH: v.NameTH, NameEN: v.NameEN, Picture: v.Picture, Holder: v.Holder, State: Ready, Items: v.Items,
			Share: v.Sums.Share, Fee: v.Sums.Fee, Commission: v.Sums.Commission, Discount: v.Sums.Discount, ValidUntil: v.ValidUntil,
			TransferRule: v.TransferRule, TransfersLeft: v.TransferTimes, Together: v.Together, ExpiryRule: v.ExpiryRule, VATPoint: v.VATPoint, At: tx.Now,
		}
	}
	if len(rows) > 0 {
		insertVouchers.Queue(tx, rows)
	}
	return issued
}
