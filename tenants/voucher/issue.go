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
	Items         int64        // satang when Kind is Baht
	Share         money.Amount // what the seller earns when all of it is used
	ValidUntil    time.Time
	TransferRule  string
	TransferTimes int
	Together      bool
	ExpiryRule    string
	VATPoint      string
	Places        int // open service points that honour it
}

const insertVouchers = `INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, picture_id,
	owner_id, state, items_total, share_satang, items_left, valid_until, transfer_rule, transfers_left, transfer_together,
	expiry_rule, vat_point, issued_at, updated_at)
	SELECT id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, picture_id,
		owner_id, 'ready', items, share_satang, items, valid_until, transfer_rule, transfers_left, transfer_together,
		expiry_rule, vat_point, $20, $20
	FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::smallint[], $5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::uuid[],
		$11::uuid[], $12::bigint[], $13::bigint[], $14::date[], $15::text[], $16::int[], $17::boolean[], $18::text[], $19::text[])
	AS v (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, picture_id,
		owner_id, items, share_satang, valid_until, transfer_rule, transfers_left, transfer_together, expiry_rule, vat_point)`

// Issue writes vouchers, ready for their owners, and returns them as those see them, in the same order.
func Issue(tx db.Tx, vouchers []Issuance) []Voucher {
	issued := make([]Voucher, len(vouchers))
	for i, v := range vouchers {
		issued[i] = Voucher{
			ID: db.NewID(), Code: Code(10), Kind: v.Kind, NameTH: v.NameTH, NameEN: v.NameEN, Picture: v.Picture, State: Ready,
			ItemsTotal: v.Items, ItemsLeft: v.Items, ValidUntil: v.ValidUntil.Format(time.DateOnly), Places: v.Places,
		}
	}
	if len(vouchers) == 0 {
		return issued
	}
	tx.Later(insertVouchers,
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
		db.Column(vouchers, func(v Issuance) money.Amount { return v.Share }),
		db.Column(vouchers, func(v Issuance) time.Time { return v.ValidUntil }),
		db.Column(vouchers, func(v Issuance) string { return v.TransferRule }),
		db.Column(vouchers, func(v Issuance) int { return v.TransferTimes }),
		db.Column(vouchers, func(v Issuance) bool { return v.Together }),
		db.Column(vouchers, func(v Issuance) string { return v.ExpiryRule }),
		db.Column(vouchers, func(v Issuance) string { return v.VATPoint }),
		tx.Now)
	return issued
}
