package member

import "welovevoucher/platform/fault"

// State is what a membership is. It is stored by its string; membership.status follows from it.
type State string

// States of a membership. None is of who never had one.
const (
	None      State = ""
	Active    State = "active"
	Suspended State = "suspended"
	Expired   State = "expired"
	Left      State = "left"
)

// Faults of applications and memberships.
var (
	ErrOver       = fault.New(fault.Conflict, "application.over", "This application has been decided already")
	ErrOpen       = fault.New(fault.Conflict, "application.open", "You have applied already; the shop has not answered yet")
	ErrSuspended  = fault.New(fault.Conflict, "member.suspended", "This member card is suspended")
	ErrExpired    = fault.New(fault.Conflict, "member.expired", "This member card has ended")
	ErrLeft       = fault.New(fault.Conflict, "member.left", "This member has left")
	ErrNoMember   = fault.New(fault.Conflict, "member.none", "There is no member card yet")
	ErrNotNow     = fault.New(fault.Conflict, "member.not_now", "This cannot be done with this member card now")
	ErrTooYoung   = fault.New(fault.Invalid, "member.too_young", "This card is for older people")
	ErrNoEnd      = fault.New(fault.Conflict, "member.no_end", "This card has no end, so it needs no renewal")
	ErrPriced     = fault.New(fault.Conflict, "card_type.priced", "This card has a price")
	ErrFree       = fault.New(fault.Conflict, "card_type.free", "This card costs nothing")
	ErrClosed     = fault.New(fault.Conflict, "card_type.closed", "No Member Card Type available for sale found")
	ErrRenewed    = fault.New(fault.Conflict, "renewal.already", "This card has been renewed already")
	ErrTooEarly   = fault.New(fault.Conflict, "renewal.too_early", "A card can be renewed from 60 days before its end")
	ErrNotHigher  = fault.New(fault.Conflict, "upgrade.not_higher", "This card is not of a higher level")
	ErrOwn        = fault.New(fault.Forbidden, "application.self", "Somebody else has to approve you")
	ErrSameExists = fault.New(fault.Conflict, "application.duplicate", "Another member has the same")
)

// step is something that is done with a membership. The audit log has it by its string.
type step string

const (
	stepGrant   step = "grant" // a first term, or a renewal
	stepUpgrade step = "upgrade"
	stepEnd     step = "end" // the last term is over
	stepSuspend step = "suspend"
	stepResume  step = "resume"
	stepLeave   step = "leave"
)

// memberships has for each step from which state it leads to which. What is not here is refused.
var memberships = map[step]map[State]State{
	stepGrant:   {None: Active, Active: Active, Expired: Active, Left: Active},
	stepUpgrade: {Active: Active},
	stepEnd:     {Active: Expired, Suspended: Expired},
	stepSuspend: {Active: Suspended},
	stepResume:  {Suspended: Active},
	stepLeave:   {Active: Left, Suspended: Left, Expired: Left},
}

// refusals has what is said of a state in which a step is refused.
var refusals = map[State]error{None: ErrNoMember, Active: ErrNotNow, Suspended: ErrSuspended, Expired: ErrExpired, Left: ErrLeft}

// after returns the state that a step leads to. It returns ErrNoMember, ErrNotNow, ErrSuspended, ErrExpired or ErrLeft if it is not allowed.
func (s State) after(do step) (State, error) {
	if to, ok := memberships[do][s]; ok {
		return to, nil
	}
	return s, refusals[s]
}

// ApplicationState is what became of an application. It is stored by its string.
type ApplicationState string

// States of an application. All but the first are final.
const (
	Pending   ApplicationState = "pending"
	Granted   ApplicationState = "granted"
	Refused   ApplicationState = "refused"
	TakenBack ApplicationState = "taken_back"
)

// answer is something that ends an application.
type answer string

const (
	approve  answer = "approve"
	refuse   answer = "refuse" // by the organisation, or because nobody answered
	takeBack answer = "take back"
	leave    answer = "leave" // its customer left, or was erased
)

// answers has for each answer to an application that waits what becomes of it.
var answers = map[answer]ApplicationState{approve: Granted, refuse: Refused, takeBack: TakenBack, leave: TakenBack}

// after returns what an answer makes of an application. A granted one is taken back while its term is to come. It returns ErrOver if it has been decided.
func (s ApplicationState) after(do answer, toCome bool) (ApplicationState, error) {
	if s == Pending {
		return answers[do], nil
	}
	if s == Granted && do == takeBack && toCome {
		return TakenBack, nil
	}
	return s, ErrOver
}

// kind is what an application asks for. It is stored by its string.
type kind string

const (
	first   kind = "first"
	renewal kind = "renewal"
	upgrade kind = "upgrade"
)

// needsAnswer reports whether the organisation decides on an application.
func needsAnswer(approval string, of kind) bool {
	return approval == "always" || approval == "first" && of == first
}
