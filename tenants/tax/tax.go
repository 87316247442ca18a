// Package tax counts how much tax is withheld of what a payee is paid and how much of an amount is VAT, by dated rules, and knows on which days banks are open.
package tax

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
)

// ErrNoRule is returned for a day on which no rule holds. Nothing is paid then.
var ErrNoRule = fault.New(fault.Conflict, "tax.no_rule", "There is no tax rule for this day")

// Class is which payees a rule is for.
type Class struct {
	Company  bool
	Resident bool // in Thailand, as the Revenue Department means it
}

// Form is the Revenue Department's form on which tax is filed that was withheld.
type Form string

// Forms.
const (
	PND1  Form = "PND1"
	PND53 Form = "PND53"
)

// Method is how tax is counted.
type Method string

// Methods.
const (
	Rate    Method = "rate"     // of each payment
	PITYear Method = "pit_year" // personal income tax on the year to date, less what was withheld in it
)

// Rule is how tax is withheld of payees of a class.
type Rule struct {
	ID          uuid.UUID
	Form        Form
	IncomeCode  string // as the form has it
	Method      Method
	BasisPoints int64 // 0 of PITYear
	class       Class
	scale       scale // of PITYear
	days
}

// days are those on which a rule holds.
type days struct {
	first time.Time
	last  *time.Time
}

func (d days) include(day time.Time) bool {
	return !day.Before(d.first) && (d.last == nil || !day.After(*d.last))
}

// scale is the progressive tax on a year's income: on what is left after an expense, which is a part of it up to a maximum, and an allowance.
type scale struct {
	expense    int64 // basis points
	expenseMax money.Amount
	allowance  money.Amount
	from       []money.Amount // ascending, the first 0; each with a rate, in basis points
	rates      []int64
}

// Rules are the tax rules of the platform.
type Rules struct {
	withholding []Rule // the last to begin first, as those of VAT
	vat         []vatRule
}

type vatRule struct {
	days
	basisPoints int64
}

const (
	selectWithholding = `SELECT company, resident, id, form, income_code, method, coalesce(rate_basis_points, 0), coalesce(expense_basis_points, 0),
			coalesce(expense_max_satang, 0), coalesce(allowance_satang, 0), bracket_from_satang, bracket_basis_points, first_day, last_day
		FROM tax_rule WHERE kind = 'withholding' ORDER BY first_day DESC`
	selectVAT = `SELECT rate_basis_points, first_day, last_day FROM tax_rule WHERE kind = 'vat' ORDER BY first_day DESC`
)

// Read reads the tax rules from the platform's schema.
func Read(ctx context.Context, d *db.DB) (rules Rules, err error) {
	err = d.ReadInPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, selectWithholding)
		if err != nil {
			return err
		}
		if rules.withholding, err = pgx.CollectRows(rows, readRule); err != nil {
			return err
		}
		if rows, err = tx.Query(ctx, selectVAT); err != nil {
			return err
		}
		rules.vat, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (v vatRule, err error) {
			err = row.Scan(&v.basisPoints, &v.first, &v.last)
			return v, err
		})
		return err
	})
	if err != nil {
		return Rules{}, fmt.Errorf("tax rules: %w", err)
	}
	return rules, nil
}

func readRule(row pgx.CollectableRow) (r Rule, err error) {
	err = row.Scan(&r.class.Company, &r.class.Resident, &r.ID, &r.Form, &r.IncomeCode, &r.Method, &r.BasisPoints, &r.scale.expense, &r.scale.expenseMax,
		&r.scale.allowance, &r.scale.from, &r.scale.rates, &r.first, &r.last)
	return r, err
}

// Of returns the rule for payees of a class who are paid on a day (clock.Day), of several the one that began last. It returns ErrNoRule if there is none.
func (r Rules) Of(c Class, day time.Time) (Rule, error) {
	for _, rule := range r.withholding {
		if rule.class == c && rule.include(day) {
			return rule, nil
		}
	}
	return Rule{}, ErrNoRule
}

// ByID returns the rule by which a payout was counted, and whether there is one.
func (r Rules) ByID(id uuid.UUID) (Rule, bool) {
	i := slices.IndexFunc(r.withholding, func(rule Rule) bool { return rule.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return r.withholding[i], true
}

// WithoutVAT returns an amount without the VAT in it, which is rounded half up to a satang; of an amount below 0 it is that of the amount above 0, below 0.
// It returns ErrNoRule if there is no rate on that day (clock.Day).
func (r Rules) WithoutVAT(amount money.Amount, day time.Time) (money.Amount, error) {
	for _, rule := range r.vat {
		if !rule.include(day) {
			continue
		}
		if amount < 0 {
			return amount + (-amount).Share(rule.basisPoints, whole+rule.basisPoints), nil
		}
		return amount - amount.Share(rule.basisPoints, whole+rule.basisPoints), nil
	}
	return 0, ErrNoRule
}

// Year is what a payee was paid in a calendar year so far: what is taxed of it, which may be below 0 where something was taken back, and what was withheld.
type Year struct {
	Taxable  money.Amount
	Withheld money.Amount
}

// Withhold returns how much is withheld of a payment of x to a payee with this year so far. It is rounded half up once, and neither below 0 nor above x.
func (r Rule) Withhold(y Year, x money.Amount) money.Amount {
	switch {
	case x <= 0:
		return 0
	case r.Method == Rate:
		return x.Percent(r.BasisPoints)
	}
	return min(max(0, r.scale.tax(y.Taxable+x)-y.Withheld), x)
}

// whole is 100 percent, in basis points.
const whole = 10_000

// tax returns the tax on a year's income, rounded half up.
func (s scale) tax(income money.Amount) money.Amount {
	if income <= 0 {
		return 0
	}
	// In 1/10,000 of a satang, because an expense is not rounded.
	taxed := whole*(int64(income)-int64(s.allowance)) - min(int64(income)*s.expense, whole*int64(s.expenseMax))
	sum, one := new(big.Int), big.NewInt(whole*whole)
	for i, from := range s.from {
		part := taxed - whole*int64(from)
		if part <= 0 {
			break
		}
		if i+1 < len(s.from) {
			part = min(part, whole*int64(s.from[i+1]-from))
		}
		sum.Add(sum, new(big.Int).Mul(big.NewInt(part), big.NewInt(s.rates[i])))
	}
	sum.Add(sum.Lsh(sum, 1), one) // (2·sum + one) / 2·one
	return money.Amount(sum.Quo(sum, one.Lsh(one, 1)).Int64())
}
