package catalog

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
)

// UsageRules has the rules that voucher types and gift vouchers have in common: validity, service points, transfer.
type UsageRules struct {
	ValidDays        *int32  `json:"valid_days" minimum:"1" maximum:"3650" doc:"From the day of sale; or valid_until"`
	ValidUntil       *string `json:"valid_until" format:"date" doc:"Last day, in Bangkok; or valid_days"`
	TransferRule     string  `json:"transfer_rule" enum:"none,times,unlimited"`
	TransferTimes    int32   `json:"transfer_times" minimum:"0" maximum:"99" doc:"With rule times: how often"`
	TransferTogether bool    `json:"transfer_together" doc:"All that was received, or nothing"`
	ResaleCapPercent *int32  `json:"resale_cap_percent" required:"false" minimum:"1" maximum:"100" doc:"Of what was paid, which a price on the board may not exceed; without one the board's setting decides"`
	ExpiryRule       string  `json:"expiry_rule" enum:"breakage,wallet" doc:"What is left at expiry: kept, or back to the wallet"`
	VATPoint         string  `json:"vat_point" enum:"sale,use" doc:"When VAT falls due"`
	ConditionsTH     string  `json:"conditions_th" maxLength:"2000"`
	ConditionsEN     string  `json:"conditions_en" maxLength:"2000"`
	Conditions
	PictureID     *uuid.UUID  `json:"picture_id" nullable:"true"`
	ServicePoints []uuid.UUID `json:"service_points" maxItems:"500" doc:"Service points that honour it; none means all"`
}

// check returns the fields that break a rule between them.
func (r UsageRules) check() (bad []fault.Field) {
	if (r.ValidDays == nil) == (r.ValidUntil == nil) {
		bad = append(bad, fault.Field{Path: "valid_days", Fault: fault.Required.Code})
	}
	if r.ValidUntil != nil {
		if _, err := time.Parse(time.DateOnly, *r.ValidUntil); err != nil {
			bad = append(bad, fault.Field{Path: "valid_until", Fault: fault.WrongFormat.Code})
		}
	}
	if r.TransferRule == "times" && r.TransferTimes == 0 {
		bad = append(bad, fault.Field{Path: "transfer_times", Fault: fault.TooSmall.Code})
	}
	if r.ResaleCapPercent != nil {
		bad = append(bad, within("resale_cap_percent", *r.ResaleCapPercent, 1, 100)...)
	}
	return append(bad, r.Conditions.check()...)
}

var usageRulesColumns = []resource.Column{
	{Name: "valid_days", Can: resource.Filter | resource.Sort | resource.Write, TH: "อายุ (วัน)", EN: "Valid for (days)"},
	{Name: "valid_until", Date: true, Can: resource.Filter | resource.Sort | resource.Write, TH: "ใช้ได้ถึง", EN: "Valid until"},
	{Name: "transfer_rule", Can: resource.Filter | resource.Sort | resource.Write, TH: "การโอน", EN: "Transfer"},
	{Name: "transfer_times", Can: resource.Write, TH: "โอนได้ (ครั้ง)", EN: "Transfers"},
	{Name: "transfer_together", Can: resource.Write},
	{Name: "resale_cap_percent", Can: resource.Write},
	{Name: "expiry_rule", Can: resource.Filter | resource.Write, TH: "เมื่อหมดอายุ", EN: "At expiry"},
	{Name: "vat_point", Can: resource.Filter | resource.Write, TH: "จุดภาษีมูลค่าเพิ่ม", EN: "VAT point"},
	{Name: "conditions_th", Can: resource.Write},
	{Name: "conditions_en", Can: resource.Write},
	{Name: "weekdays", Can: resource.Write},
	{Name: "use_from", Can: resource.Write},
	{Name: "use_to", Can: resource.Write},
	{Name: "blackout_days", Can: resource.Write},
	{Name: "persons", Can: resource.Write},
	{Name: "picture_id", Can: resource.Lookup | resource.Write},
	{Name: "service_points", SQL: "ARRAY(SELECT service_point_id FROM template_service_point WHERE template_id = r.id ORDER BY service_point_id)", Can: resource.Filter},
}

// ErrTypeInUse says that a type cannot be switched off while a package on sale contains it.
var ErrTypeInUse = fault.New(fault.Conflict, "catalog.type_in_use", "a package on sale contains this")

// VoucherType is the template of an issued voucher.
type VoucherType struct {
	resource.Base
	NameTH    string       `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN    string       `json:"name_en" maxLength:"80"`
	Items     int32        `json:"items" minimum:"1" maximum:"999" doc:"How many times it can be used"`
	ListPrice money.Amount `json:"list_price_satang" minimum:"0" maximum:"1000000000000" doc:"Of one item; weighs its share of a package"`
	UsageRules
}

// VoucherTypes is the table of voucher types.
var VoucherTypes = resource.New(resource.Def[VoucherType]{
	Name: "vouchertype", Module: "vouchertype", Relation: "voucher_type", AtMost: 10_000, HasStatus: true, InitialStatus: resource.Active, Sort: "-created_at",
	Columns: append([]resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "items", Can: resource.Filter | resource.Sort | resource.Lookup | resource.Write, TH: "จำนวนครั้ง", EN: "Items"},
		{Name: "list_price_satang", Can: resource.Filter | resource.Sort | resource.Lookup | resource.Write, TH: "ราคาต่อครั้ง", EN: "Price of one item"},
	}, usageRulesColumns...),
	Constraints: templateConstraints("voucher_type"),
	Validate: func(v VoucherType) []fault.Field {
		return slices.Concat(v.check(), within("items", v.Items, 1, maxItems), within("list_price_satang", v.ListPrice, 0, maxPrice))
	},
	BeforeSave: func(_ context.Context, _ db.Tx, _ *VoucherType, row *VoucherType) error {
		row.Conditions = row.sorted()
		return nil
	},
	AfterSave: func(ctx context.Context, tx db.Tx, old *VoucherType, v VoucherType) error {
		var before *UsageRules
		if old != nil {
			before = &old.UsageRules
		}
		return setUsageRules(ctx, tx, v.ID, before, v.UsageRules)
	},
	AfterChange: BumpRevision,
	BeforeStatus: func(ctx context.Context, tx db.Tx, v VoucherType, status int16) error {
		return mayStop(ctx, tx, v.ID, status)
	},
})

// GiftVoucher is worth baht at its service points.
type GiftVoucher struct {
	resource.Base
	NameTH string       `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN string       `json:"name_en" maxLength:"80"`
	Value  money.Amount `json:"value_satang" minimum:"100" maximum:"1000000000000"`
	UsageRules
}

// GiftVouchers is the table of gift vouchers.
var GiftVouchers = resource.New(resource.Def[GiftVoucher]{
	Name: "giftvoucher", Module: "giftvoucher", Relation: "gift_voucher", AtMost: 10_000, HasStatus: true, InitialStatus: resource.Active, Sort: "-created_at",
	Columns: append([]resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (ไทย)", EN: "Name (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "ชื่อ (อังกฤษ)", EN: "Name (English)"},
		{Name: "value_satang", Can: resource.Filter | resource.Sort | resource.Lookup | resource.Write, TH: "มูลค่า", EN: "Value"},
	}, usageRulesColumns...),
	Constraints: templateConstraints("gift_voucher"),
	Validate: func(g GiftVoucher) []fault.Field {
		return slices.Concat(g.check(), within("value_satang", g.Value, money.Baht, maxPrice))
	},
	BeforeSave: func(_ context.Context, _ db.Tx, _ *GiftVoucher, row *GiftVoucher) error {
		row.Conditions = row.sorted()
		return nil
	},
	AfterSave: func(ctx context.Context, tx db.Tx, old *GiftVoucher, g GiftVoucher) error {
		var before *UsageRules
		if old != nil {
			before = &old.UsageRules
		}
		return setUsageRules(ctx, tx, g.ID, before, g.UsageRules)
	},
	AfterChange: BumpRevision,
	BeforeStatus: func(ctx context.Context, tx db.Tx, g GiftVoucher, status int16) error {
		return mayStop(ctx, tx, g.ID, status)
	},
})

func templateConstraints(relation string) map[string]fault.Field {
	return map[string]fault.Field{
		relation + "_picture":          {Path: "picture_id", Fault: fault.NotInList.Code},
		"template_service_point_point": {Path: "service_points", Fault: fault.NotInList.Code},
	}
}

const (
	dropServicePoints = `DELETE FROM template_service_point WHERE template_id = $1`
	addServicePoints  = `INSERT INTO template_service_point (template_id, service_point_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT (template_id, service_point_id) DO NOTHING`
	onSaleWith        = `SELECT EXISTS (SELECT FROM package_part i JOIN package p ON p.id = i.package_id
		WHERE p.status = 5 AND (i.voucher_type_id = $1 OR i.gift_voucher_id = $1))`
)

// setUsageRules writes what hangs on a template: its service points, and the version that is sold from now on.
func setUsageRules(ctx context.Context, tx db.Tx, template uuid.UUID, old *UsageRules, rules UsageRules) error {
	if _, err := tx.Exec(ctx, dropServicePoints, template); err != nil {
		return fmt.Errorf("service points of %s: %w", template, err)
	}
	if _, err := tx.Exec(ctx, addServicePoints, template, rules.ServicePoints); err != nil {
		return fmt.Errorf("service points of %s: %w", template, err)
	}
	return setVersion(ctx, tx, template, old, rules)
}

// mayStop refuses to switch off what is on sale.
func mayStop(ctx context.Context, tx db.Tx, template uuid.UUID, status int16) error {
	if status == resource.Active {
		return nil
	}
	var sold bool
	if err := tx.QueryRow(ctx, onSaleWith, template).Scan(&sold); err != nil {
		return fmt.Errorf("packages with %s: %w", template, err)
	}
	if sold {
		return ErrTypeInUse
	}
	return nil
}
