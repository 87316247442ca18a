package catalog

import (
	"context"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
)

// NewVoucherType is a voucher type that does not exist yet, as the form of the package that is to hold it says it.
type NewVoucherType struct {
	NameTH        string        `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN        string        `json:"name_en" maxLength:"80"`
	Items         int32         `json:"items" minimum:"1" maximum:"999" doc:"How many times it can be used"`
	ListPrice     *money.Amount `json:"list_price_satang" minimum:"0" maximum:"1000000000000" doc:"Of one item; null: an equal part of the package's price"`
	ValidDays     *int32        `json:"valid_days" minimum:"1" maximum:"3650" doc:"From the day of sale; or valid_until"`
	ValidUntil    *string       `json:"valid_until" format:"date" doc:"Last day, in Bangkok; or valid_days"`
	ExpiryRule    string        `json:"expiry_rule" enum:"breakage,wallet" doc:"What is left at expiry: kept, or back to the wallet"`
	ConditionsTH  string        `json:"conditions_th" maxLength:"2000"`
	ConditionsEN  string        `json:"conditions_en" maxLength:"2000"`
	ServicePoints []uuid.UUID   `json:"service_points" maxItems:"500" doc:"Service points that honour it; none means all"`
}

// AddsVoucherTypes reports whether SavePackage adds voucher types for the package, which needs the right to add them.
func (p Package) AddsVoucherTypes() bool {
	return slices.ContainsFunc(p.Parts, func(part PackagePart) bool { return part.NewVoucherType != nil })
}

// SavePackage adds the voucher types that parts of the package describe, and saves the package with them. It returns what Save
// returns; a fault of a type names the field within its part.
func SavePackage(ctx context.Context, tx db.Tx, who auditlog.Actor, p Package) (Package, error) {
	if bad := checkPackage(p); len(bad) > 0 {
		return p, fault.Of(bad...)
	}
	p.Parts = slices.Clone(p.Parts)
	for i, part := range p.Parts {
		if part.NewVoucherType == nil {
			continue
		}
		added, err := VoucherTypes.Save(ctx, tx, who, part.NewVoucherType.row(p, part.Quantity))
		if err != nil {
			return p, fault.Within("parts."+strconv.Itoa(i)+".new_voucher_type", err)
		}
		p.Parts[i] = PackagePart{VoucherType: &added.ID, Quantity: part.Quantity}
	}
	return Packages.Save(ctx, tx, who, p)
}

// row is the voucher type with what a plain one has beside what was said.
func (n NewVoucherType) row(p Package, quantity int32) VoucherType {
	listPrice := n.ListPrice
	if listPrice == nil {
		listPrice = new(p.equalPart(quantity, n.Items))
	}
	return VoucherType{
		NameTH: n.NameTH, NameEN: n.NameEN, Items: n.Items, ListPrice: *listPrice,
		UsageRules: UsageRules{
			ValidDays: n.ValidDays, ValidUntil: n.ValidUntil, TransferRule: "none", ExpiryRule: n.ExpiryRule, VATPoint: "use",
			ConditionsTH: n.ConditionsTH, ConditionsEN: n.ConditionsEN, ServicePoints: n.ServicePoints,
		},
	}
}

// equalPart is what one item is worth if each part has the same share of the package's price.
func (p Package) equalPart(quantity, items int32) money.Amount {
	price := p.Price
	if p.ListPrice != nil {
		price = max(price, *p.ListPrice)
	}
	return price.Portion(1, int64(len(p.Parts))*int64(max(quantity, 1))*int64(max(items, 1)))
}
