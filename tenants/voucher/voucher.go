// Package voucher is the life of one issued unit: issued, shown to staff, used, expired.
package voucher

import (
	"crypto/rand"
	"slices"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/fault"
)

// State of a voucher (docs/domain.md).
type State string

// The states.
const (
	Ready      State = "ready"
	InUse      State = "in_use"
	OnSale     State = "on_sale"
	InTransfer State = "in_transfer"
	Frozen     State = "frozen"
	Used       State = "used"
	Expired    State = "expired"
	Refunded   State = "refunded"
	Void       State = "void"
)

// Event is a change that may happen to a voucher.
type Event string

// The events.
const (
	StartUse      Event = "ask to use"
	CancelUse     Event = "cancel or time out a use"
	UseSome       Event = "use some items"
	UseLast       Event = "use the last items"
	Offer         Event = "offer on the board"
	WithdrawOffer Event = "withdraw or time out an offer"
	Sell          Event = "sell on the board"
	Give          Event = "make a transfer link"
	WithdrawGift  Event = "cancel or time out a transfer"
	Claim         Event = "receive a transfer"
	Expire        Event = "end of validity"
	Refund        Event = "refund by its payer"
	RefundOutside Event = "refund from outside"
	RefundByShop  Event = "refund by the organisation"
	MakeVoid      Event = "void"
	Freeze        Event = "freeze"
	Release       Event = "release"
	Revive        Event = "extend what is over"
)

// transition says which state an event leads to, and from which states.
type transition struct {
	from []State
	to   State
}

// transitions is the whole state machine, for the code and for SQL, which takes its states from here as parameters. Any other transition is
// refused. Used, refunded and void are final, and so is expired but for an extension: such a voucher is not frozen either, because a release would
// make it ready. A voucher may be
// frozen because of money that was asked back and by the organisation, and is released with the last of these reasons.
var transitions = map[Event]transition{
	StartUse:      {[]State{Ready}, InUse},
	CancelUse:     {[]State{InUse}, Ready},
	UseSome:       {[]State{InUse}, Ready},
	UseLast:       {[]State{InUse}, Used},
	Offer:         {[]State{Ready}, OnSale},
	WithdrawOffer: {[]State{OnSale}, Ready},
	Sell:          {[]State{OnSale}, Ready},
	Give:          {[]State{Ready}, InTransfer},
	WithdrawGift:  {[]State{InTransfer}, Ready},
	Claim:         {[]State{InTransfer}, Ready},
	Expire:        {[]State{Ready, InUse, OnSale, InTransfer}, Expired},
	Refund:        {[]State{Ready}, Refunded},
	RefundOutside: {[]State{Ready, InUse, OnSale, InTransfer, Frozen}, Refunded},
	RefundByShop:  {[]State{Ready, OnSale, InTransfer}, Refunded},
	MakeVoid:      {[]State{Ready, InUse, OnSale, InTransfer, Frozen}, Void},
	Freeze:        {[]State{Ready, InUse, OnSale, InTransfer, Frozen}, Frozen},
	Release:       {[]State{Frozen}, Ready},
	Revive:        {[]State{Expired}, Ready},
}

// Next is the state after an event, or false when that step does not exist.
func Next(from State, event Event) (State, bool) {
	if !slices.Contains(transitions[event].from, from) {
		return "", false
	}
	return transitions[event].to, true
}

// From are the states that an event may find.
func From(event Event) []State { return transitions[event].from }

// Faults of using a voucher; messages are the specification's.
var (
	ErrNotFound           = fault.New(fault.NotFound, "voucher.not_found", "Voucher not found")
	ErrAlreadyUsed        = fault.New(fault.Conflict, "voucher.already_used", "You have already used this voucher.")
	ErrInUse              = fault.New(fault.Conflict, "voucher.in_use", "This voucher is in use. Cancel that first.")
	ErrNotReady           = fault.New(fault.Conflict, "voucher.not_ready", "This voucher cannot be used now")
	ErrExpired            = fault.New(fault.Conflict, "voucher.expired", "This voucher has expired")
	ErrTooFew             = fault.New(fault.Conflict, "voucher.too_few_items", "This voucher has fewer items left")
	ErrOtherServicePoint  = fault.New(fault.Conflict, "voucher.other_service_point", "This voucher is not honoured here")
	ErrServicePointClosed = fault.New(fault.Conflict, "voucher.service_point_closed", "This service point is closed")
	ErrServicePointGone   = fault.New(fault.Conflict, "voucher.service_point_gone", "This service point has closed for good")
	ErrStale              = fault.New(fault.Conflict, "voucher.code_stale", "This QR is out of date")
	ErrOnSale             = fault.New(fault.Conflict, "voucher.on_sale", "This voucher is on sale. Cancel that first.")
	ErrInTransfer         = fault.New(fault.Conflict, "voucher.in_transfer", "This voucher is being transferred. Cancel that first.")
	ErrFrozen             = fault.New(fault.Conflict, "voucher.frozen", "This voucher is on hold")
	ErrRefunded           = fault.New(fault.Conflict, "voucher.refunded", "This voucher was refunded")
	ErrVoid               = fault.New(fault.Conflict, "voucher.void", "This voucher was cancelled")
	ErrCodeUnknown        = fault.New(fault.NotFound, "voucher.code_unknown", "Voucher not found")
	ErrOtherOrg           = fault.New(fault.Conflict, "voucher.other_organisation", "This voucher belongs to another organisation")
	ErrSessionOver        = fault.New(fault.Conflict, "voucher.session_over", "This use was cancelled or has timed out")
	ErrNotScanned         = fault.New(fault.Conflict, "voucher.not_scanned", "Please scan this voucher again")
	ErrTypedTooOften      = fault.New(fault.TooMany, "voucher.typed_too_often", "Too many wrong codes, please scan the QR")
)

// stateFaults say why a voucher is not ready.
var stateFaults = map[State]error{
	InUse: ErrInUse, OnSale: ErrOnSale, InTransfer: ErrInTransfer, Frozen: ErrFrozen, Used: ErrAlreadyUsed, Expired: ErrExpired, Refunded: ErrRefunded, Void: ErrVoid,
}

// ends reports whether the end of its validity ends a voucher in that state.
func ends(s State) bool {
	_, may := Next(s, Expire)
	return may || s == Frozen
}

// Kind of a voucher's items.
type Kind string

// Item vouchers count pieces; baht vouchers count satang.
const (
	Item Kind = "item"
	Baht Kind = "baht"
)

// ValidUntil is the last day of validity, in Bangkok, of something sold now.
func ValidUntil(now time.Time, days *int, until *time.Time) time.Time {
	if until != nil {
		return *until
	}
	return clock.Day(now).AddDate(0, 0, *days)
}

// codeAlphabet leaves out what is mistaken for something else when read aloud or typed: I, L, O, U, 0, 1.
const codeAlphabet = "ABCDEFGHJKMNPQRSTVWXYZ23456789"

// NewCode makes a random code of n letters, to be read or typed by people.
func NewCode(n int) string {
	code := make([]byte, 0, n)
	random := make([]byte, 2*n)
	for len(code) < n {
		_, _ = rand.Read(random) // never fails (crypto/rand)
		for _, b := range random {
			if int(b) < 256-256%len(codeAlphabet) && len(code) < n { // every letter equally likely
				code = append(code, codeAlphabet[int(b)%len(codeAlphabet)])
			}
		}
	}
	return string(code)
}

// Voucher is one issued unit as its holder sees it. Items are satang when Kind is baht.
type Voucher struct {
	ID            uuid.UUID  `json:"id"`
	Code          string     `json:"code"`
	Kind          Kind       `json:"kind" enum:"item,baht"`
	NameTH        string     `json:"name_th"`
	NameEN        string     `json:"name_en"`
	Picture       *uuid.UUID `json:"picture" nullable:"true"`
	State         State      `json:"state" enum:"ready,in_use,on_sale,in_transfer,frozen,used,expired,refunded,void"`
	ItemsTotal    int64      `json:"items_total" doc:"Items, or satang when kind is baht"`
	ItemsLeft     int64      `json:"items_left" doc:"Items, or satang when kind is baht"`
	Own           int64      `json:"items_own" doc:"Items that were used or are left, without those that became vouchers of their own or were taken back; satang when kind is baht"`
	FirstSibling  uuid.UUID  `json:"first_sibling_id" doc:"The first of the vouchers of this list that were made of one with it; its own id where it is alone"`
	ValidUntil    string     `json:"valid_until" format:"date" doc:"Last day, Asia/Bangkok"`
	Frozen        string     `json:"frozen_because" enum:",dispute,refund,shop" doc:"Why it is frozen: its payer's bank holds the money back, the payment company sent some of it back, or the organisation put it on hold"`
	ServicePoints int        `json:"service_points" doc:"How many service points honour it"`
	UsedAt        *time.Time `json:"used_at" doc:"When the last of it was used; null unless used"`
	Use           *OpenUse   `json:"use_session" doc:"The use under way, if there is one"`
	Gift          *uuid.UUID `json:"gift_id" nullable:"true" doc:"The gift by which it is on its way; null unless in transfer"`
	Offer         *uuid.UUID `json:"offer_id" nullable:"true" doc:"The offer by which it is on sale; null unless on sale"`
	TransferRule  string     `json:"transfer_rule" enum:"none,times,unlimited" doc:"How it can be given to others"`
	TransfersLeft int        `json:"transfers_left" doc:"How often still, where the rule counts that"`
}

// OpenUse names a use under way.
type OpenUse struct {
	ID             uuid.UUID `json:"id"`
	Expires        time.Time `json:"expires_at"`
	ServicePointTH string    `json:"service_point_name_th"`
	ServicePointEN string    `json:"service_point_name_en"`
}
