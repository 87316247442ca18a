// Package hold keeps commission back for a look where something about its sale or its payee is odd: a look each night finds it, and no run pays it until somebody
// has released it or thirty days are over. Two people may deny what is held of an order (docs/payouts.md, Holds).
package hold

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/session"
)

// Faults of holds.
var (
	ErrNotNow = fault.New(fault.Conflict, "hold.not_now", "This hold is over")
	ErrOwn    = fault.New(fault.Forbidden, "hold.own", "This is your own commission. Another person has to decide")
	ErrPayee  = fault.New(fault.Conflict, "hold.payee", "All that somebody is paid cannot be denied. Release it, or suspend the agent")
)

// Signal is what was odd. It is stored by its string.
type Signal string

// Signals. The first four are that a buyer has something of the agent whom the order is owed to.
const (
	Card        Signal = "card"
	Device      Signal = "device"
	Account     Signal = "account"
	Mobile      Signal = "mobile"
	Refunds     Signal = "refunds"      // much was taken back soon after it had matured
	PaidAtOnce  Signal = "paid_at_once" // orders were paid moments after their links were opened
	ManyOpens   Signal = "many_opens"   // the link was opened very often in one minute
	SameAccount Signal = "same_account" // another payee is paid to the same account
)

// The limits of signals are those of the design of payouts (docs/payouts.md, Holds).
const (
	lasts          = 30 * 24 * time.Hour // of a hold
	looksBack      = 30 * 24 * time.Hour // at sales, opens and what was taken back: his month
	soonAfter      = 3 * 24 * time.Hour  // what was taken back soon after it had matured
	refundsAtLeast = 3
	refundsPercent = 20 // of what matured for him in his month
	paidWithin     = 5 * time.Second
	paidAtLeast    = 3
	opensAbove     = 30 // in a minute
)

// Service finds and ends holds.
type Service struct {
	db       *db.DB
	box      *secret.Box
	sessions *session.Service
}

// New returns the service. box makes indexes of mobile numbers.
func New(d *db.DB, box *secret.Box, sessions *session.Service) *Service {
	return &Service{d, box, sessions}
}

// Row is a hold as the back office lists it. It has states, so nothing is edited here.
type Row struct {
	ID        uuid.UUID     `json:"id"`
	HeldAt    time.Time     `json:"held_at" doc:"UTC"`
	State     string        `json:"state" enum:"held,released,denied,lapsed" doc:"lapsed: thirty days were over"`
	Signal    Signal        `json:"signal" enum:"card,device,account,mobile,refunds,paid_at_once,many_opens,same_account" doc:"card, device, account, mobile: the buyer has one that is the agent's. refunds: much was taken back soon after it had matured. paid_at_once: orders were paid moments after their links were opened. many_opens: the link was opened very often in one minute. same_account: another payee is paid to the same account, so all that he can be paid is held"`
	Order     *uuid.UUID    `json:"order_id" nullable:"true" doc:"Null where all is held that a payee can be paid"`
	Number    string        `json:"order_number"`
	Payee     uuid.UUID     `json:"payee_id"`
	Partner   *uuid.UUID    `json:"partner_id" nullable:"true" doc:"The payee, where it is a partner"`
	Name      string        `json:"payee_name"`
	Picture   string        `json:"pictureUrl"`
	Buyer     *uuid.UUID    `json:"customer_id" nullable:"true"`
	BuyerName string        `json:"customer_name"`
	Amount    money.Amount  `json:"amount_satang" doc:"Due of the order; 0 where all is held that a payee can be paid"`
	Digits    string        `json:"digits" doc:"The last four of the card, number or account; empty if they are not known"`
	Happened  *time.Time    `json:"happened_at" nullable:"true" doc:"UTC; when the buyer or the agent signed in, the last of it was taken back, the order was paid, or the minute began"`
	Times     *int64        `json:"times" nullable:"true" doc:"How often: taken back, paid at once, opened in a minute; how many other payees"`
	Sum       *money.Amount `json:"sum_satang" nullable:"true" doc:"refunds: what was taken back"`
	Of        *money.Amount `json:"of_satang" nullable:"true" doc:"refunds: of what had matured in thirty days"`
	Other     *uuid.UUID    `json:"other_id" nullable:"true" doc:"same_account: one of the other payees"`
	OtherIs   *uuid.UUID    `json:"other_partner_id" nullable:"true" doc:"The other payee, where it is a partner"`
	OtherName string        `json:"other_name"`
	EndsAt    time.Time     `json:"ends_at" doc:"UTC; it is free by itself then"`
	EndedAt   *time.Time    `json:"ended_at" nullable:"true" doc:"UTC"`
	EndedBy   string        `json:"ended_by_name" doc:"Empty where thirty days were over"`
	Reason    string        `json:"reason" doc:"Why it was released or denied; of a denial the agent reads it"`
	ListID    uuid.UUID     `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Holds is the table of holds.
var Holds = resource.New(resource.Def[Row]{
	Name: "commissionhold", Module: "agent", Relation: "commission_hold", Sort: "-held_at",
	Joins: `LEFT JOIN agent a ON a.id = r.payee_id LEFT JOIN customer c ON c.id = a.customer_id LEFT JOIN partner x ON x.id = r.payee_id LEFT JOIN partner xo ON xo.id = r.other_id LEFT JOIN orders o ON o.id = r.order_id LEFT JOIN customer b ON b.id = o.customer_id
		LEFT JOIN staff s ON s.id = r.ended_by`,
	Finds: []string{
		`SELECT h.id FROM (SELECT o.id FROM orders o WHERE o.number LIKE upper({begins}) ORDER BY o.number LIMIT 20) o CROSS JOIN LATERAL (SELECT h.id FROM commission_hold h WHERE h.order_id = o.id ORDER BY h.id DESC LIMIT 10) h`,
		`SELECT h.id FROM (` + customer.Named + `) c JOIN agent a ON a.customer_id = c.id CROSS JOIN LATERAL (SELECT h.id FROM commission_hold h WHERE h.payee_id = a.id ORDER BY h.id DESC LIMIT 10) h`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "held_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "พักจ่ายเมื่อ", EN: "Held"},
		{Name: "state", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "signal", Can: resource.Filter, Few: true, TH: "เหตุ", EN: "Signal"},
		{Name: "order_id", Can: resource.Filter},
		{Name: "order_number", SQL: "coalesce(o.number, '')", TH: "คำสั่งซื้อ", EN: "Order"},
		{Name: "payee_id", Can: resource.Filter},
		{Name: "partner_id", SQL: "x.id"},
		{Name: "payee_name", SQL: "coalesce(c.display_name, x.name_th)", TH: "ผู้รับ", EN: "Payee"},
		{Name: "pictureUrl", SQL: "coalesce(c.picture_url, '')"},
		{Name: "customer_id", SQL: "o.customer_id"},
		{Name: "customer_name", SQL: "coalesce(b.display_name, '')", TH: "ผู้ซื้อ", EN: "Buyer"},
		{Name: "amount_satang", SQL: "coalesce((SELECT sum(k.due_satang) FROM commission k WHERE k.order_id = r.order_id), 0)::bigint", TH: "ค่าคอม", EN: "Commission"},
		{Name: "digits", TH: "ลงท้าย", EN: "Ends with"},
		{Name: "happened_at", TH: "เกิดเมื่อ", EN: "Happened"},
		{Name: "times", TH: "ครั้ง", EN: "Times"},
		{Name: "sum_satang", SQL: "r.satang", TH: "ถูกหักคืน", EN: "Taken back"},
		{Name: "of_satang", TH: "จากค่าคอม 30 วัน", EN: "Of 30 days' commission"},
		{Name: "other_id"},
		{Name: "other_partner_id", SQL: "xo.id"},
		{Name: "other_name", SQL: "coalesce((SELECT y.display_name FROM agent n JOIN customer y ON y.id = n.customer_id WHERE n.id = r.other_id), xo.name_th, '')", TH: "บัญชีเดียวกับ", EN: "Same account as"},
		{Name: "ends_at", TH: "ปล่อยเองเมื่อ", EN: "Free by itself"},
		{Name: "ended_at", TH: "จบเมื่อ", EN: "Over"},
		{Name: "ended_by_name", SQL: "coalesce(s.name, '')", TH: "ผู้ตัดสิน", EN: "Decided by"},
		{Name: "reason", TH: "เหตุผล", EN: "Reason"},
	},
})
