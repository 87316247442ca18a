package contact

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/resource"
)

// Row is a message as lists have it. Its text and the phone number are in its detail alone.
type Row struct {
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name"`
	Email      string     `json:"email"`
	Subject    string     `json:"subject"`
	State      string     `json:"state" enum:"new,answered"`
	CreatedAt  time.Time  `json:"created_at" doc:"UTC"`
	AnsweredAt *time.Time `json:"answered_at" doc:"UTC"`
	ListID     uuid.UUID  `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Messages is the table of what was written to an organisation.
var Messages = resource.New(resource.Def[Row]{
	Name: "contactus", Relation: "contact_message", Sort: "-created_at",
	Module: access.NewModule(access.Module{Name: "contactus", With: "customer", Group: "overview", Place: 30, TH: "ข้อความถึงร้าน", EN: "Messages"}),
	Finds: []string{
		`SELECT m.id FROM contact_message m WHERE lower(m.email) LIKE lower({begins}) ORDER BY lower(m.email), m.id LIMIT 200`,
		`SELECT m.id FROM contact_message m WHERE lower(m.name) LIKE lower({begins}) ORDER BY lower(m.name), m.id LIMIT 200`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "name", TH: "ชื่อ", EN: "Name"},
		{Name: "email", TH: "อีเมล", EN: "E-mail"},
		{Name: "subject", TH: "เรื่อง", EN: "Subject"},
		{Name: "state", Can: resource.Filter, Few: true, Common: "answered", TH: "สถานะ", EN: "State"},
		{Name: "created_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "ส่งเมื่อ", EN: "Sent"},
		{Name: "answered_at", TH: "ตอบเมื่อ", EN: "Answered"},
	},
})
