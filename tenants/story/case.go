package story

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/voucher"
)

// Case is the story of a case: what is frozen for its payment, who owes what, and what happened to the payment.
type Case struct {
	Record   charge.CaseRow `json:"record"`
	Payment  money.Amount   `json:"payment_satang" doc:"What the payment was of"`
	Dispute  string         `json:"dispute" enum:",open,won,lost" doc:"How far the payer's bank has come with the payment"`
	Refund   money.Amount   `json:"refund_satang" doc:"Of what is owed, what the gateway sent back; the rest a bank holds back"`
	Debt     money.Amount   `json:"debt_satang" doc:"Of what is owed, what no frozen voucher stands for: its payer owes it, and two people may write it off"`
	Held     []HeldVoucher  `json:"held" doc:"Vouchers that are frozen for it"`
	Agents   []CaseAgent    `json:"agents" doc:"Who sold what the payment paid, and what he waits for because of it"`
	WriteOff *uuid.UUID     `json:"write_off_id" nullable:"true" doc:"The request to write it off that waits"`
	Written  []WrittenOff   `json:"written_off" doc:"What was written off for the payment, newest first"`
	Timeline
}

// HeldVoucher is a voucher that is frozen for money that went back.
type HeldVoucher struct {
	ID         uuid.UUID     `json:"id"`
	Code       string        `json:"code"`
	NameTH     string        `json:"name_th"`
	NameEN     string        `json:"name_en"`
	State      voucher.State `json:"state" enum:"ready,in_use,on_sale,in_transfer,frozen,used,expired,refunded,void"`
	Holder     uuid.UUID     `json:"holder_id"`
	HolderName string        `json:"holder_name"`
}

// CaseAgent is what an agent has of an order whose payment went back.
type CaseAgent struct {
	Agent      uuid.UUID    `json:"agent_id"`
	Name       string       `json:"name"`
	Order      uuid.UUID    `json:"order_id"`
	Number     string       `json:"number"`
	Commission money.Amount `json:"commission_satang" doc:"As it was sold"`
	Reversed   money.Amount `json:"reversed_satang" doc:"Taken from him until it is paid"`
}

// WrittenOff is a debt that two people wrote off.
type WrittenOff struct {
	ID         uuid.UUID    `json:"id"`
	Amount     money.Amount `json:"amount_satang"`
	Reason     string       `json:"reason"`
	AskedBy    string       `json:"asked_by_name"`
	ApprovedBy string       `json:"approved_by_name"`
}

const (
	caseRest = `SELECT c.amount_satang, c.dispute, c.owed_satang - c.bank_owed_satang, (SELECT a.id FROM approval a WHERE a.kind = 'write_off' AND a.record_id = c.id AND a.state = 'waiting' AND a.due_at > $2)
		FROM charge c WHERE c.id = $1`
	heldFor = `SELECT v.id, v.code, v.name_th, v.name_en, v.state, v.holder_id, h.display_name FROM voucher v JOIN customer h ON h.id = v.holder_id WHERE v.frozen_for = $1 ORDER BY v.id LIMIT 100`
	// Of an order that the payment paid itself, and of those that hold what is frozen for it.
	agentsOfCase = `SELECT a.id, u.display_name, o.id, o.number, k.amount_satang, k.amount_satang - k.due_satang
		FROM orders o JOIN commission k ON k.order_id = o.id JOIN agent a ON a.id = k.agent_id JOIN customer u ON u.id = a.customer_id
		WHERE o.id = $1 OR o.id IN (SELECT order_id FROM voucher WHERE frozen_for = $1) ORDER BY o.id, k.level LIMIT 20`
	writtenOff = `SELECT w.id, w.amount_satang, w.reason, s.name, n.name FROM write_off w JOIN staff s ON s.id = w.made_by JOIN approval a ON a.id = w.approval_id JOIN staff n ON n.id = a.answered_by
		WHERE w.charge_id = $1 ORDER BY w.id DESC`
	chargeOfCase = `(SELECT charge_id FROM charge_case WHERE id = $1)`
)

var caseTimeline = timelineOf(
	`SELECT h.id, 'captured', h.captured_at, 2, '', NULL::uuid, '', '', '', '', 0::bigint, h.captured_satang, '', '', '', h.purpose
		FROM charge h WHERE h.id = `+chargeOfCase+` AND h.captured_at IS NOT NULL`,
	atGateway+` WHERE h.id = `+chargeOfCase+` AND m.kind <> 'fee' ORDER BY m.id DESC LIMIT `+limit,
	`SELECT n.id, `+changes+`, n.at, 4, 'voucher', v.id, v.code, v.name_th, v.name_en, v.kind, n.items, 0::bigint, '', '', '', ''
		FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id WHERE n.charge_id = `+chargeOfCase+` AND $2 ORDER BY n.id DESC LIMIT `+limit,
)

// Case returns the story of a case. It returns fault.Missing if there is none.
func (s *Service) Case(ctx context.Context, org, id uuid.UUID, sees Visible) (story Case, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = charge.Cases.Detail(ctx, tx, id); err != nil {
			return err
		}
		of := story.Record.Charge
		if err := tx.QueryRow(ctx, caseRest, of, tx.Now).Scan(&story.Payment, &story.Dispute, &story.Refund, &story.WriteOff); err != nil {
			return fmt.Errorf("payment of case %s: %w", id, err)
		}
		if story.Debt, err = refund.DebtOf(ctx, tx, of); err != nil {
			return err
		}
		story.Held, story.Agents = []HeldVoucher{}, []CaseAgent{}
		if sees.Vouchers {
			if story.Held, err = collect[HeldVoucher](ctx, tx, heldFor, of); err != nil {
				return fmt.Errorf("what is frozen for case %s: %w", id, err)
			}
		}
		if sees.Agents {
			if story.Agents, err = collect[CaseAgent](ctx, tx, agentsOfCase, of); err != nil {
				return fmt.Errorf("agents of case %s: %w", id, err)
			}
		}
		if story.Written, err = collect[WrittenOff](ctx, tx, writtenOff, of); err != nil {
			return fmt.Errorf("what was written off of case %s: %w", id, err)
		}
		story.Timeline, err = readTimeline(ctx, tx, caseTimeline, id, sees.Vouchers)
		return err
	})
	return story, err
}
