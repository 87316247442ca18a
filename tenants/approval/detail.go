package approval

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
)

// Detail is a request with what it would change.
type Detail struct {
	Record  Row      `json:"record"`
	May     Standing `json:"may" enum:"answer,alone,tomorrow,withdraw,nothing" doc:"What who looks may do with it. alone: approve his own, for want of anybody else; tomorrow: the same, but not yet"`
	Changes []Change `json:"changes" doc:"All that changes if it is approved now; none once it was answered"`
	Fault   string   `json:"fault" doc:"Code of what stands against it now, or empty"`
}

// Change is a fact before a change and after it.
type Change struct {
	What   string `json:"what" enum:"wallet,unearned,payable,commission,fee,owed,debt,leaving,run,tax_return,points,voucher,extended,days_returned,rule" doc:"extended: vouchers that are about to be, until the day that is its name; days_returned: vouchers that are given the days of a closure back, whose first and last day with a slash between them are its name; wallet and debt of a customer, commission of an agent, fee of an order; payable: what the organisation has earned; owed: by customers for money that was asked back; leaving: on its way to cards and bank accounts; run: that pays commission out, its number is the name; tax_return: of tax withheld, its receipt is the name; points: of a member"`
	Name   string `json:"name" doc:"A number, a code or a person's name"`
	Before Value  `json:"before"`
	After  Value  `json:"after"`
}

// errLooked ends the transaction of a change that is only looked at.
var errLooked = errors.New("approval: only looked at")

// Detail returns a request and, while it waits, what it would change: it is made, looked at and rolled back, so nothing else can follow from the
// answer. It returns fault.Missing if there is none.
func (s *Service) Detail(ctx context.Context, who token.Session, actor auditlog.Actor, in ByRequest) (d Detail, err error) {
	var w waiting
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		if w, err = read(ctx, tx, readRequest, in.ID); err != nil {
			return err
		}
		d.Record, err = Approvals.Detail(ctx, tx, in.ID)
		return err
	})
	if err != nil {
		return Detail{}, err
	}
	d.May, d.Changes = MayNothing, []Change{}
	if !w.open(s.db.Now()) {
		return d, nil
	}
	if d.May, err = s.standing(ctx, who, w); err != nil {
		return Detail{}, err
	}
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		d.Changes, d.Fault, err = s.look(ctx, tx, actor, w)
		if err != nil {
			return err
		}
		return errLooked
	})
	if !errors.Is(err, errLooked) {
		return Detail{}, fmt.Errorf("look at approval %s: %w", in.ID, err)
	}
	return d, nil
}

// look makes a change and returns what it did, or the code of the fault that stands against it.
func (s *Service) look(ctx context.Context, tx db.Tx, actor auditlog.Actor, w waiting) ([]Change, string, error) {
	kind := s.kinds[w.Kind]
	before, err := kind.facts(ctx, tx, w.Input)
	if err != nil {
		return nil, "", err
	}
	err = s.do(ctx, tx, actor, w, uuid.New())
	if f := (*fault.Fault)(nil); errors.As(err, &f) {
		return []Change{}, f.Code, nil
	}
	if err != nil {
		return nil, "", err
	}
	after, err := kind.facts(ctx, tx, w.Input)
	if err != nil {
		return nil, "", err
	}
	changes := []Change{}
	for i, was := range before {
		if is := after[i]; is != was {
			changes = append(changes, Change{was.What, was.Name, was.Value, is.Value})
		}
	}
	return changes, "", nil
}
