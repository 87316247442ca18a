package approval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/staff"
)

// Rules are which changes need a second person.
type Rules struct {
	Refund *money.Amount `json:"refund_above_satang" nullable:"true" minimum:"0" maximum:"100000000" doc:"Refunds, and money that is paid out of a wallet, above so much; null when none does. What one person refunded of an order, and to a customer within a day, counts together; so does what was paid out to him within a day"`
	Extend *int64        `json:"extend_above_vouchers" nullable:"true" minimum:"0" maximum:"5000" doc:"Extensions of more vouchers at once; null when none does. What was extended at once within a day counts together"`
}

const (
	// Rules are few and change rarely: who changes them locks them all, also those that there are not yet. Who reads them does not wait.
	lockRules  = `LOCK TABLE approval_rule IN SHARE ROW EXCLUSIVE MODE`
	readRules  = `SELECT kind, above FROM approval_rule`
	readRule   = `SELECT above FROM approval_rule WHERE kind = $1`
	saveRule   = `INSERT INTO approval_rule (kind, above, updated_at) VALUES ($1, $2, $3) ON CONFLICT (kind) DO UPDATE SET above = excluded.above, updated_at = excluded.updated_at`
	removeRule = `DELETE FROM approval_rule WHERE kind = $1`
)

// byKind returns the fields of rules by their kinds, each as its number of satang or vouchers.
func byKind(r Rules) map[string]*int64 {
	return map[string]*int64{"refund": (*int64)(r.Refund), "extend": r.Extend}
}

// ReadRules returns the rules, of which there are none while nobody has made one.
func ReadRules(ctx context.Context, tx db.Tx) (r Rules, err error) {
	rows, err := tx.Query(ctx, readRules)
	if err != nil {
		return r, fmt.Errorf("approval rules: %w", err)
	}
	var kind string
	var above int64
	_, err = pgx.ForEachRow(rows, []any{&kind, &above}, func() error {
		of := above
		switch kind {
		case "refund":
			r.Refund = (*money.Amount)(&of)
		case "extend":
			r.Extend = &of
		}
		return nil
	})
	if err != nil {
		return r, fmt.Errorf("approval rules: %w", err)
	}
	return r, nil
}

// Needed reports whether a change of so much money needs a second person.
func Needed(ctx context.Context, tx db.Tx, kind string, amount money.Amount) (bool, error) {
	return Exceeds(ctx, tx, kind, int64(amount))
}

// Exceeds reports whether a change of so many satang or vouchers needs a second person.
func Exceeds(ctx context.Context, tx db.Tx, kind string, amount int64) (bool, error) {
	var above int64
	err := tx.QueryRow(ctx, readRule, kind).Scan(&above)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("approval rule of %s: %w", kind, err)
	}
	return amount > above, nil
}

// loosens reports whether something that needs a second person would need none.
func (r Rules) loosens(before Rules) bool {
	now := byKind(r)
	for kind, was := range byKind(before) {
		is := now[kind]
		if was != nil && (is == nil || *is > *was) {
			return true
		}
	}
	return false
}

// Saved is what became of rules that were sent.
type Saved struct {
	Rules
	Asked bool `json:"asked" doc:"A second person has to let go of a rule, so this waits as a request"`
}

// SaveRules puts rules in the place of those before. Where that would let go of one, it is asked for instead, since one person could otherwise free
// himself of the second. The same key saves once. It returns ErrWaiting if such a request waits.
func (s *Service) SaveRules(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, r Rules) (saved Saved, err error) {
	_, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "approval.rules", Value: key}, r,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			tx.Queue(lockRules)
			before, err := ReadRules(ctx, tx)
			if err != nil {
				return err
			}
			if r.loosens(before) {
				return Ask(ctx, tx, who, id, Request{Kind: ruleKind.Name, Table: "approval_rule", Input: r})
			}
			return saveRules(ctx, tx, who, before, r)
		})
	if err != nil {
		return saved, err
	}
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) (err error) {
		saved.Rules, err = ReadRules(ctx, tx)
		return err
	})
	saved.Asked = !saved.same(r)
	return saved, err
}

func (r Rules) same(other Rules) bool { return !r.loosens(other) && !other.loosens(r) }

func saveRules(ctx context.Context, tx db.Tx, who auditlog.Actor, before, r Rules) error {
	for kind, above := range byKind(r) {
		if above == nil {
			tx.Queue(removeRule, kind)
		} else {
			tx.Queue(saveRule, kind, *above, tx.Now)
		}
	}
	return auditlog.Record(ctx, tx, who, "change", "approval_rule", before, r)
}

// ruleKind is letting go of a rule.
var ruleKind = KindOf[Rules]{
	Name: "rule", Module: "setting", Letter: access.Change,
	Do: func(ctx context.Context, tx db.Tx, by By, r Rules) error {
		tx.Queue(lockRules)
		before, err := ReadRules(ctx, tx)
		if err != nil {
			return err
		}
		return saveRules(ctx, tx, by.Asked, before, r)
	},
	Facts: func(ctx context.Context, tx db.Tx, _ Rules) (facts []Fact, err error) {
		now, err := ReadRules(ctx, tx)
		if err != nil {
			return nil, err
		}
		for kind, above := range byKind(now) {
			value := Value{State: "off"}
			switch {
			case above == nil:
			case kind == "extend":
				value = Value{State: "on", Items: *above}
			default:
				value = Value{State: "on", Amount: money.Amount(*above)}
			}
			facts = append(facts, Fact{What: "rule", Name: kind, Value: value})
		}
		slices.SortFunc(facts, func(a, b Fact) int { return cmp.Compare(a.Name, b.Name) })
		return facts, nil
	},
}.Kind()
