// Package payout pays payees out what they have earned, in runs: a draft collects what can be paid, a second person approves it, a job books it, the bank
// is sent a file, and what the bank answers ends each payout. Runs of their own kind transfer refunds, and what is paid out of wallets, to bank accounts.
package payout

import (
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/bankfile"
)

// Faults of runs and payouts.
var (
	ErrNotNow      = fault.New(fault.Conflict, "payout.not_now", "This cannot be done with this run now")
	ErrDraftOpen   = fault.New(fault.Conflict, "payout.draft_open", "A draft is open already. Propose it or cancel it first")
	ErrComputing   = fault.New(fault.Conflict, "payout.computing", "This run is still being computed. Please wait a moment")
	ErrEmpty       = fault.New(fault.Conflict, "payout.empty", "Nobody can be paid by this run")
	ErrNoBankDay   = fault.New(fault.Invalid, "payout.no_bank_day", "The banks do not work on this day, or their holidays of that year are not known yet")
	ErrDayPassed   = fault.New(fault.Conflict, "payout.day_passed", "The pay day of this run is over. Cancel it and draft another")
	ErrChanged     = fault.New(fault.Conflict, "payout.changed", "This run has changed since you looked at it")
	ErrSamePerson  = fault.New(fault.Conflict, "payout.same_person", "You drafted this run. Another person has to approve it")
	ErrOwn         = fault.New(fault.Conflict, "payout.own", "This run pays you. Another person has to approve it")
	ErrBooking     = fault.New(fault.Conflict, "payout.booking", "This run is still being booked. Please wait a moment")
	ErrForgotten   = fault.New(fault.Conflict, "payout.forgotten", "The file of this run cannot be made again: an account in it was erased")
	ErrContradicts = fault.New(fault.Conflict, "payout.contradiction", "This contradicts what was said of this payout before. It was written down, and nothing was changed")
	ErrNotCovered  = fault.New(fault.Conflict, "payout.not_covered", "The organisation holds less than what came back. Take it up with the platform first")
	ErrBooksOpen   = fault.New(fault.Conflict, "payout.books_open", "The last check of the books found something that does not add up. Nothing is paid out before it is cleared up")
	ErrInRun       = fault.New(fault.Conflict, "payout.in_run", "This transfer is in a run of payouts. Say there what became of it")
)

// Kind is what a run pays. It is stored by its string.
type Kind string

// Kinds of runs. Refunds also pays out of wallets; its payouts are bank transfers of customers, which have no lines and no tax.
const (
	Agents  Kind = "agent"
	Refunds Kind = "refund"
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

// Standing is what one payout is.
type Standing = bankfile.Standing

// Standings of a payout. Failed is final: what it was made of can be paid by the next run, and a transfer that failed is in its payer's wallet.
const (
	Ready    = bankfile.Ready
	LeftOut  = bankfile.LeftOut
	Booked   = bankfile.Booked
	Sent     = bankfile.Sent
	Paid     = bankfile.Paid
	Failed   = bankfile.Failed
	Returned = bankfile.Returned
)

const (
	atOnce     = 200    // payouts that are computed or booked in one transaction
	mostOfRun  = 20_000 // payouts of a run
	mostRefund = 2_000  // of one that transfers refunds, each of which has a wallet and a customer to lock
	tooMuch    = 2_000_000_00
)

// Service drafts, books and ends runs.
type Service struct {
	db  *db.DB
	box *secret.Box
}

// New returns the service. box opens what payees said of their accounts.
func New(d *db.DB, box *secret.Box) *Service { return &Service{d, box} }
