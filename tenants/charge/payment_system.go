package charge

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/resource"
)

// PaymentSystem is a way in which the organisation is paid, as its back office may see it: never a key.
type PaymentSystem struct {
	ID        uuid.UUID `json:"id"`
	Status    int16     `json:"status" doc:"2 inactive, 5 active"`
	CreatedAt time.Time `json:"created_at" doc:"UTC"`
	UpdatedAt time.Time `json:"updated_at" doc:"UTC"`
	Kind      string    `json:"kind" enum:"omise,manual"`
	NameTH    string    `json:"name_th"`
	NameEN    string    `json:"name_en"`
	Methods   []string  `json:"methods" doc:"promptpay, card; in the order in which customers see them"`
	ListID    uuid.UUID `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// PaymentSystems is the table payment.
var PaymentSystems = resource.New(resource.Def[PaymentSystem]{
	Name: "payment", Module: "payment", Relation: "payment_system", AtMost: 10, HasStatus: true, Sort: "created_at",
	Columns: []resource.Column{
		{Name: "kind", Can: resource.Filter | resource.Sort | resource.Lookup, TH: "ระบบ", EN: "System"},
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "methods", Can: resource.Lookup},
	},
})
