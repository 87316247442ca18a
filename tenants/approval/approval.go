// Package approval has a second person look at changes of which the organisation wants that. A change above its rule is asked for instead of made,
// and waits until another account that could have asked for it approves or refuses it, or three days have passed.
package approval

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/staff"
)

// Faults of approvals.
var (
	ErrNeeded   = fault.New(fault.Conflict, "approval.needed", "A second person has to look at this. Ask for it")
	ErrWaiting  = fault.New(fault.Conflict, "approval.waiting", "This was asked for already, and waits for an answer")
	ErrAnswered = fault.New(fault.Conflict, "approval.answered", "This does not wait for an answer any more")
	ErrOwn      = fault.New(fault.Conflict, "approval.own", "You asked for this. Another person has to answer")
	ErrTomorrow = fault.New(fault.Conflict, "approval.tomorrow", "You alone can answer this: sign in anew tomorrow, and approve it then")
	ErrNotYours = fault.New(fault.Conflict, "approval.not_yours", "Somebody else asked for this")
)

// waitsFor is how long a request waits.
const waitsFor = 3 * 24 * time.Hour

// A Kind is a change that may need a second person. KindOf.Kind makes it.
type Kind struct {
	Name   string
	Module string // in which who asks and who answers needs the letter
	Letter string
	do     func(ctx context.Context, tx db.Tx, by By, input json.RawMessage) error
	facts  func(ctx context.Context, tx db.Tx, input json.RawMessage) ([]Fact, error)
}

// KindOf is a Kind of which an In is asked for: the Input of its requests.
type KindOf[In any] struct {
	Name   string
	Module string
	Letter string
	// Do makes the change, in the transaction of the answer. It returns the fault that now stands against it.
	Do func(ctx context.Context, tx db.Tx, by By, in In) error
	// Facts reads all that the change touches, each fact at the same place before it and after it.
	Facts func(ctx context.Context, tx db.Tx, in In) ([]Fact, error)
}

// Kind returns the kind.
func (k KindOf[In]) Kind() Kind {
	read := func(input json.RawMessage) (in In, err error) {
		if err := json.Unmarshal(input, &in); err != nil {
			return in, fmt.Errorf("what was asked for: %w", err)
		}
		return in, nil
	}
	return Kind{
		k.Name, k.Module, k.Letter,
		func(ctx context.Context, tx db.Tx, by By, input json.RawMessage) error {
			in, err := read(input)
			if err != nil {
				return err
			}
			return k.Do(ctx, tx, by, in)
		},
		func(ctx context.Context, tx db.Tx, input json.RawMessage) ([]Fact, error) {
			in, err := read(input)
			if err != nil {
				return nil, err
			}
			return k.Facts(ctx, tx, in)
		},
	}
}

// By is who makes a change, and by which request.
type By struct {
	Approval uuid.UUID
	Asked    auditlog.Actor // in whose name it is made
	Answers  uuid.UUID      // who approves it, or looks at what would follow
	Customer *uuid.UUID     // whom it was asked for, or nil
	Amount   money.Amount   // that was asked for
	ID       uuid.UUID      // of what is made
}

// Fact is something that a change touches, as it is at the moment.
type Fact struct {
	What  string // wallet, unearned, payable, commission, fee, owed, debt, leaving, run, points, voucher, extended, days_returned or rule
	Name  string // a number, a code or a person's name
	Value Value
}

// Value is what a fact is: a sum, and of a voucher, a run or a rule its state.
type Value struct {
	Amount money.Amount `json:"amount_satang"`
	State  string       `json:"state" doc:"Of a voucher or a run; on or off of a rule"`
	Items  int64        `json:"items" doc:"That a voucher has left, satang of a voucher in baht; payees of a run; points"`
}

// Request is what somebody asks for.
type Request struct {
	Kind     string
	Table    string    // of the record that it changes
	Record   uuid.UUID // or uuid.Nil
	Title    string    // the record's number
	Customer *uuid.UUID
	Amount   money.Amount
	Note     string
	Input    any
}

// Service keeps requests and answers them.
type Service struct {
	db    *db.DB
	may   staff.May
	kinds map[string]Kind
}

// New returns the service for the kinds of changes that there are, and for changes of the rules themselves.
func New(d *db.DB, may staff.May, kinds ...Kind) *Service {
	s := &Service{d, may, map[string]Kind{ruleKind.Name: ruleKind}}
	for _, k := range kinds {
		s.kinds[k.Name] = k
	}
	return s
}

const insertRequest = `INSERT INTO approval (id, kind, state, record_table, record_id, title, customer_id, amount_satang, input, note, asked_by, asked_at, due_at)
	VALUES ($1, $2, 'waiting', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

// Ask inserts a request of an account, which waits from now. It returns ErrWaiting if there is one of the same kind for the record.
func Ask(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, r Request) error {
	tx.Queue(lapseDue, tx.Now) // one whose time is over does not stand in the way
	_, err := tx.Exec(ctx, insertRequest, id, r.Kind, r.Table, r.Record, r.Title, r.Customer, r.Amount, r.Input, r.Note, who.ID, tx.Now, tx.Now.Add(waitsFor))
	if db.IsUnique(err, "approval_waiting") {
		return ErrWaiting
	}
	if err != nil {
		return err
	}
	if err := changed(ctx, tx); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, "ask", "approval/"+id.String(), nil, r.Input)
}
