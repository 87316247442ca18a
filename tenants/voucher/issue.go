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
	Owner         uuid.UUID
	Items         int64 // satang when Kind is Baht
	Sums          Sums
	ValidUntil    time.Time
	TransferRule  string
	TransferTimes int
	Together      bool
	ExpiryRule    string
	VATPoint      string
	Places        int // open service points that honour it
}

var insertVouchers = db.Bulk(`INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, picture_id,
	owner_id, state, items_total, share_satang, items_left, valid_until, transfer_rule, transfers_left, transfer_together,
	expiry_rule, vat_point, issued_at, updated_at, fee_satang, commission_satang, platform_discount_satang, issued_until)
	SELECT unnest($1::uuid[]), unnest($2::text[]), unnest($3::uuid[]), unnest($4::smallint[]), unnest($5::uuid[]), unnest($6::uuid[]),
		unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), unnest($10::uuid[]),
		unnest($11::uuid[]), 'ready', unnest($12::bigint[]), unnest($13::bigint[]), unnest($12::bigint[]), unnest($14::date[]),
		unnest($15::text[]), unnest($16::int[]), unnest($17::boolean[]), unnest($18::text[]), unnest($19::text[]), $20, $20,
		unnest($21::bigint[]), unnest($22::bigint[]), unnest($23::bigint[]), unnest($14::date[])`)

// Issue writes vouchers, ready for their owners, and returns them as those see them, in the same order.
func Issue(tx db.Tx, vouchers []Issuance) []Voucher {
	issued := make([]Voucher, len(vouchers))
	for i, v := range vouchers {
		issued[i] = Voucher{
			ID: db.NewID(), Code: NewCode(10), Kind: v.Kind, NameTH: v.NameTH, NameEN: v.NameEN, Picture: v.Picture, State: Ready,
			ItemsTotal: v.Items, ItemsLeft: v.Items, ValidUntil: v.ValidUntil.Format(time.DateOnly), Places: v.Places,
		}
	}
	if len(vouchers) == 0 {
		return issued
	}
	tx.QueueRows(insertVouchers,
		db.Column(issued, func(v Voucher) uuid.UUID { return v.ID }),
		db.Column(issued, func(v Voucher) string { return v.Code }),
		db.Column(vouchers, func(v Issuance) uuid.UUID { return v.Order }),
		db.Column(vouchers, func(v Issuance) int { return v.Line }),
		db.Column(vouchers, func(v Issuance) uuid.UUID { return v.Template }),
		db.Column(vouchers, func(v Issuance) uuid.UUID { return v.Version }),
		db.Column(vouchers, func(v Issuance) string { return string(v.Kind) }),
		db.Column(vouchers, func(v Issuance) string { return v.NameTH }),
		db.Column(vouchers, func(v Issuance) string { return v.NameEN }),
		db.Column(vouchers, func(v Issuance) *uuid.UUID { return v.Picture }),
		db.Column(vouchers, func(v Issuance) uuid.UUID { return v.Owner }),
		db.Column(vouchers, func(v Issuance) int64 { return v.Items }),
		db.Column(vouchers, func(v Issuance) money.Amount { return v.Sums.Share }),
		db.Column(vouchers, func(v Issuance) time.Time { return v.ValidUntil }),
		db.Column(vouchers, func(v Issuance) string { return v.TransferRule }),
		db.Column(vouchers, func(v Issuance) int { return v.TransferTimes }),
		db.Column(vouchers, func(v Issuance) bool { return v.Together }),
		db.Column(vouchers, func(v Issuance) string { return v.ExpiryRule }),
		db.Column(vouchers, func(v Issuance) string { return v.VATPoint }),
		tx.Now,
		db.Column(vouchers, func(v Issuance) money.Amount { return v.Sums.Fee }),
		db.Column(vouchers, func(v Issuance) money.Amount { return v.Sums.Commission }),
		db.Column(vouchers, func(v Issuance) money.Amount { return v.Sums.Discount }))
	return issued
}
