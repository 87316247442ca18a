package refund

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
	"welovevoucher/tenants/voucher"
)

// RequestCase is a payer's request as the organisation decides on it.
type RequestCase struct {
	Record          RequestRow      `json:"record"`
	CustomerPicture string          `json:"customer_picture_url"`
	Parts           []RequestedPart `json:"parts"`
	Words           string          `json:"words" doc:"Why he asked, in his own"`
	Changed         bool            `json:"changed" doc:"Some of it was used or has left its payer: he has to be asked again, or is refused"`
	Fault           string          `json:"fault" doc:"Code of what stands against it now, or empty"`
	Share           money.Amount    `json:"share_satang" doc:"Of the amount, of what the organisation has not earned yet"`
	Fee             money.Amount    `json:"fee_satang" doc:"The platform's fee, less what it had paid of the price"`
	Commission      money.Amount    `json:"commission_satang" doc:"An agent's"`
	Method          Method          `json:"method" enum:"wallet,card,bank" doc:"Where granting it would send it now, or sent it"`
	Bank            string          `json:"bank" doc:"Code of the bank that he named; empty by another method"`
	Digits          string          `json:"digits" doc:"The last four of the account that he named, or of the card that paid the order; empty if they are not known"`
	Kept            money.Amount    `json:"kept_satang" doc:"The fee of the package's rule, which the organisation earns"`
	Second          bool            `json:"needs_second" doc:"A second person has to let it be made: it is asked for"`
	Approval        *uuid.UUID      `json:"approval_id" nullable:"true" doc:"The request that waits for a second person"`
	Refund          string          `json:"refund_number" doc:"Of what was refunded, or empty"`
	Answer          string          `json:"answer" doc:"Why it was refused"`
	RenewedBy       *uuid.UUID      `json:"renewed_by" nullable:"true" doc:"The request by which its payer asked again"`
}

// RequestRefusal is why a request is refused.
type RequestRefusal struct {
	ID     uuid.UUID `json:"id"`
	Answer string    `json:"answer" minLength:"1" maxLength:"300" doc:"For who asked"`
}

// RequestNote asks a second person to let a request be granted.
type RequestNote struct {
	ID   uuid.UUID `json:"id"`
	Note string    `json:"note" minLength:"1" maxLength:"500" doc:"For the second person; the customer does not see it"`
}

// RequestApprovals are granted requests that need a second person.
var RequestApprovals = approval.KindOf[ByRequest]{
	Name: "refund_request", Module: voucher.Vouchers.Module(), Letter: access.Status,
	Do: func(ctx context.Context, tx db.Tx, by approval.By, in ByRequest) error {
		return grantRequest(ctx, tx, by.Asked, by.ID, &by.Approval, in)
	},
	Facts: func(ctx context.Context, tx db.Tx, in ByRequest) ([]approval.Fact, error) {
		q, err := readRequest(ctx, tx, requestByID, in.ID)
		if err != nil {
			return nil, err
		}
		return facts(ctx, tx, Choice{Order: q.Order, Parts: []Part{{Voucher: q.parts[0].Voucher}}})
	},
}.Kind()

const (
	endRequest    = `UPDATE refund_request SET state = $2, answered_at = $3, answered_by = $4, answer = $5 WHERE id = $1 AND state = 'asked'`
	caseOfRequest = `SELECT c.picture_url, q.words, q.answer, coalesce((SELECT f.number FROM refund f WHERE f.request_id = q.id), ''), (SELECT n.id FROM refund_request n WHERE n.renews_id = q.id),
		(SELECT a.id FROM approval a WHERE a.kind = 'refund_request' AND a.record_id = q.id AND a.state = 'waiting' AND a.due_at > $2),
		CASE WHEN EXISTS (SELECT FROM refund f JOIN remittance m ON m.refund_id = f.id WHERE f.request_id = q.id AND m.state <> 'failed') THEN q.method ELSE 'wallet' END,
		coalesce(b.bank, ''), coalesce(b.digits, (SELECT h.card_digits FROM charge h WHERE h.id = q.order_id), '')
		FROM refund_request q JOIN customer c ON c.id = q.customer_id LEFT JOIN bank_account b ON b.id = q.account_id WHERE q.id = $1`
)

// RequestCase returns a request with what granting it now would do. It returns fault.Missing if there is none.
func (s *Service) RequestCase(ctx context.Context, org, id uuid.UUID) (c RequestCase, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		if c.Record, err = Requests.Detail(ctx, tx, id); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, caseOfRequest, id, tx.Now).Scan(&c.CustomerPicture, &c.Words, &c.Answer, &c.Refund, &c.RenewedBy, &c.Approval, &c.Method, &c.Bank, &c.Digits)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		}
		if err != nil {
			return fmt.Errorf("read request %s: %w", id, err)
		}
		q, err := readRequest(ctx, tx, requestByID, id)
		if err != nil {
			return err
		}
		vouchers, t, err := q.read(ctx, tx)
		if err != nil {
			return err
		}
		shown, err := t.show(ctx, tx, []request{q}, vouchers)
		if err != nil {
			return err
		}
		c.Parts = shown[0].Parts
		if q.State != "asked" {
			return nil
		}
		return c.look(ctx, tx, t, q, vouchers)
	})
	return c, err
}

// look completes what granting a request that waits would do, or what stands against that.
func (c *RequestCase) look(ctx context.Context, tx db.Tx, t terms, q request, vouchers []*voucher.Held) error {
	list, err := t.granted(q, vouchers)
	if f := (*fault.Fault)(nil); errors.As(err, &f) {
		c.Fault, c.Changed = f.Code, errors.Is(err, ErrRequestChanged)
		return nil
	}
	if err != nil {
		return err
	}
	sums := voucher.Sums{}
	for _, part := range list {
		sums, c.Kept = sums.Plus(part.Last(part.items)), c.Kept+part.fee
	}
	c.Share, c.Fee, c.Commission = sums.Share-c.Kept, sums.Fee-sums.Discount, sums.Commission
	if c.Method, err = q.to(ctx, tx, list); err != nil {
		return err
	}
	c.Second, err = needsSecond(ctx, tx, q.Order, q.Payer, comes(list))
	return err
}

// to returns where a request goes that is granted now: to the card or the bank account if its payer wants that and it can.
func (q request) to(ctx context.Context, tx db.Tx, list []chosen) (Method, error) {
	err := checkSource(ctx, tx, q.Method, q.Order, list)
	if errors.Is(err, ErrNotToCard) || errors.Is(err, ErrNotToBank) {
		return Wallet, nil
	}
	return q.Method, err
}

// GrantRequest refunds what a payer asked for to his wallet, or to the card or bank account that he wants if it can go there, less the fee of the package's rule, for exactly the items that he named; when he asked decides whether
// that was in time. The same key grants once. It returns fault.Missing, ErrRequestOver, ErrRequestChanged, the fault of a voucher's state,
// approval.ErrNeeded above the organisation's rule, and idempotency.ErrReused.
func (s *Service) GrantRequest(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in ByRequest) error {
	_, err := idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "refund.grant", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error { return grantRequest(ctx, tx, who, id, nil, in) })
	return err
}

// grantRequest makes the refund of a request in the name of an account; approved is the approval of a second person, or nil.
func grantRequest(ctx context.Context, tx db.Tx, who auditlog.Actor, id uuid.UUID, approved *uuid.UUID, in ByRequest) error {
	of, err := readRequest(ctx, tx, requestByID, in.ID)
	if err != nil {
		return err
	}
	s, err := load(ctx, tx, of.Payer, of.Order)
	if err != nil {
		return err
	}
	q, err := readRequest(ctx, tx, lockRequest, in.ID)
	if err != nil {
		return err
	}
	if q.State != "asked" {
		return ErrRequestOver
	}
	vouchers := s.orders[q.Order].vouchers
	t, err := readTerms(ctx, tx, q.Payer, q.Order, q.PaidAt, vouchers)
	if err != nil {
		return err
	}
	list, err := t.granted(q, vouchers)
	if err != nil {
		return err
	}
	if approved == nil {
		needs, err := needsSecond(ctx, tx, q.Order, q.Payer, comes(list))
		if err != nil {
			return err
		}
		if needs {
			return approval.ErrNeeded
		}
	}
	if err := end(ctx, tx, q.ID, "done", who.ID, ""); err != nil {
		return err
	}
	f := refunding{order: q.Order, reason: "requested", by: &who.ID, approved: approved, request: &q.ID, event: voucher.Refund, message: message.RefundGranted}
	if f.method, err = q.to(ctx, tx, list); err != nil {
		return err
	}
	switch f.method {
	case Card:
		f.message = message.RefundToCard
	case Bank: // the fifteen days began when it was asked for
		f.message, f.account, f.due = message.RefundToBank, q.Account, &q.Due
	case Wallet:
	}
	if err := s.refund(ctx, tx, id, f, list); err != nil {
		return err
	}
	if err := s.settle(ctx, tx, "covered"); err != nil {
		return err
	}
	return auditlog.Record(ctx, tx, who, "grant", "refundrequest/"+q.ID.String(), nil, in)
}

// end queues the end of a request that its transaction has locked.
func end(ctx context.Context, tx db.Tx, id uuid.UUID, state string, by uuid.UUID, answer string) error {
	tx.Queue(endRequest, id, state, tx.Now, by, answer)
	return notice.SendTableUpdate(ctx, tx, Requests.Name())
}

// AskToGrant asks a second person to let a request be granted; nothing moves until then. The same key asks once. It returns fault.Required without a note, the
// faults of GrantRequest but approval.ErrNeeded, and approval.ErrWaiting if somebody has asked before.
func (s *Service) AskToGrant(ctx context.Context, org uuid.UUID, who auditlog.Actor, key string, in RequestNote) (a Asked, err error) {
	if in.Note = strings.TrimSpace(in.Note); in.Note == "" {
		return a, fault.At("note", fault.Required)
	}
	a.Approval, err = idempotency.Once(ctx, s.db, org, idempotency.Key{Actor: who.ID, Operation: "refund.ask", Value: key}, in,
		func(tx db.Tx) { staff.Lock(tx, who.ID) },
		func(tx db.Tx, id uuid.UUID) error {
			q, err := readRequest(ctx, tx, requestByID, in.ID)
			if err != nil {
				return err
			}
			if q.State != "asked" {
				return ErrRequestOver
			}
			vouchers, t, err := q.read(ctx, tx)
			if err != nil {
				return err
			}
			if _, err := t.granted(q, vouchers); err != nil {
				return err
			}
			return approval.Ask(ctx, tx, who, id, approval.Request{
				Kind: RequestApprovals.Name, Table: Requests.Name(), Record: q.ID, Title: q.Number, Customer: &q.Payer, Amount: q.Amount, Note: in.Note, Input: ByRequest{q.ID},
			})
		})
	return a, err
}

// RefuseRequest refuses a request with words that its payer reads. It returns fault.Required without any, fault.Missing or ErrRequestOver.
func (s *Service) RefuseRequest(ctx context.Context, org uuid.UUID, who auditlog.Actor, in RequestRefusal) error {
	if in.Answer = strings.TrimSpace(in.Answer); in.Answer == "" {
		return fault.At("answer", fault.Required)
	}
	return s.answer(ctx, org, who, in.ID, "refused", in.Answer, message.RefundRefused, nil)
}

// AskAgain ends a request of which something was used or has left its payer, and has him look at it again. It returns fault.Missing, ErrRequestOver, or
// ErrRequestSame if all of it is still there.
func (s *Service) AskAgain(ctx context.Context, org uuid.UUID, who auditlog.Actor, in ByRequest) error {
	return s.answer(ctx, org, who, in.ID, "changed", "", message.RefundChanged, func(tx db.Tx, q request) error {
		vouchers, t, err := q.read(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := t.granted(q, vouchers); !errors.Is(err, ErrRequestChanged) {
			return ErrRequestSame
		}
		return nil
	})
}

// answer ends a request that waits, and informs its payer, unless refuse returns why not.
func (s *Service) answer(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID, state, words string, says message.Kind, refuse func(tx db.Tx, q request) error) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		staff.Lock(tx, who.ID)
		of, err := readRequest(ctx, tx, requestByID, id)
		if err != nil {
			return err
		}
		payer, _, err := customer.LockPerson(ctx, tx, of.Payer)
		if err != nil {
			return err
		}
		q, err := readRequest(ctx, tx, lockRequest, id)
		if err != nil {
			return err
		}
		if q.State != "asked" {
			return ErrRequestOver
		}
		if refuse != nil {
			if err := refuse(tx, q); err != nil {
				return err
			}
		}
		if err := end(ctx, tx, q.ID, state, who.ID, words); err != nil {
			return err
		}
		if err := message.Write(ctx, tx, payer, says, q.ID, 0); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, who, state, "refundrequest/"+q.ID.String(), nil, map[string]string{"answer": words})
	})
}
