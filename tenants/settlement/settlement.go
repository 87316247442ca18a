// Package settlement pays organisations what they have earned, where the platform's gateway account holds it.
package settlement

import (
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/staff"
)

// Faults of the account that an organisation is paid to.
var (
	ErrFormNotNow = fault.New(fault.Conflict, "settlement.form_not_now", "This account does not wait for an answer any more")
	ErrBankName   = fault.New(fault.Invalid, "settlement.bank_name", "The name of the account has to be the organisation's own")
	ErrFiller     = fault.New(fault.Conflict, "settlement.filler", "You filled this account in. Another person has to approve it")
	ErrTomorrow   = fault.New(fault.Conflict, "settlement.tomorrow", "You alone can approve this: sign in anew tomorrow, and approve it then")
	ErrDuplicate  = fault.New(fault.Conflict, "settlement.duplicate", "Somebody who is paid by you has the same")
)

// Faults of runs.
var (
	ErrNotNow      = fault.New(fault.Conflict, "settlement.not_now", "This cannot be done with this run now")
	ErrDraftOpen   = fault.New(fault.Conflict, "settlement.draft_open", "A draft is open already. Approve it or cancel it first")
	ErrComputing   = fault.New(fault.Conflict, "settlement.computing", "This run is still being computed. Please wait a moment")
	ErrBooking     = fault.New(fault.Conflict, "settlement.booking", "This run is still being booked. Please wait a moment")
	ErrEmpty       = fault.New(fault.Conflict, "settlement.empty", "No organisation can be paid by this run")
	ErrNoBankDay   = fault.New(fault.Invalid, "settlement.no_bank_day", "The banks do not work on this day, or their holidays of that year are not known yet")
	ErrDayPassed   = fault.New(fault.Conflict, "settlement.day_passed", "The pay day of this run is over. Cancel it, or take it back, and draft another")
	ErrChanged     = fault.New(fault.Conflict, "settlement.changed", "This run is not the one that you looked at")
	ErrSamePerson  = fault.New(fault.Conflict, "settlement.same_person", "You drafted this run. Another person has to approve it")
	ErrRunTomorrow = fault.New(fault.Conflict, "settlement.run_tomorrow", "You alone can approve this run: sign in anew tomorrow, and approve it then")
	ErrContradicts = fault.New(fault.Conflict, "settlement.contradiction", "This contradicts what was said before. It was written down, and nothing was changed")
)

// State is what a run is. It is stored by its string.
type State string

// States of a run.
const (
	Draft     State = "draft"
	Approved  State = "approved"
	Exported  State = "exported"
	Closed    State = "closed"
	Cancelled State = "cancelled"
)

// tooMuch is the most that one line of a bank's file pays.
const tooMuch = 2_000_000_00

// Service pays organisations, and keeps what they are paid to.
type Service struct {
	db  *db.DB
	box *secret.Box
	may staff.May
}

// New returns the service. box opens what organisations said of their accounts.
func New(d *db.DB, box *secret.Box, may staff.May) *Service { return &Service{d, box, may} }
