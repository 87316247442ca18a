package customer

import "welovevoucher/platform/resource"

// Row is a customer as the back office lists him. His phone number is sealed and stays out of lists.
type Row struct {
	resource.Base
	DisplayName string  `json:"display_name"`
	PictureURL  string  `json:"picture_url"`
	FirstName   string  `json:"first_name"`
	LastName    string  `json:"last_name"`
	Email       string  `json:"email"`
	Gender      string  `json:"gender"`
	ReferCode   string  `json:"refer_code"`
	Type        int16   `json:"customer_type" doc:"1 counter, 2 online"`
	TypeTH      *string `json:"customer_type_name_th" doc:"What the organisation calls it"`
	TypeEN      *string `json:"customer_type_name_en"`
	Agent       bool    `json:"agent"`
}

// Customers is the table of customers: to be seen and suspended, not edited.
var Customers = resource.New(resource.Def[Row]{
	Name: "customer", Module: "customer", Relation: "customer", Stateful: true, Sort: "-created_at",
	Statuses: []int16{resource.Suspended, resource.Active},
	Joins:    "LEFT JOIN choice ch ON ch.list = 'customertype' AND ch.number = r.customer_type",
	Columns: []resource.Column{
		{Name: "display_name", Can: resource.Search | resource.Sort | resource.Lookup, TH: "ชื่อใน LINE", EN: "LINE name"},
		{Name: "picture_url", Can: resource.Lookup},
		{Name: "first_name", Can: resource.Search | resource.Sort | resource.Lookup, TH: "ชื่อ", EN: "First name"},
		{Name: "last_name", Can: resource.Search | resource.Sort | resource.Lookup, TH: "นามสกุล", EN: "Last name"},
		{Name: "email", Can: resource.Search, TH: "อีเมล", EN: "E-mail"},
		{Name: "gender", Can: resource.Filter, TH: "เพศ", EN: "Gender"},
		{Name: "refer_code", Can: resource.Filter | resource.Search | resource.Lookup, TH: "รหัสแนะนำ", EN: "Refer code"},
		{Name: "customer_type", Can: resource.Filter},
		{Name: "customer_type_name_th", SQL: "ch.name_th", TH: "ประเภท (ไทย)", EN: "Type (Thai)"},
		{Name: "customer_type_name_en", SQL: "ch.name_en", TH: "ประเภท (อังกฤษ)", EN: "Type (English)"},
		{Name: "agent", SQL: "EXISTS (SELECT FROM agent a WHERE a.customer_id = r.id AND a.status = 5)", Can: resource.Filter, TH: "ตัวแทน", EN: "Agent"},
	},
})
