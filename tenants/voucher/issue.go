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

const insertVoucher = `INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, picture_id,
	owner_id, state, items_total, items_left, share_satang, valid_until, transfer_rule, transfers_left, transfer_together,
	expiry_rule, vat_point, issued_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'ready', $12, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20)`

// Issue writes vouchers, ready for their owners, and returns them as those see them, in the same order.
func Issue(tx db.Tx, vouchers []Issuance) []Voucher {
	issued := make([]Voucher, len(vouchers))
	for i, v := range vouchers {
		issued[i] = Voucher{
			ID: db.NewID(), Code: Code(10), Kind: v.Kind, NameTH: v.NameTH, NameEN: v.NameEN, Picture: v.Picture, State: Ready,
			ItemsTotal: v.Items, ItemsLeft: v.Items, ValidUntil: v.ValidUntil.Format(time.DateOnly), Places: v.Places,
		}
		tx.Later(insertVoucher, issued[i].ID, issued[i].Code, v.Order, v.Line, v.Template, v.Version, v.Kind, v.NameTH, v.NameEN, v.Picture,
			v.Owner, v.Items, v.Share, v.ValidUntil, v.TransferRule, v.TransferTimes, v.Together, v.ExpiryRule, v.VATPoint, tx.Now)
	}
	return issued
}
