// Package otp sends one-time passwords by SMS or e-mail and checks them. A code is kept in Redis as an HMAC, for five minutes.
package otp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/onetime"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/sms"
	"welovevoucher/platform/token"
)

var (
	// ErrWrong says that a code is wrong. Its detail is Left.
	ErrWrong = fault.New(fault.Invalid, "otp.wrong", "This code is wrong")
	// ErrOver says that there is no code to compare with: none was sent, its time or its tries are over, or it was used.
	ErrOver = fault.New(fault.Conflict, "otp.over", "This code is over, please ask for a new one")
	// ErrWait refuses another code for at most ten minutes. Its detail is Wait.
	ErrWait = fault.New(fault.TooMany, "otp.wait", "Please wait before you ask for a new code")
	// ErrEnough refuses another code for hours. Its detail is Until.
	ErrEnough = fault.New(fault.TooMany, "otp.enough", "Too many codes were asked for")
	// ErrUnavailable says that no code can be sent or checked: Redis or the gateway is away, or no gateway is configured.
	ErrUnavailable = fault.New(fault.Unavailable, "otp.unavailable", "Codes cannot be sent now, please try again")
)

// Left is the detail of ErrWrong.
type Left struct {
	Tries int `json:"tries_left"`
}

// Wait is the detail of ErrWait.
type Wait struct {
	Seconds int `json:"seconds"`
}

// Until is the detail of ErrEnough.
type Until struct {
	At time.Time `json:"until"`
}

const (
	lifetime    = 5 * time.Minute
	maxTries    = 5
	longestWait = 10 * time.Minute // that is said in seconds; of a longer one the end is said
	maxShopName = 30               // runes; a text of 70 with Thai in it is one message
)

// Purpose is what a code is good for. A code for one purpose is wrong for every other.
type Purpose string

// Service sends codes and checks them.
type Service struct {
	codes  *onetime.Codes
	limits *ratelimit.Limiter
	sender sms.Sender
	mail   mail.Sender
	box    *secret.Box
	now    func() time.Time
}

// New returns the service.
func New(codes *onetime.Codes, limits *ratelimit.Limiter, sender sms.Sender, mails mail.Sender, box *secret.Box) *Service {
	return &Service{codes: codes, limits: limits, sender: sender, mail: mails, box: box, now: time.Now}
}

// Text has what an SMS or an e-mail says besides the code.
type Text struct {
	Shop string
	Lang string // th or en
}

func (t Text) with(code string) string {
	shop := []rune(strings.Join(strings.Fields(t.Shop), " "))
	name := string(shop[:min(len(shop), maxShopName)])
	if t.Lang == "en" {
		return fmt.Sprintf("%s: your code is %s. Valid for %d minutes.", name, code, int(lifetime.Minutes()))
	}
	return fmt.Sprintf("%s: รหัสของคุณคือ %s ใช้ได้ %d นาที", name, code, int(lifetime.Minutes()))
}

// Sent says when a code is over, and when another may be asked for.
type Sent struct {
	ValidSeconds int `json:"valid_seconds" doc:"The code is good for so long"`
	AgainSeconds int `json:"again_seconds" doc:"A new code may be asked for after so long"`
}

// Request sends a new code to a mobile number, and ends the code that the person had for this purpose. It returns sms.ErrNumber,
// ErrWait, ErrEnough or ErrUnavailable. It counts before it sends: a code that the gateway did not take counts too.
func (s *Service) Request(ctx context.Context, who token.Session, purpose Purpose, mobile string, text Text) (Sent, error) {
	number, err := sms.Normalise(mobile)
	if err != nil {
		return Sent{}, err
	}
	return s.request(ctx, who, purpose, number, func(code string) error {
		return s.sender.Send(ctx, uuid.New(), number, text.with(code))
	})
}

// RequestByEmail is Request for an e-mail address, which the caller has checked the form of.
func (s *Service) RequestByEmail(ctx context.Context, who token.Session, purpose Purpose, address string, text Text) (Sent, error) {
	if !s.mail.Ready() {
		return Sent{}, ErrUnavailable
	}
	return s.request(ctx, who, purpose, strings.ToLower(address), func(code string) error {
		said := text.with(code)
		return s.mail.Send(ctx, mail.Message{Key: uuid.New(), Sender: text.Shop, To: address, Subject: said, Text: said})
	})
}

func (s *Service) request(ctx context.Context, who token.Session, purpose Purpose, to string, send func(code string) error) (Sent, error) {
	if err := s.count(ctx, who, to); err != nil {
		return Sent{}, err
	}
	code, err := newCode()
	if err != nil {
		return Sent{}, err
	}
	mac, err := s.mac(who, purpose, to, code)
	if err != nil {
		return Sent{}, err
	}
	if err := s.codes.Save(ctx, key(who, purpose), mac, lifetime); err != nil {
		return Sent{}, fmt.Errorf("code of %s: %w", who.Subject, errors.Join(ErrUnavailable, err))
	}
	if err := send(code); err != nil {
		return Sent{}, fmt.Errorf("send a code to %s: %w", who.Subject, errors.Join(ErrUnavailable, err))
	}
	return Sent{int(lifetime.Seconds()), int(ratelimit.OTPEvery.Per.Seconds())}, nil
}

// count counts a code under every limit. The limits of a number or an address hold for all organisations together, and Redis has its index alone.
func (s *Service) count(ctx context.Context, who token.Session, to string) error {
	index, err := s.box.Index(uuid.Nil, "otp.mobile", to)
	if err != nil {
		return err
	}
	subject := hex.EncodeToString(index)
	err = s.limits.Take(ctx, ratelimit.OTPEvery.For(subject), ratelimit.OTPSome.For(subject), ratelimit.OTPDaily.For(subject),
		ratelimit.OTPPerAddress.ForAddress(who.Address), ratelimit.OTPPerOrg.For(who.Org.String()))
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, fault.RateLimited):
		return fmt.Errorf("count codes: %w", errors.Join(ErrUnavailable, err))
	}
	wait, ok := fault.From(err).Detail.(ratelimit.Wait)
	if !ok {
		return err
	}
	after := time.Duration(wait.RetryAfterSeconds) * time.Second
	if after > longestWait {
		return ErrEnough.With(Until{s.now().UTC().Add(after)})
	}
	return ErrWait.With(Wait{wait.RetryAfterSeconds})
}

// Verify checks the code that Request sent to a number, and uses it up. It returns the number in E.164. It returns ErrWrong with
// Left, ErrOver with the fifth wrong code and after it, sms.ErrNumber or ErrUnavailable.
func (s *Service) Verify(ctx context.Context, who token.Session, purpose Purpose, mobile, code string) (string, error) {
	number, err := sms.Normalise(mobile)
	if err != nil {
		return "", err
	}
	return number, s.verify(ctx, who, purpose, number, code)
}

// VerifyEmail is Verify for the code that RequestByEmail sent to an address.
func (s *Service) VerifyEmail(ctx context.Context, who token.Session, purpose Purpose, address, code string) error {
	return s.verify(ctx, who, purpose, strings.ToLower(address), code)
}

func (s *Service) verify(ctx context.Context, who token.Session, purpose Purpose, to, code string) error {
	mac, err := s.mac(who, purpose, to, code)
	if err != nil {
		return err
	}
	right, left, err := s.codes.Use(ctx, key(who, purpose), mac, maxTries)
	switch {
	case err != nil:
		return fmt.Errorf("code of %s: %w", who.Subject, errors.Join(ErrUnavailable, err))
	case right:
		return nil
	case left == 0:
		return ErrOver
	}
	return ErrWrong.With(Left{left})
}

func key(who token.Session, purpose Purpose) string {
	return fmt.Sprintf("%s:%s:%s:%s", who.Org, who.Audience, who.Subject, purpose)
}

// mac binds a code to the organisation, by its key, and to the session, the purpose and where it goes.
func (s *Service) mac(who token.Session, purpose Purpose, to, code string) (string, error) {
	bound := strings.Join([]string{string(who.Audience), who.Subject.String(), hex.EncodeToString(who.Hash), string(purpose), to, code}, "\x00")
	sum, err := s.box.Index(who.Org, "otp.code", bound)
	return hex.EncodeToString(sum), err
}

// newCode returns six random digits.
func newCode() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", fmt.Errorf("make a code: %w", err)
	}
	return fmt.Sprintf("%06d", n), nil
}
