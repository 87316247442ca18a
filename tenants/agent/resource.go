package agent

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/rate"
)

// Type says what agents earn and when.
type Type struct {
	resource.Base
	NameTH     string `json:"name_th" minLength:"1" maxLength:"60"`
	NameEN     string `json:"name_en" maxLength:"60"`
	Rate       int32  `json:"rate_basis_points" minimum:"0" maximum:"5000" doc:"1/100 of a percent of the price"`
	Recruiter  int32  `json:"recruiter_basis_points" minimum:"0" maximum:"5000" doc:"Of the price, for who recruited the agent; with the agent's own at most 5000"`
	Matures    string `json:"matures" enum:"sale,use,days"`
	MatureDays int32  `json:"mature_days" minimum:"0" maximum:"365" doc:"With days: how many after the sale"`
}

// AgentTypes is the table of agent types.
var AgentTypes = resource.New(resource.Def[Type]{
	Name: "agenttype", Module: "agentsetting", Relation: "agent_type", AtMost: 1000, HasStatus: true, InitialStatus: resource.Active, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "rate_basis_points", Can: resource.Filter | resource.Sort | resource.Lookup | resource.Write, TH: "อัตรา (1/100 ของร้อยละ)", EN: "Rate (basis points)"},
		{Name: "recruiter_basis_points", Can: resource.Filter | resource.Sort | resource.Write, TH: "ผู้ชวน (1/100 ของร้อยละ)", EN: "Recruiter (basis points)"},
		{Name: "matures", Can: resource.Filter | resource.Write, TH: "ถึงกำหนดเมื่อ", EN: "Matures"},
		{Name: "mature_days", Can: resource.Write, TH: "จำนวนวัน", EN: "Days"},
	},
	Validate: func(t Type) (bad []fault.Field) {
		if t.Matures == "days" && t.MatureDays == 0 {
			bad = append(bad, fault.Field{Path: "mature_days", Fault: fault.TooSmall.Code})
		}
		if t.Rate+t.Recruiter > rate.MaxPercent {
			bad = append(bad, fault.Field{Path: "recruiter_basis_points", Fault: rate.ErrMax.Code})
		}
		return bad
	},
})

// Row is an agent as the back office lists him.
type Row struct {
	resource.Base
	Customer   uuid.UUID    `json:"customer_id"`
	Name       string       `json:"name"`
	PictureURL string       `json:"pictureUrl"`
	ReferCode  string       `json:"referercode"`
	State      string       `json:"state" enum:"draft,pending,approved,refused,suspended,left,erased"`
	Early      bool         `json:"early" doc:"Sells, and nothing of what he says of himself is approved yet"`
	Waiting    bool         `json:"waiting" doc:"Whether a form of his waits for an answer"`
	Type       *uuid.UUID   `json:"agent_type_id" nullable:"true" doc:"Null until he is approved"`
	TypeTH     string       `json:"type_name_th"`
	TypeEN     string       `json:"type_name_en"`
	ApprovedAt *time.Time   `json:"approved_at"`
	Sold       money.Amount `json:"sold_satang"`
	Commission money.Amount `json:"commission_satang" doc:"Earned and not taken back"`
}

// Agents is the table of agents: who applies, sells or did: changed by use cases of their own.
var Agents = resource.New(resource.Def[Row]{
	Name: "agent", Module: "agent", Relation: "agent", AtMost: 10_000, HasStatus: true, Sort: "-created_at", MaxLookup: 10_000,
	Statuses: []int16{resource.Suspended, resource.Active},
	Joins:    "JOIN customer c ON c.id = r.customer_id LEFT JOIN agent_type t ON t.id = r.agent_type_id",
	Columns: []resource.Column{
		{Name: "customer_id", Can: resource.Filter | resource.Lookup},
		{Name: "name", SQL: "c.display_name", Can: resource.Search | resource.Sort | resource.Lookup, TH: "ชื่อ", EN: "Name"},
		{Name: "pictureUrl", SQL: "c.picture_url", Can: resource.Lookup},
		{Name: "referercode", SQL: "c.refer_code", Can: resource.Filter | resource.Search | resource.Lookup, TH: "รหัสแนะนำ", EN: "Refer code"},
		{Name: "state", Can: resource.Filter | resource.Lookup, TH: "สถานะ", EN: "State"},
		{Name: "early", SQL: "r.status IN (4, 5) AND NOT EXISTS (SELECT FROM payee_version v WHERE v.payee_id = r.id AND v.state = 'approved')", Can: resource.Filter, TH: "ยังไม่ได้ตรวจข้อมูล", EN: "Not checked yet"},
		{Name: "waiting", SQL: "EXISTS (SELECT FROM payee_version v WHERE v.payee_id = r.id AND v.state = 'pending')", Can: resource.Filter, TH: "มีใบสมัครรอ", EN: "A form waits"},
		{Name: "agent_type_id", Can: resource.Filter | resource.Lookup},
		{Name: "type_name_th", SQL: "coalesce(t.name_th, '')", TH: "ประเภท (ไทย)", EN: "Type (Thai)"},
		{Name: "type_name_en", SQL: "coalesce(t.name_en, '')", TH: "ประเภท (อังกฤษ)", EN: "Type (English)"},
		{Name: "approved_at", Can: resource.Filter | resource.Sort, TH: "อนุมัติเมื่อ", EN: "Approved"},
		{Name: "sold_satang", SQL: "coalesce((SELECT sum(o.total_satang) FROM orders o WHERE o.agent_id = r.id AND o.paid_at IS NOT NULL), 0)::bigint", Can: resource.Sort, TH: "ยอดขาย", EN: "Sold"},
		{Name: "commission_satang", SQL: "coalesce((SELECT sum(m.due_satang) FROM commission m WHERE m.agent_id = r.id), 0)::bigint", Can: resource.Sort, TH: "ค่าคอม", EN: "Commission"},
	},
})
