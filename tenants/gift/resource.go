package gift

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/resource"
	"welovevoucher/tenants/customer"
)

// Row is a gift as the back office lists it, without what its giver wrote. It has a state machine, so nothing is edited here.
type Row struct {
	ID           uuid.UUID  `json:"id"`
	CreatedAt    time.Time  `json:"created_at" doc:"UTC"`
	State        string     `json:"state" enum:"scheduled,open,claimed,withdrawn,declined,returned,stopped"`
	NameTH       string     `json:"name_th" doc:"Of the first voucher"`
	NameEN       string     `json:"name_en"`
	Kind         string     `json:"kind" enum:"item,baht"`
	Items        int64      `json:"items" doc:"Of the first voucher; satang when kind is baht"`
	Vouchers     int64      `json:"vouchers" doc:"How many"`
	People       int        `json:"people" doc:"For how many its link is; with more than one it is an ang-pao"`
	Taken        int64      `json:"taken" doc:"How many have taken one of an ang-pao"`
	Giver        uuid.UUID  `json:"giver_id"`
	GiverName    string     `json:"giver_name"`
	Receiver     *uuid.UUID `json:"receiver_id" nullable:"true"`
	ReceiverName string     `json:"receiver_name" doc:"Empty while nobody has claimed it"`
	BeginsAt     time.Time  `json:"begins_at" doc:"UTC; since when its link is open, or from when on"`
	ExpiresAt    time.Time  `json:"expires_at" doc:"UTC"`
	OpenedAt     *time.Time `json:"opened_at" doc:"UTC; when somebody else opened its page first"`
	EndedAt      *time.Time `json:"ended_at" doc:"UTC"`
	ByShop       bool       `json:"stopped_by_shop" doc:"The organisation stopped it, or suspended its giver"`
	ByPlatform   bool       `json:"stopped_by_platform" doc:"The platform suspended its giver"`
	ListID       uuid.UUID  `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// firstOf are the name and the items of the first voucher of a gift r, and how many it has.
const firstOf = `JOIN LATERAL (SELECT v.name_th, v.name_en, v.kind, n.items, count(*) OVER () AS vouchers FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id
	WHERE n.gift_id = r.id AND n.event = 'give' ORDER BY v.id LIMIT 1) f ON true`

// Gifts is the table of gifts, which the specification calls transfers.
var Gifts = resource.New(resource.Def[Row]{
	Name: "transfertransaction", Module: "transfertransaction", Relation: "gift", Sort: "-created_at",
	Joins: "JOIN customer g ON g.id = r.giver_id LEFT JOIN customer c ON c.id = r.receiver_id " + firstOf,
	Finds: []string{
		`SELECT t.gift_id AS id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT t.gift_id FROM gift_taker t WHERE t.customer_id = c.id ORDER BY t.gift_id DESC LIMIT 10) t`,
		`SELECT n.gift_id AS id FROM (SELECT v.id FROM voucher v WHERE v.code LIKE upper({begins}) ORDER BY v.code LIMIT 20) v
			CROSS JOIN LATERAL (SELECT n.gift_id FROM voucher_event n WHERE n.voucher_id = v.id AND n.event = 'give' ORDER BY n.id DESC LIMIT 10) n`,
		`SELECT g.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT g.id FROM gift g WHERE g.giver_id = c.id ORDER BY g.id DESC LIMIT 10) g`,
		`SELECT g.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT g.id FROM gift g WHERE g.receiver_id = c.id ORDER BY g.id DESC LIMIT 10) g`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "created_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ให้เมื่อ", EN: "Given"},
		{Name: "state", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "name_th", SQL: "f.name_th", TH: "เวาเชอร์ (ไทย)", EN: "Voucher (Thai)"},
		{Name: "name_en", SQL: "f.name_en", TH: "เวาเชอร์ (อังกฤษ)", EN: "Voucher (English)"},
		{Name: "kind", SQL: "f.kind", TH: "ชนิด", EN: "Kind"},
		{Name: "items", SQL: "f.items", TH: "จำนวน", EN: "Items"},
		{Name: "vouchers", SQL: "f.vouchers", TH: "กี่ใบ", EN: "Vouchers"},
		{Name: "people", TH: "สำหรับกี่คน", EN: "For how many"},
		{Name: "taken", SQL: "(SELECT count(*) FROM gift_taker t WHERE t.gift_id = r.id)", TH: "รับไปแล้วกี่คน", EN: "Taken by"},
		{Name: "giver_id", Can: resource.Filter},
		{Name: "giver_name", SQL: "g.display_name", TH: "ผู้ให้", EN: "Giver"},
		{Name: "receiver_id", Can: resource.Filter},
		{Name: "receiver_name", SQL: "coalesce(c.display_name, '')", TH: "ผู้รับ", EN: "Receiver"},
		{Name: "begins_at", TH: "ลิงก์เปิดเมื่อ", EN: "Link opens"},
		{Name: "expires_at", TH: "ลิงก์ใช้ได้ถึง", EN: "Link good until"},
		{Name: "opened_at", TH: "เปิดดูเมื่อ", EN: "Opened"},
		{Name: "ended_at", TH: "จบเมื่อ", EN: "Ended"},
		{Name: "stopped_by_shop", SQL: "r.stopped_by IS NOT NULL", TH: "ร้านหยุด", EN: "Stopped by the shop"},
		{Name: "stopped_by_platform", SQL: "r.stopped_by_admin IS NOT NULL", TH: "แพลตฟอร์มหยุด", EN: "Stopped by the platform"},
	},
})
