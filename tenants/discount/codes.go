package discount

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/staff"
)

// Service is what the back office does with discounts beside their table.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{d} }

// CodeRow is a code as the back office lists it.
type CodeRow struct {
	ID        uuid.UUID `json:"id"`
	ListID    uuid.UUID `json:"_id,omitzero"`
	Discount  uuid.UUID `json:"discount_id"`
	NameTH    string    `json:"discount_name_th"`
	NameEN    string    `json:"discount_name_en"`
	Code      string    `json:"code"`
	Uses      *int32    `json:"uses" nullable:"true"`
	Used      int32     `json:"used"`
	CreatedAt time.Time `json:"created_at"`
}

// Codes is the table of codes.
var Codes = resource.New(resource.Def[CodeRow]{
	Name: "discountcode", Module: "discount", Relation: "discount_code", Where: "r.status = 5", Sort: "-created_at",
	Finds: []string{`SELECT c.id FROM discount_code c WHERE c.code LIKE upper({begins}) ORDER BY c.code LIMIT 200`},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "discount_id", Can: resource.Filter},
		{Name: "discount_name_th", SQL: "(SELECT d.name_th FROM discount d WHERE d.id = r.discount_id)", TH: "ส่วนลด (ไทย)", EN: "Discount (Thai)"},
		{Name: "discount_name_en", SQL: "(SELECT d.name_en FROM discount d WHERE d.id = r.discount_id)", TH: "ส่วนลด (อังกฤษ)", EN: "Discount (English)"},
		{Name: "code", Can: resource.Filter, TH: "โค้ด", EN: "Code"},
		{Name: "uses", TH: "ใช้ได้", EN: "Uses"},
		{Name: "used", TH: "ใช้แล้ว", EN: "Used"},
		{Name: "created_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "สร้างเมื่อ", EN: "Made"},
	},
})

// UseRow is a use of a discount as the back office lists it.
type UseRow struct {
	ID         uuid.UUID    `json:"id"`
	ListID     uuid.UUID    `json:"_id,omitzero"`
	Discount   uuid.UUID    `json:"discount_id"`
	NameTH     string       `json:"discount_name_th"`
	NameEN     string       `json:"discount_name_en"`
	Order      uuid.UUID    `json:"order_id"`
	Number     string       `json:"order_number"`
	State      string       `json:"order_state"`
	Customer   uuid.UUID    `json:"customer_id"`
	CustomerOf string       `json:"customer_name"`
	Code       string       `json:"code"`
	Amount     money.Amount `json:"amount_satang"`
	Total      money.Amount `json:"order_total_satang"`
	UsedAt     time.Time    `json:"used_at"`
	FreedAt    *time.Time   `json:"freed_at" nullable:"true" doc:"When its order was over, or refunded whole"`
}

// Uses is the table of uses, which leads to their orders.
var Uses = resource.New(resource.Def[UseRow]{
	Name: "discountuse", Module: "discount", Relation: "discount_use", Sort: "-used_at",
	Joins: "JOIN orders o ON o.id = r.order_id JOIN customer c ON c.id = r.customer_id LEFT JOIN discount_code k ON k.id = r.code_id",
	Finds: []string{
		`SELECT u.id FROM orders o JOIN discount_use u ON u.order_id = o.id WHERE o.number LIKE upper({begins}) ORDER BY o.number LIMIT 200`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "discount_id", Can: resource.Filter},
		{Name: "discount_name_th", SQL: "(SELECT d.name_th FROM discount d WHERE d.id = r.discount_id)", TH: "ส่วนลด (ไทย)", EN: "Discount (Thai)"},
		{Name: "discount_name_en", SQL: "(SELECT d.name_en FROM discount d WHERE d.id = r.discount_id)", TH: "ส่วนลด (อังกฤษ)", EN: "Discount (English)"},
		{Name: "order_id", Can: resource.Filter},
		{Name: "order_number", SQL: "o.number", TH: "เลขที่", EN: "Number"},
		{Name: "order_state", SQL: "o.state", TH: "สถานะ", EN: "State"},
		{Name: "customer_id", Can: resource.Filter},
		{Name: "customer_name", SQL: "c.display_name", TH: "ลูกค้า", EN: "Customer"},
		{Name: "code", SQL: "coalesce(k.code, '')", TH: "โค้ด", EN: "Code"},
		{Name: "amount_satang", TH: "ลดไป", EN: "Taken off"},
		{Name: "order_total_satang", SQL: "o.total_satang", TH: "ยอดรวม", EN: "Total"},
		{Name: "used_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ใช้เมื่อ", EN: "Used"},
		{Name: "freed_at", TH: "คืนสิทธิ์เมื่อ", EN: "Freed"},
	},
})

// MakeInput is codes that are made in bulk.
type MakeInput struct {
	Discount uuid.UUID `json:"id" doc:"Of a discount that is given by many codes"`
	Number   int       `json:"number" minimum:"1" maximum:"5000"`
	Uses     *int32    `json:"uses" minimum:"1" maximum:"9999" doc:"Of each; null: as often as the discount may be used"`
}

// MadeCodes is how many codes were made.
type MadeCodes struct {
	Number int `json:"number"`
}

// ErrNoCodes says that a discount is not given by many codes.
var ErrNoCodes = fault.New(fault.Conflict, "discount.no_codes", "This discount is not given by many codes")

const (
	lockHow     = `SELECT how FROM discount WHERE id = $1 AND status <> 9 FOR SHARE`
	insertCodes = `INSERT INTO discount_code (id, discount_id, code, uses, created_at) SELECT unnest($1::uuid[]), $2, unnest($3::text[]), $4, $5`

	madeLetters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ" // 32 of them, none that looks like another
	madeLength  = 10
)

// MakeCodes makes codes that nobody guesses: ten of 32 letters. The same key makes them once. It returns fault.Missing if there is no such discount, and
// ErrNoCodes.
func (s *Service) MakeCodes(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in MakeInput) (MadeCodes, error) {
	if in.Number < 1 || in.Number > 5000 {
		return MadeCodes{}, fault.At("number", fault.TooBig)
	}
	_, err := idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "discount.codes", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, _ uuid.UUID) error {
			var how How
			err := tx.QueryRow(ctx, lockHow, in.Discount).Scan(&how)
			if errors.Is(err, pgx.ErrNoRows) {
				return fault.Missing
			}
			if err != nil {
				return fmt.Errorf("discount %s: %w", in.Discount, err)
			}
			if how != ManyCodes {
				return ErrNoCodes
			}
			ids, codes := make([]uuid.UUID, in.Number), make([]string, in.Number)
			for i := range ids {
				ids[i], codes[i] = db.NewID(), newCode()
			}
			if _, err := tx.Exec(ctx, insertCodes, ids, in.Discount, codes, in.Uses, tx.Now); err != nil {
				return fmt.Errorf("codes of discount %s: %w", in.Discount, err)
			}
			return auditlog.Record(ctx, tx, who, "codes", "discount/"+in.Discount.String(), nil, in)
		})
	return MadeCodes{in.Number}, err
}

func newCode() string {
	b := make([]byte, madeLength)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	for i := range b {
		b[i] = madeLetters[int(b[i])%len(madeLetters)]
	}
	return string(b)
}
