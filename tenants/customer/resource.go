package customer

import (
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
)

// Row is a customer as the back office lists him. His phone number is sealed and stays out of lists.
type Row struct {
	resource.Base
	DisplayName string       `json:"displayName"`
	PictureURL  string       `json:"pictureUrl"`
	FirstName   string       `json:"firstname"`
	LastName    string       `json:"lastname"`
	Email       string       `json:"emailaddress"`
	Age         *int         `json:"age" nullable:"true" doc:"In years; null where the date of birth is not known"`
	Gender      string       `json:"gender"`
	ReferCode   string       `json:"referercode"`
	Type        int16        `json:"customer_type" doc:"1 counter, 2 online"`
	TypeTH      *string      `json:"customer_type_name_th" doc:"What the organisation calls it"`
	TypeEN      *string      `json:"customer_type_name_en"`
	Agent       bool         `json:"agent"`
	Debt        money.Amount `json:"debt_satang" doc:"What he owes after his money went back"`
}

// What a search of customers compares. Both are in the index customer_named.
const (
	searched = `lower(chr(10) || chr(10) || c.display_name || chr(10) || chr(10) || c.first_name || chr(10) || chr(10) || c.last_name || chr(10) || chr(10) || c.email)`
	matching = ` @> {grams} AND ` + searched + ` LIKE ALL ({parts})`
)

// Named selects the ids of the first customers whose names or e-mail have the words of a search in them, for the Finds of tables
// whose rows are of customers.
var Named = `SELECT c.id FROM customer c WHERE ` + resource.GramsOf(searched) + matching + ` LIMIT 20`

// Customers is the table of customers: to be seen and suspended, not edited.
var Customers = resource.New(resource.Def[Row]{
	Name: "customer", Module: "customer", Relation: "customer", HasStatus: true, Sort: "-created_at",
	Statuses: []int16{resource.Suspended, resource.Active},
	Joins:    "LEFT JOIN list_option ch ON ch.list = 'customertype' AND ch.number = r.customer_type",
	Finds: []string{
		`SELECT c.id FROM customer c WHERE ` + resource.GramsOf(searched) + matching + ` LIMIT 200`,
		`SELECT c.id FROM customer c WHERE c.refer_code LIKE upper({begins}) ORDER BY c.refer_code LIMIT 200`,
	},
	Columns: []resource.Column{
		{Name: "displayName", SQL: "r.display_name", Can: resource.Sort | resource.Lookup, TH: "ชื่อใน LINE", EN: "LINE name"},
		{Name: "pictureUrl", SQL: "r.picture_url", Can: resource.Lookup},
		{Name: "firstname", SQL: "r.first_name", Can: resource.Lookup, TH: "ชื่อ", EN: "First name"},
		{Name: "lastname", SQL: "r.last_name", Can: resource.Lookup, TH: "นามสกุล", EN: "Last name"},
		{Name: "emailaddress", SQL: "r.email", Can: resource.Lookup, TH: "อีเมล", EN: "E-mail"},
		{Name: "age", SQL: "extract(year FROM age((now() AT TIME ZONE 'Asia/Bangkok')::date, r.birth_date))::int", Can: resource.Lookup, TH: "อายุ", EN: "Age"},
		{Name: "gender", Can: resource.Lookup, TH: "เพศ", EN: "Gender"},
		{Name: "referercode", SQL: "r.refer_code", Can: resource.Filter | resource.Lookup, TH: "รหัสแนะนำ", EN: "Refer code"},
		{Name: "customer_type", Can: resource.Filter, Few: true, Common: "2"},
		{Name: "customer_type_name_th", SQL: "ch.name_th", TH: "ประเภท (ไทย)", EN: "Type (Thai)"},
		{Name: "customer_type_name_en", SQL: "ch.name_en", TH: "ประเภท (อังกฤษ)", EN: "Type (English)"},
		{Name: "agent", SQL: "EXISTS (SELECT FROM agent a WHERE a.customer_id = r.id AND a.status = 5)", Key: "r.id IN (SELECT a.customer_id FROM agent a WHERE a.status = 5)", Can: resource.Filter, TH: "ตัวแทน", EN: "Agent"},
		{Name: "debt_satang", Can: resource.Filter | resource.Between, TH: "ค้างชำระ", EN: "Owes"},
	},
})
