// Package push sends what stands in inboxes to LINE, through the organisation's official account. The inbox is the source: a message that is not
// pushed is still read there. A person gets one push for all that waits for him. LINE's quota and the organisation's limit decide what is held
// back; the table of kinds is below. It is tried against the imitated LINE, in tools/emulator/line.
package push

import (
	"time"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/platform/secret"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/org"
)

// Faults of this package.
var (
	ErrNotLinked = fault.New(fault.Invalid, "push.not_linked", "sign in with LINE once, so that the test can be sent to you")
	ErrProvider  = fault.New(fault.Invalid, "push.provider", "LINE does not know you at this account: it must be of the same provider as the sign-in")
	ErrNoAccount = fault.New(fault.Invalid, "push.no_account", "connect the account first")
)

// Topic is what a customer can refuse.
type Topic string

// Topics. What is urgent belongs to none.
const (
	Gifts   Topic = "gifts"
	Sales   Topic = "sales"
	Money   Topic = "money"
	EndDays Topic = "end_days"
	Uses    Topic = "uses"
)

// rule says how a kind of message is pushed.
type rule struct {
	topic  Topic
	urgent bool // at any hour, and while quota is left
	first  bool // also below a fifth of the quota, and more than three times a week
}

// rules has every kind that is pushed: of voucher_ends the last seven days, of use_confirmed what was worth much or was at a service point that is
// new to its person, or each use if he wishes it. Others stay in the inbox.
var rules = map[message.Kind]rule{
	message.VoucherFrozen: {urgent: true, first: true},

	message.VoucherFrozenByShop: {urgent: true, first: true},
	message.VoucherVoidedByShop: {topic: Money, first: true},

	message.UseConfirmed:     {topic: Uses, urgent: true},
	message.GiftDue:          {topic: Gifts, first: true},
	message.GiftClaimed:      {topic: Gifts, first: true},
	message.GiftDeclined:     {topic: Gifts, first: true},
	message.GiftReturned:     {topic: Gifts, first: true},
	message.GiftStopped:      {topic: Gifts, first: true},
	message.GiftAllTaken:     {topic: Gifts, first: true},
	message.GiftRestReturned: {topic: Gifts, first: true},
	message.GiftRestStopped:  {topic: Gifts, first: true},
	message.OfferSold:        {topic: Sales, first: true},
	message.VoucherTakenBack: {topic: Money, first: true},
	message.VoucherRefunded:  {topic: Money, first: true},
	message.MoneyKept:        {topic: Money, first: true},
	message.RefundGranted:    {topic: Money, first: true},
	message.RefundToCard:     {topic: Money, first: true},
	message.VoucherToCard:    {topic: Money, first: true},
	message.MoneyNotToCard:   {topic: Money, first: true},
	message.MoneyAtBank:      {topic: Money, first: true},
	message.MoneyNotToBank:   {topic: Money, first: true},
	message.RefundToBank:     {topic: Money, first: true},
	message.RefundRefused:    {topic: Money, first: true},
	message.RefundChanged:    {topic: Money, first: true},
	message.CashoutApproved:  {topic: Money, first: true},
	message.CashoutRefused:   {topic: Money, first: true},
	message.CashoutAtBank:    {topic: Money, first: true},
	message.CashoutFailed:    {topic: Money, first: true},
	message.AgentApproved:    {first: true},
	message.MemberApproved:   {first: true},
	message.MemberRefused:    {first: true},
	message.MemberSuspended:  {first: true},
	message.MemberResumed:    {first: true},
	message.MemberEnded:      {first: true},
	message.MemberPointsEnd:  {topic: EndDays},
	message.AgentRefused:     {first: true},
	message.AgentSuspended:   {first: true},
	message.AgentResumed:     {first: true},
	message.AgentChanged:     {topic: Money, first: true},
	message.AgentNotChanged:  {topic: Money, first: true},
	message.AgentPaid:        {topic: Money, first: true},
	message.AgentNotPaid:     {topic: Money, first: true},
	message.AgentPayReturned: {topic: Money, first: true},
	message.AgentDenied:      {topic: Money, first: true},
	message.UseStands:        {topic: Money, first: true},
	message.UseUndone:        {topic: Money, first: true},
	message.GiftUnopened:     {topic: Gifts},
	message.VoucherEnds:      {topic: EndDays},
}

// Hours of the day in Bangkok between which is pushed what is not urgent.
const (
	firstHour = 8
	lastHour  = 21
)

const (
	goodFor   = 24 * time.Hour // after which a message is too late to be pushed
	maxWeekly = 3              // pushes to a person in seven days, but for those that go first
	saveBelow = 5              // the part of the quota that is kept for what goes first: a fifth
)

// Service pushes, and answers owners and customers about it.
type Service struct {
	db   *db.DB
	box  *secret.Box
	line *line.Client
	orgs *org.Directory
	liff string // where LIFF links begin
}

// New returns the service. liffURL is where LIFF links begin.
func New(d *db.DB, box *secret.Box, client *line.Client, orgs *org.Directory, liffURL string) *Service {
	return &Service{db: d, box: box, line: client, orgs: orgs, liff: liffURL}
}
