package refund

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// ExtendInput is which voucher the organisation extends, until when, and why.
type ExtendInput struct {
	ID     uuid.UUID `json:"id"`
	Until  string    `json:"valid_until" format:"date" doc:"The new last day, Asia/Bangkok, at most ten years from now"`
	Reason string    `json:"reason" minLength:"1" maxLength:"300" doc:"For the organisation alone; its holder does not see it"`
}

// maxYears is how many years from now a voucher may be valid.
const maxYears = 10

// extendedFact is what the audit log has of an extension.
type extendedFact struct {
	Reason     string `json:"reason"`
	Days       int    `json:"days"`
	ValidUntil string `json:"valid_until"`
}

// Whoever paid for it last is who bought it on the board, otherwise its order's customer.
const lastPaid = `SELECT v.order_id, v.holder_id, coalesce(r.buyer_id, o.customer_id), coalesce(f.successor_id, r.buyer_id, o.customer_id) FROM voucher v JOIN orders o ON o.id = v.order_id
	LEFT JOIN resale r ON r.id = v.resale_id LEFT JOIN former_customer f ON f.customer_id = coalesce(r.buyer_id, o.customer_id) WHERE v.id = $1`

// hands are who holds a voucher, and who paid for it last: the customer he was then, and the one he is now.
type hands struct{ order, holder, payer, person uuid.UUID }

func readHands(ctx context.Context, tx db.Tx, id uuid.UUID) (h hands, err error) {
	err = tx.QueryRow(ctx, lastPaid, id).Scan(&h.order, &h.holder, &h.payer, &h.person)
	if errors.Is(err, pgx.ErrNoRows) {
		return h, fault.Missing
	}
	if err != nil {
		return h, fmt.Errorf("in whose hands voucher %s is: %w", id, err)
	}
	return h, nil
}

// Extend gives a voucher another last day for the organisation, and informs its holder. What had expired is ready again, and stands for what is owed
// as if it had never been over. The same key does it once. It returns fault.Missing, the faults of voucher.Standing.Extendable and idempotency.ErrReused.
func (s *Service) Extend(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in ExtendInput) error {
	if in.Reason = strings.TrimSpace(in.Reason); in.Reason == "" {
		return fault.At("reason", fault.Required)
	}
	until, err := ReadLastDay(in.Until, s.db.Now())
	if err != nil {
		return err
	}
	return s.UntilStill(ctx, org, func() error {
		_, err := idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "voucher.extend", Value: key}, in,
			func(tx db.Tx) { staff.Lock(tx, who.ID) },
			func(tx db.Tx, id uuid.UUID) error {
				return ExtendTx(ctx, tx, who, in.ID, voucher.Extension{ID: id, Until: until, Reason: in.Reason, By: who.ID})
			})
		return err
	})
}

// ReadLastDay reads the last day of an extension. It returns fault.BadInput.
func ReadLastDay(text string, now time.Time) (until time.Time, err error) {
	until, err = time.Parse(time.DateOnly, text)
	switch {
	case err != nil:
		return until, fault.At("valid_until", fault.WrongFormat)
	case until.After(clock.Day(now).AddDate(maxYears, 0, 0)):
		return until, fault.At("valid_until", fault.TooBig)
	}
	return until, nil
}

// UntilStill tries something again while a voucher stands for another payment than it did, or is due and was not ended yet.
func (s *Service) UntilStill(ctx context.Context, org uuid.UUID, try func() error) error {
	for tries := 1; ; tries++ {
		err := try()
		switch {
		case tries == maxTries:
			return err
		case errors.Is(err, voucher.ErrDue):
			if err := s.expire(ctx, org); err != nil {
				return err
			}
		case !errors.Is(err, errStandsElsewhere):
			return err
		}
	}
}

// ExtendTx is one try of Extend. It fails if the wrong people were locked, and with voucher.ErrDue; UntilStill tries again then.
func ExtendTx(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, e voucher.Extension) error {
	was, err := readHands(ctx, tx, id)
	if err != nil {
		return err
	}
	customer.Lock(tx, was.holder, was.person)
	s, err := load(ctx, tx, was.payer, was.order)
	if err != nil {
		return err
	}
	all := []*voucher.Held{s.held(was.order, id)}
	if all[0] == nil { // nothing that its payer owes can concern it
		if all, err = voucher.LockOfOrders(ctx, tx, []uuid.UUID{was.order}); err != nil {
			return err
		}
	}
	is, err := readHands(ctx, tx, id) // as its lock has it
	if err != nil {
		return err
	}
	if is != was {
		return errStandsElsewhere
	}
	v := all[slices.IndexFunc(all, func(v *voucher.Held) bool { return v.ID == id })]
	before := v.State
	days, until, err := v.Extend(ctx, tx, e)
	if err != nil {
		return err
	}
	holder := v.Holder
	if s.mine(holder) {
		holder = s.customer
	}
	if err := message.WriteWithDay(ctx, tx, holder, message.VoucherExtended, id, until); err != nil {
		return err
	}
	if before != v.State {
		if err := s.settle(ctx, tx, "covered"); err != nil {
			return err
		}
	}
	if err := notice.SendTableUpdate(ctx, tx, voucher.Vouchers.Name()); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, "extend", "voucher/"+id.String(), nil, extendedFact{e.Reason, days, until.Format(time.DateOnly)})
}
