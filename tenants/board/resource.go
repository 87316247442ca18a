package board

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
)

// Row is an offer as the back office lists it. It has a state machine, so nothing is edited here.
type Row struct {
	ID         uuid.UUID    `json:"id"`
	CreatedAt  time.Time    `json:"created_at" doc:"UTC"`
	State      string       `json:"state" enum:"open,reserved,sold,cancelled,ended,stopped"`
	NameTH     string       `json:"name_th" doc:"Of the first voucher"`
	NameEN     string       `json:"name_en"`
	Kind       string       `json:"kind" enum:"item,baht"`
	Items      int64        `json:"items" doc:"Of the first voucher; satang when kind is baht"`
	Vouchers   int64        `json:"vouchers" doc:"How many"`
	Price      money.Amount `json:"price_satang"`
	Royalty    money.Amount `json:"royalty_satang" doc:"To the organisation when it is sold"`
	Fee        money.Amount `json:"fee_satang" doc:"To the platform when it is sold"`
	Seller     uuid.UUID    `json:"seller_id"`
	SellerName string       `json:"seller_name"`
	Buyer      *uuid.UUID   `json:"buyer_id" nullable:"true"`
	BuyerName  string       `json:"buyer_name" doc:"Empty while nobody has bought it"`
	Number     string       `json:"number" doc:"Of the receipt; empty while nobody has bought it"`
	ExpiresAt  time.Time    `json:"expires_at" doc:"UTC"`
	EndedAt    *time.Time   `json:"ended_at" doc:"UTC"`
	ByShop     bool         `json:"stopped_by_shop" doc:"The organisation stopped it, or suspended its seller"`
	ByPlatform bool         `json:"stopped_by_platform" doc:"The platform suspended its seller"`
	Reports    int          `json:"reports" doc:"How many customers reported it"`
	Reported   bool         `json:"reported" doc:"Somebody did"`
	Reasons    string       `json:"report_reasons" doc:"Of these reports, each once, separated by commas: outside, not_theirs, price, other"`
	ListID     uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// firstOf are the name and the items of the first voucher of an offer r, and how many it has.
const firstOf = `JOIN LATERAL (SELECT v.name_th, v.name_en, v.kind, n.items, count(*) OVER () AS vouchers FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id
	WHERE n.offer_id = r.id AND n.event = 'offer' ORDER BY v.id LIMIT 1) f ON true`

// Offers is the table of offers, which the specification calls the board's transactions.
var Offers = resource.New(resource.Def[Row]{
	Name: "boardtransaction", Module: "boardtransaction", Relation: "offer", Sort: "-created_at",
	Joins: "JOIN customer g ON g.id = r.seller_id LEFT JOIN resale b ON b.offer_id = r.id LEFT JOIN customer c ON c.id = b.buyer_id " + firstOf,
	Finds: []string{
		`SELECT b.offer_id AS id FROM resale b WHERE b.number = upper({begins})`,
		`SELECT n.offer_id AS id FROM (SELECT v.id FROM voucher v WHERE v.code LIKE upper({begins}) ORDER BY v.code LIMIT 20) v
			CROSS JOIN LATERAL (SELECT n.offer_id FROM voucher_event n WHERE n.voucher_id = v.id AND n.event = 'offer' ORDER BY n.id DESC LIMIT 10) n`,
		`SELECT f.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT f.id FROM offer f WHERE f.seller_id = c.id ORDER BY f.id DESC LIMIT 10) f`,
		`SELECT b.offer_id AS id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT b.offer_id FROM resale b WHERE b.buyer_id = c.id ORDER BY b.id DESC LIMIT 10) b`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "created_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ลงขายเมื่อ", EN: "Offered"},
		{Name: "state", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "name_th", SQL: "f.name_th", TH: "เวาเชอร์ (ไทย)", EN: "Voucher (Thai)"},
		{Name: "name_en", SQL: "f.name_en", TH: "เวาเชอร์ (อังกฤษ)", EN: "Voucher (English)"},
		{Name: "kind", SQL: "f.kind", TH: "ชนิด", EN: "Kind"},
		{Name: "items", SQL: "f.items", TH: "จำนวน", EN: "Items"},
		{Name: "vouchers", SQL: "f.vouchers", TH: "กี่ใบ", EN: "Vouchers"},
		{Name: "price_satang", TH: "ราคาขาย", EN: "Price"},
		{Name: "royalty_satang", TH: "ส่วนของร้านเมื่อขายได้", EN: "Royalty when sold"},
		{Name: "fee_satang", TH: "ค่าบริการเมื่อขายได้", EN: "Fee when sold"},
		{Name: "seller_id", Can: resource.Filter},
		{Name: "seller_name", SQL: "g.display_name", TH: "ผู้ขาย", EN: "Seller"},
		{Name: "buyer_id", SQL: "b.buyer_id"},
		{Name: "buyer_name", SQL: "coalesce(c.display_name, '')", TH: "ผู้ซื้อ", EN: "Buyer"},
		{Name: "number", SQL: "coalesce(b.number, '')", TH: "เลขที่", EN: "Number"},
		{Name: "expires_at", TH: "ประกาศถึง", EN: "Ends"},
		{Name: "ended_at", TH: "จบเมื่อ", EN: "Ended"},
		{Name: "reports", TH: "ถูกรายงานกี่ครั้ง", EN: "Reports"},
		{Name: "reported", Can: resource.Filter, Few: true},
		{Name: "report_reasons", SQL: "coalesce((SELECT string_agg(DISTINCT q.reason, ',' ORDER BY q.reason) FROM offer_report q WHERE q.offer_id = r.id), '')", TH: "เหตุผลที่รายงาน", EN: "Reasons of reports"},
		{Name: "stopped_by_shop", SQL: "r.stopped_by IS NOT NULL", TH: "ร้านหยุด", EN: "Stopped by the shop"},
		{Name: "stopped_by_platform", SQL: "r.stopped_by_admin IS NOT NULL", TH: "แพลตฟอร์มหยุด", EN: "Stopped by the platform"},
	},
})
