package agent

import (
	"welovevoucher/platform/fault"
)

// State is what an agent is. It is stored by its string; agent.status follows from it.
type State string

// States. Nobody is who has never applied.
const (
	Nobody    State = ""
	Draft     State = "draft"
	Pending   State = "pending"
	Approved  State = "approved"
	Refused   State = "refused"
	Suspended State = "suspended"
	Left      State = "left"
	Erased    State = "erased"
)

// Faults of becoming an agent.
var (
	ErrNotNow     = fault.New(fault.Conflict, "agent.not_now", "This cannot be done with this agent now")
	ErrTooYoung   = fault.New(fault.Invalid, "agent.too_young", "An agent has to be 20 years old")
	ErrBankName   = fault.New(fault.Invalid, "agent.bank_name", "The name of the account has to be your own")
	ErrDuplicate  = fault.New(fault.Conflict, "agent.duplicate", "Another agent has the same")
	ErrUnverified = fault.New(fault.Invalid, "agent.mobile_unverified", "Please verify this number first")
	ErrRecruiter  = fault.New(fault.Invalid, "agent.recruiter_unknown", "Nobody who sells here has this code")
)

// adult is how old who sells has to be.
const adult = 20

// step is something that is done with an agent. The audit log has it by its string.
type step string

const (
	stepMend     step = "mend" // begin, and save what is filled in
	stepSend     step = "send"
	stepTakeBack step = "take back"
	stepApprove  step = "approve"
	stepEarly    step = "approve early"
	stepRefuse   step = "refuse"
	stepSuspend  step = "suspend"
	stepResume   step = "resume"
	stepLeave    step = "leave"
)

// transitions has for each step from which state it leads to which. What is not here is refused. Who is approved or suspended stays so while he sends a new
// version, and while it is approved or refused.
var transitions = map[step]map[State]State{
	stepMend:     {Nobody: Draft, Draft: Draft, Refused: Draft, Left: Draft, Approved: Approved, Suspended: Suspended},
	stepSend:     {Draft: Pending, Approved: Approved, Suspended: Suspended},
	stepTakeBack: {Pending: Draft, Approved: Approved, Suspended: Suspended},
	stepApprove:  {Pending: Approved, Approved: Approved, Suspended: Suspended},
	stepEarly:    {Nobody: Approved, Draft: Approved, Refused: Approved, Left: Approved},
	stepRefuse:   {Pending: Refused, Approved: Approved, Suspended: Suspended},
	stepSuspend:  {Approved: Suspended},
	stepResume:   {Suspended: Approved},
	stepLeave:    {Draft: Left, Pending: Left, Approved: Left, Suspended: Left},
}

// after returns the state that a step leads to. It returns ErrNotNow if it is not allowed.
func (s State) after(a step) (State, error) {
	to, ok := transitions[a][s]
	if !ok {
		return s, ErrNotNow
	}
	return to, nil
}
