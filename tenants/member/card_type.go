// Package member is a customer's card: the types that an organisation offers, who applied for one, what he has of it and until when.
package member

import (
	"context"
	"fmt"
	"maps"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
)

// Asks says of each part of the form whether who applies is asked for it: off, optional or required. His names and mobile number always are.
type Asks struct {
	Email       string `json:"asks_email" enum:"off,required"`
	IDCard      string `json:"asks_idcard" enum:"off,optional,required"`
	Gender      string `json:"asks_gender" enum:"off,optional,required"`
	BirthDate   string `json:"asks_birthdate" enum:"off,optional,required"`
	Address     string `json:"asks_address" enum:"off,optional,required" doc:"All five parts of it"`
	Nationality string `json:"asks_nationality" enum:"off,optional,required"`
	Receipt     string `json:"asks_receipt" enum:"off,optional,required" doc:"In whose name a receipt is"`
}

// Terms are what a version of a card type says. A term that was granted keeps its own.
type Terms struct {
	Validity string `json:"validity" enum:"days,months,year,endless" doc:"year: until the end of the calendar year, from October on of the next one"`
	Length   int32  `json:"length" minimum:"0" maximum:"3650" doc:"Days, or months; of the others it is kept as 0"`
	Approval string `json:"approval" enum:"none,first,always" doc:"Whether the organisation decides: never, on who is no member yet, on each application"`
	Level    int16  `json:"level" minimum:"1" maximum:"9" doc:"A card of a higher level replaces another at once"`
	LeastAge int16  `json:"least_age" minimum:"0" maximum:"99" doc:"In years; 0: any"`

	Price money.Amount `json:"price_satang" minimum:"0" maximum:"100000000" doc:"For a term; 0: free, else 1.00 baht at least"`
	Class string       `json:"class" enum:"ordinary,beauty,fitness" doc:"Of beauty and fitness who leaves until the seventh day after he paid has the whole price back: the law says so"`

	PointsBaht   int32      `json:"points_baht,omitempty" required:"false" minimum:"0" maximum:"10000" doc:"A point for each so many baht that a member pays; 0: none"`
	PointsTag    *uuid.UUID `json:"points_tag_id,omitempty" required:"false" nullable:"true" doc:"For packages with this tag alone; null: for all"`
	PointsDue    string     `json:"points_due,omitempty" required:"false" enum:",window,use" doc:"When the window of refunds has passed, or as items are used; empty without points"`
	PointsMonths int32      `json:"points_months,omitempty" required:"false" minimum:"0" maximum:"60" doc:"Points lapse at the end of the month so many months later; 0 without points"`
	Asks
}

// same reports whether terms say the same.
func (t Terms) same(o Terms) bool {
	if (t.PointsTag == nil) != (o.PointsTag == nil) || t.PointsTag != nil && *t.PointsTag != *o.PointsTag {
		return false
	}
	t.PointsTag, o.PointsTag = nil, nil
	return t == o
}

// CardType is what is offered, as the back office keeps it.
type CardType struct {
	resource.Base
	NameTH    string     `json:"name_th" minLength:"1" maxLength:"40"`
	NameEN    string     `json:"name_en" maxLength:"40"`
	PictureID *uuid.UUID `json:"picture_id" nullable:"true" doc:"The front of the card; null: the colours of the organisation"`
	Position  int32      `json:"position" minimum:"0" maximum:"9999" doc:"Order in the list, smallest first"`
	Version   int32      `json:"version" readOnly:"true" required:"false" doc:"Counts changes of what a term is granted by"`
	Terms
}

// Most days and months of a term, and what one costs at least that is not free.
const (
	maxDays   = 3650
	maxMonths = 120
	minPrice  = money.Baht
)

// CardTypes is the table of card types.
var CardTypes = resource.New(resource.Def[CardType]{
	Name: "membercardtype", Module: "membercardtype", Relation: "card_type", Joins: "JOIN card_type_version v ON v.card_type_id = r.id AND v.number = r.version",
	AtMost: 1000, HasStatus: true, InitialStatus: resource.Inactive, Sort: "position",
	Columns: []resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "picture_id", Can: resource.Lookup | resource.Write},
		{Name: "position", Can: resource.Sort | resource.Lookup | resource.Write, TH: "ลำดับ", EN: "Position"},
		{Name: "version", Can: resource.Write, TH: "ฉบับ", EN: "Version"},
		{Name: "validity", SQL: "v.validity", Can: resource.Filter, TH: "อายุบัตร", EN: "Valid for"},
		{Name: "length", SQL: "v.length", TH: "วันหรือเดือน", EN: "Days or months"},
		{Name: "approval", SQL: "v.approval", Can: resource.Filter, TH: "อนุมัติ", EN: "Approval"},
		{Name: "level", SQL: "v.level", Can: resource.Filter | resource.Sort, TH: "ระดับ", EN: "Level"},
		{Name: "price_satang", SQL: "v.price_satang", Can: resource.Sort, TH: "ราคา", EN: "Price"},
		{Name: "class", SQL: "v.class", Can: resource.Filter, TH: "กลุ่มสินค้า", EN: "Class"},
		{Name: "points_baht", SQL: "v.points_baht", TH: "กี่บาทต่อแต้ม", EN: "Baht a point"},
		{Name: "points_tag_id", SQL: "v.points_tag_id"},
		{Name: "points_due", SQL: "v.points_due"},
		{Name: "points_months", SQL: "v.points_months", TH: "อายุแต้ม (เดือน)", EN: "Months of points"},
		{Name: "least_age", SQL: "v.least_age", TH: "อายุขั้นต่ำ", EN: "Least age"},
		{Name: "asks_email", SQL: "v.asks_email"},
		{Name: "asks_idcard", SQL: "v.asks_idcard"},
		{Name: "asks_gender", SQL: "v.asks_gender"},
		{Name: "asks_birthdate", SQL: "v.asks_birthdate"},
		{Name: "asks_address", SQL: "v.asks_address"},
		{Name: "asks_nationality", SQL: "v.asks_nationality"},
		{Name: "asks_receipt", SQL: "v.asks_receipt"},
	},
	Constraints: map[string]fault.Field{"card_type_version_points_tag": {Path: "points_tag_id", Fault: fault.NotInList.Code}, "card_type_picture": {Path: "picture_id", Fault: fault.NotInList.Code}},
	Validate:    checkTerms,
	BeforeSave: func(_ context.Context, _ db.Tx, old, row *CardType) error {
		if row.Validity == "year" || row.Validity == "endless" {
			row.Length = 0
		}
		if row.PointsBaht == 0 {
			row.PointsTag, row.PointsDue, row.PointsMonths = nil, "", 0
		}
		switch {
		case old == nil:
			row.Version = 1
		case old.same(row.Terms):
			row.Version = old.Version
		default:
			row.Version = old.Version + 1
		}
		return nil
	},
	AfterSave: func(ctx context.Context, tx db.Tx, old *CardType, row CardType) error {
		if old != nil && old.Version == row.Version {
			return nil
		}
		_, err := tx.Exec(ctx, insertVersion, db.NewID(), row.ID, row.Version, row.Validity, row.Length, row.Approval, row.Level, row.LeastAge,
			row.Email, row.IDCard, row.Gender, row.BirthDate, row.Address, row.Nationality, row.Receipt, row.Price, row.Class,
			row.PointsBaht, row.PointsTag, row.PointsDue, row.PointsMonths, tx.Now)
		if err != nil {
			return fmt.Errorf("version %d of card type %s: %w", row.Version, row.ID, err)
		}
		return nil
	},
})

const insertVersion = `INSERT INTO card_type_version (id, card_type_id, number, validity, length, approval, level, least_age,
	asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address, asks_nationality, asks_receipt, price_satang, class, points_baht, points_tag_id, points_due, points_months, created_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`

func checkTerms(r CardType) (bad []fault.Field) {
	counted := r.Validity == "days" || r.Validity == "months"
	switch {
	case counted && r.Length < 1:
		bad = append(bad, fault.Field{Path: "length", Fault: fault.TooSmall.Code})
	case r.Length > maxDays || r.Validity == "months" && r.Length > maxMonths:
		bad = append(bad, fault.Field{Path: "length", Fault: fault.TooBig.Code})
	}
	if r.Price > 0 && r.Price < minPrice {
		bad = append(bad, fault.Field{Path: "price_satang", Fault: fault.TooSmall.Code})
	}
	if r.PointsBaht > 0 && r.PointsDue == "" {
		bad = append(bad, fault.Field{Path: "points_due", Fault: fault.Required.Code})
	}
	if r.PointsBaht > 0 && r.PointsMonths == 0 {
		bad = append(bad, fault.Field{Path: "points_months", Fault: fault.TooSmall.Code})
	}
	if r.LeastAge > 0 && r.BirthDate != "required" {
		bad = append(bad, fault.Field{Path: "asks_birthdate", Fault: fault.Required.Code})
	}
	return bad
}

// Offered lists the card types that are active, whatever status q asks for.
func (s *Service) Offered(ctx context.Context, org uuid.UUID, q resource.Query) (page resource.Page[CardType], err error) {
	active := maps.Clone(q.Filter)
	if active == nil {
		active = map[string]any{}
	}
	active["status"] = float64(resource.Active) // as JSON has it
	q.Filter = active
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		page, err = CardTypes.List(ctx, tx, q)
		return err
	})
	return page, err
}
