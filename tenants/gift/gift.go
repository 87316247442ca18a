// Package gift is a voucher on its way from one person to another: its holder gives it by a link, and whoever opens that claims it. An ang-pao
// is a gift for several people, each of whom gets one voucher. What
// happens to the voucher itself stands in tenants/voucher/given.go.
package gift

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/voucher"
)

// Service gives vouchers and lets them be claimed.
type Service struct {
	db   *db.DB
	box  *secret.Box
	orgs *org.Directory
}

// New returns the service.
func New(d *db.DB, box *secret.Box, orgs *org.Directory) *Service {
	return &Service{db: d, box: box, orgs: orgs}
}

// States of a gift. The ways in which it ends that nobody claimed are package voucher's.
const (
	scheduled = "scheduled" // its link opens later
	open      = "open"
	claimed   = "claimed"
)

// daysAhead is how far ahead a gift may be made.
const daysAhead = 90

const (
	// triesOfDigits is after how many wrong digits a gift pauses, and pause for how long.
	triesOfDigits = 5
	pause         = time.Hour
)

// Faults of gifts.
var (
	ErrNotFound = fault.New(fault.NotFound, "gift.not_found", "Transfer not found")
	ErrOver     = fault.New(fault.Conflict, "gift.over", "This gift cannot be received any more")
	ErrOwn      = fault.New(fault.Conflict, "gift.own", "You cannot receive your own gift")
	ErrDigits   = fault.New(fault.Conflict, "gift.wrong_digits", "These digits are not right")
	ErrPaused   = fault.New(fault.Conflict, "gift.paused", "Too many wrong digits, please try again later")
	ErrHadOne   = fault.New(fault.Conflict, "gift.had_one", "You have one of these already")
	ErrExtended = fault.New(fault.Conflict, "gift.extended", "This gift was extended already")
	ErrWhen     = fault.New(fault.Conflict, "gift.bad_time", "A gift begins from now on, within 90 days, and no later than on the last day of its vouchers")
	ErrTooEarly = fault.New(fault.Conflict, "gift.extend_later", "A gift can be extended on its last day")
)

// OverDetail is the detail of ErrOver: how it ended, not by whom; or that its link is not open yet.
type OverDetail struct {
	State  string `json:"state" enum:"scheduled,claimed,withdrawn,declined,returned,stopped"`
	People int    `json:"people" doc:"For how many its link was; more than one for an ang-pao"`
}

// PausedDetail is the detail of ErrPaused.
type PausedDetail struct {
	Until time.Time `json:"until"`
}

// Input is what a holder gives, and how.
type Input struct {
	Voucher uuid.UUID `json:"voucher_id"`
	Items   int64     `json:"items" minimum:"1" maximum:"1000000000000" doc:"How many of its items, or satang when kind is baht; fewer than are left become a voucher of their own"`
	Card    string    `json:"card" enum:"baby,because,birthday,congrats,getwell,love,songkran,thanks"`
	To      string    `json:"to_name" maxLength:"60" doc:"The receiver's name; may be empty"`
	Words   string    `json:"words" maxLength:"200" doc:"May be empty"`
	Digits  string    `json:"digits" pattern:"^([0-9]{4})?$" doc:"The last digits of the receiver's mobile number, which open it; empty if nothing has to"`
	// Optional, so that a page that was loaded before they were known can still give.
	People int        `json:"people,omitempty" minimum:"1" maximum:"100" doc:"For how many people; more than one make an ang-pao, by which each of the first ones gets so many items: of this voucher, or, if that is all it has, of one like it"`
	Begins *time.Time `json:"begins_at,omitempty" doc:"When its link opens; at once without it. At most 90 days ahead, and not after the last day of the voucher"`
}

// Gift is what its giver, or who claimed it, sees of it.
type Gift struct {
	ID         uuid.UUID  `json:"id"`
	State      string     `json:"state" enum:"scheduled,open,claimed,withdrawn,declined,returned,stopped"`
	Given      bool       `json:"given" doc:"By the person who asks; otherwise he claimed it"`
	People     int        `json:"people" doc:"For how many its link is; with more than one it is an ang-pao"`
	Takers     []Taker    `json:"takers" doc:"Who has taken one of an ang-pao, the last first; nobody of a gift for one"`
	Card       string     `json:"card" enum:"baby,because,birthday,congrats,getwell,love,songkran,thanks"`
	Person     string     `json:"person" doc:"Who claimed it, or who gave it; empty while nobody claimed it"`
	To         string     `json:"to_name"`
	Words      string     `json:"words"`
	Digits     string     `json:"digits" doc:"That open it; empty for who claimed it"`
	Ref        string     `json:"ref" doc:"What its link carries; empty unless the giver asks for one that nobody has claimed yet"`
	CreatedAt  time.Time  `json:"created_at"`
	BeginsAt   time.Time  `json:"begins_at" doc:"Since when its link is open, or from when on"`
	ExpiresAt  time.Time  `json:"expires_at"`
	Days       int        `json:"days" doc:"How long its link is good, from the day on which it opens, and again if it is extended"`
	MayExtend  bool       `json:"may_extend" doc:"It is the last day, and it was not extended yet"`
	OpenedAt   *time.Time `json:"opened_at" doc:"When somebody else opened its page first; null for who claimed it"`
	EndedAt    *time.Time `json:"ended_at"`
	ByShop     bool       `json:"stopped_by_shop" doc:"The organisation stopped it. One that neither it nor the platform stopped was so because of a voucher of it"`
	ByPlatform bool       `json:"stopped_by_platform" doc:"The platform suspended its giver"`
	ThankedAt  *time.Time `json:"thanked_at"`
	Contents   []Content  `json:"contents"`
}

// Taker is who has taken one of an ang-pao, as the others and its giver see him.
type Taker struct {
	Name    string    `json:"name" doc:"The first of his names; may be empty"`
	At      time.Time `json:"at" doc:"UTC"`
	Own     bool      `json:"own" doc:"The person who asks"`
	Thanked bool      `json:"thanked"`
}

// Content is a voucher in a gift, as everybody sees it to whom its link was sent.
type Content struct {
	Voucher    *uuid.UUID   `json:"voucher_id" nullable:"true" doc:"Null unless it is the voucher of the person who asks"`
	Kind       voucher.Kind `json:"kind" enum:"item,baht"`
	NameTH     string       `json:"name_th"`
	NameEN     string       `json:"name_en"`
	Picture    *uuid.UUID   `json:"picture" nullable:"true"`
	Items      int64        `json:"items" doc:"Items, or satang when kind is baht"`
	ValidUntil string       `json:"valid_until" format:"date"`
}

// Wrapped is what who opened a link sees before he claims it.
type Wrapped struct {
	State        string     `json:"state" enum:"open,claimed" doc:"Claimed: by the person who asks"`
	Own          bool       `json:"own" doc:"The person who asks gave it"`
	Locked       bool       `json:"locked" doc:"The last four digits of a mobile number open it; until then it has no words and no contents"`
	People       int        `json:"people" doc:"For how many its link is; with more than one it is an ang-pao"`
	Left         int        `json:"left" doc:"How many nobody has taken yet"`
	Takers       []Taker    `json:"takers" doc:"Who has taken one of an ang-pao, the last first; nobody is named to who has not"`
	From         string     `json:"from"`
	To           string     `json:"to_name"`
	Card         string     `json:"card" enum:"baby,because,birthday,congrats,getwell,love,songkran,thanks"`
	Words        string     `json:"words"`
	ExpiresAt    time.Time  `json:"expires_at"`
	ThankedAt    *time.Time `json:"thanked_at"`
	ID           *uuid.UUID `json:"id" nullable:"true" doc:"Null unless the person who asks claimed or gave it"`
	Contents     []Content  `json:"contents"`
	ConditionsTH string     `json:"conditions_th"`
	ConditionsEN string     `json:"conditions_en"`
	catalog.Sentences
	TransferRule string                       `json:"transfer_rule" enum:"none,times,unlimited"`
	Transfers    int                          `json:"transfers_left" doc:"How often who claims it may give it on"`
	Where        []catalog.PublicServicePoint `json:"where"`
}

// Link is what a link carries, and what opens it.
type Link struct {
	Ref    string `json:"ref" maxLength:"60"`
	Digits string `json:"digits" pattern:"^([0-9]{4})?$" doc:"Of the mobile number that opens it; empty if none does"`
}

// term is how a gift stands in time.
type term struct {
	state    string
	begins   time.Time
	expires  time.Time
	extended bool
	people   int
	still    *time.Time // since when the organisation is suspended: the days of gifts stand still
}

func (t term) isOpen(at time.Time) bool { return t.now(at) == open }

// now is the state that it has at a time, also before a worker has saved that.
func (t term) now(at time.Time) string {
	if t.still != nil {
		at = *t.still
	}
	switch {
	case t.state != scheduled && t.state != open:
		return t.state
	case at.Before(t.begins):
		return scheduled
	case at.Before(t.expires):
		return open
	}
	return voucher.Returned
}

// over refuses what only an open gift can do.
func (t term) over(now time.Time) error { return ErrOver.With(OverDetail{t.now(now), t.people}) }

// mayExtend reports whether it is its last day, for the first time.
func (t term) mayExtend(now time.Time) bool {
	return t.still == nil && t.isOpen(now) && !t.extended && clock.Day(now).Equal(clock.Day(t.expires.Add(-1)))
}

// lastMoment is the end of the day, in Bangkok, on which a link is good last: days after another, and not after the last day of its vouchers.
func lastMoment(from, validUntil time.Time, days int) time.Time {
	last := clock.Day(from).AddDate(0, 0, days)
	if validUntil.Before(last) {
		last = validUntil
	}
	return clock.Start(last.AddDate(0, 0, 1))
}

// ref is what the link of a gift carries: 128 bits that nobody can compute without the master key, so that the giver can be given the same
// link again and only its hash is stored.
func (s *Service) ref(org, gift uuid.UUID) (plain string, hash []byte, err error) {
	index, err := s.box.Index(org, "gift.link", gift.String())
	if err != nil {
		return "", nil, err
	}
	plain = token.Encode(index[:16])
	return plain, token.Hash(plain), nil
}
