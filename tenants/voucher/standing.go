package voucher

import (
	"time"
)

// Standing is what decides whether the organisation may change a voucher.
type Standing struct {
	State State
	Until time.Time // its last day
	Rule  string    // whose the rest is at its end: breakage or wallet
	Gone  bool      // its holder has deleted his account
	Held  bool      // the organisation froze it
}

// due reports whether its last day is over and no worker has ended it.
func (s Standing) due(today time.Time) bool {
	_, expires := Next(s.State, Expire)
	return expires && s.Until.Before(today)
}

// AsOf returns it as a worker leaves it that ends what is due.
func (s Standing) AsOf(today time.Time) Standing {
	if s.due(today) {
		s.State = Expired
	}
	return s
}

// Extendable returns why it cannot be valid until a day, or nil: ErrDue, the fault of a state that is over, ErrPaidOut, ErrHolderGone or ErrNotLater.
func (s Standing) Extendable(until, today time.Time) error {
	_, usable := Next(s.State, RefundOutside)
	switch {
	case s.due(today):
		return ErrDue
	case s.State == Expired && s.Rule == "wallet":
		return ErrPaidOut
	case s.State == Expired && s.Gone:
		return ErrHolderGone
	case s.State != Expired && !usable:
		return stateFaults[s.State]
	case !until.After(s.Until) || until.Before(today):
		return ErrNotLater
	}
	return nil
}

// Freezable returns why the organisation cannot freeze it, or nil: ErrFrozenAlready, ErrExpired, or the fault of a state that is over.
func (s Standing) Freezable(today time.Time) error {
	_, may := Next(s.State, Freeze)
	switch {
	case s.Held:
		return ErrFrozenAlready
	case ends(s.State) && s.Until.Before(today):
		return ErrExpired
	case !may:
		return stateFaults[s.State]
	}
	return nil
}

// Releasable returns why the organisation cannot release it, or nil: ErrFrozen if only money that was asked back froze it, or ErrNotFrozen.
func (s Standing) Releasable() error {
	switch {
	case s.Held:
		return nil
	case s.State == Frozen:
		return ErrFrozen
	}
	return ErrNotFrozen
}

// Voidable returns why the organisation cannot end it, or nil: ErrExpired, or the fault of a state that is over.
func (s Standing) Voidable(today time.Time) error {
	_, may := Next(s.State, MakeVoid)
	switch {
	case ends(s.State) && s.Until.Before(today):
		return ErrExpired
	case !may:
		return stateFaults[s.State]
	}
	return nil
}
