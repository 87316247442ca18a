package catalog

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
)

// Faults of buying a package.
var (
	ErrPackageNotFound = fault.New(fault.NotFound, "catalog.package_not_found", "Package not found")
	ErrNotOnSale       = fault.New(fault.Conflict, "catalog.not_on_sale", "This package is not on sale now")
	ErrSoldOut         = fault.New(fault.Conflict, "catalog.sold_out", "This package is sold out")
)

// PricedPackage is a package as it is sold right now.
type PricedPackage struct {
	ID          uuid.UUID
	NameTH      string
	NameEN      string
	Picture     *uuid.UUID
	Price       money.Amount
	PerCustomer *int
	Refunds     RefundTerms
	Parts       []PricedPart
}

// PricedPart is one kind of voucher in a package: Quantity vouchers of Items items (satang of a gift voucher) each.
type PricedPart struct {
	Template      uuid.UUID
	Version       uuid.UUID // of the template: what it says of its use
	Gift          bool
	NameTH        string
	NameEN        string
	Picture       *uuid.UUID // the package's where the voucher has none of its own
	Quantity      int
	Items         int64
	Weight        int64 // list price of one voucher in satang, by which the price is spread over the parts
	ValidDays     *int
	ValidUntil    *time.Time
	TransferRule  string
	TransferTimes int
	Together      bool
	ExpiryRule    string
	VATPoint      string
	ServicePoints int `json:"-"` // open service points that honour it now; nothing that is agreed on
}

// PackageResult is a package as it is sold, or, in Refused, the fault for which it cannot be bought.
type PackageResult struct {
	PricedPackage
	Refused error
}

// Lasts reports whether every voucher of the package could still be used at a time.
func (p PricedPackage) Lasts(at time.Time) bool {
	return !slices.ContainsFunc(p.Parts, func(part PricedPart) bool { return part.ValidUntil != nil && part.ValidUntil.Before(clock.Day(at)) })
}

// Vouchers returns how many vouchers one piece of the package issues.
func (p PricedPackage) Vouchers() (n int) {
	for _, part := range p.Parts {
		n += part.Quantity
	}
	return n
}
