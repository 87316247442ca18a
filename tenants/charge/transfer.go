package charge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
)

// Faults of a bank transfer.
var (
	ErrTransferOver = fault.New(fault.Conflict, "banktransfer.over", "This transfer is over")
	ErrTransferSent = fault.New(fault.Conflict, "banktransfer.sent", "Somebody has said that this was transferred. A second person has to look at it")
	ErrTransferOpen = fault.New(fault.Conflict, "banktransfer.open", "Nobody has said yet that this was transferred")
)

// TransferRow is a bank transfer as the back office lists it. It has states, so nothing is edited here.
type TransferRow struct {
	ID           uuid.UUID    `json:"id"`
	MadeAt       time.Time    `json:"made_at" doc:"UTC"`
	State        string       `json:"state" enum:"approved,sent,done,failed" doc:"approved: it has to be made. sent: somebody said that it was made, and a second person has to confirm that; of a run, its file was made, and the bank has to answer. failed: the wallet has it"`
	DueAt        time.Time    `json:"due_at" doc:"UTC; until when it should be made"`
	Number       string       `json:"number" doc:"Of the refund, or of what was paid out of a wallet"`
	Order        *uuid.UUID   `json:"order_id" nullable:"true" doc:"Null where it is paid out of a wallet"`
	OrderNumber  string       `json:"order_number"`
	Cashout      *uuid.UUID   `json:"cashout_id" nullable:"true" doc:"What is paid out of a wallet; null of a refund"`
	Customer     uuid.UUID    `json:"customer_id"`
	CustomerName string       `json:"customer_name"`
	Amount       money.Amount `json:"amount_satang"`
	Bank         string       `json:"bank" doc:"The bank's code at the Bank of Thailand"`
	Digits       string       `json:"account_digits" doc:"The last four of the account's number"`
	Reference    string       `json:"reference" doc:"The bank's, of the transfer; empty until somebody has said that it was made"`
	SentAt       *time.Time   `json:"sent_at" nullable:"true" doc:"UTC; when somebody said that it was made"`
	SentBy       string       `json:"sent_by_name"`
	EndedAt      *time.Time   `json:"ended_at" nullable:"true" doc:"UTC; when that was confirmed, or it had failed"`
	DoneAt       *time.Time   `json:"done_at" nullable:"true" doc:"UTC; when it was done, of one that came back after that"`
	Run          *uuid.UUID   `json:"run_id" nullable:"true" doc:"The run of payouts that it is in, a draft too; null where people transfer it by hand"`
	RunNumber    string       `json:"run_number"`
	ListID       uuid.UUID    `json:"_id,omitzero" readOnly:"true" required:"false" doc:"The id, as the specification's lists spell it"`
}

// Transfers is the table of the bank transfers that people of the organisation make.
var Transfers = resource.New(resource.Def[TransferRow]{
	Name: "banktransfer", Module: "voucher", Relation: "remittance", Sort: "-made_at", Where: "r.account_id IS NOT NULL",
	Joins: `JOIN bank_account b ON b.id = r.account_id LEFT JOIN refund f ON f.id = r.refund_id LEFT JOIN orders o ON o.id = f.order_id LEFT JOIN cashout k ON k.id = r.cashout_id
		JOIN customer c ON c.id = r.customer_id LEFT JOIN staff s ON s.id = r.sent_by`,
	Finds: []string{
		`SELECT m.id FROM (SELECT f.id FROM refund f WHERE f.number LIKE upper({begins}) ORDER BY f.number LIMIT 20) f
			JOIN remittance m ON m.refund_id = f.id AND m.account_id IS NOT NULL`,
		`SELECT m.id FROM (SELECT k.id FROM cashout k WHERE k.number LIKE upper({begins}) ORDER BY k.number LIMIT 20) k
			JOIN remittance m ON m.cashout_id = k.id AND m.account_id IS NOT NULL`,
		`SELECT m.id FROM (` + customer.Named + `) c CROSS JOIN LATERAL (SELECT m.id FROM remittance m WHERE m.customer_id = c.id AND m.account_id IS NOT NULL ORDER BY m.id DESC LIMIT 10) m`,
	},
	Columns: []resource.Column{
		{Name: "id", Can: resource.Filter | resource.Sort, ByID: true},
		{Name: "made_at", Can: resource.Filter | resource.Between | resource.Sort, ByID: true, TH: "คืนเมื่อ", EN: "Refunded"},
		{Name: "state", Can: resource.Filter, Few: true, TH: "สถานะ", EN: "State"},
		{Name: "due_at", TH: "โอนก่อน", EN: "Transfer by"},
		{Name: "number", SQL: "coalesce(f.number, k.number)", TH: "เลขที่คืนเงิน", EN: "Refund"},
		{Name: "order_id", SQL: "o.id"},
		{Name: "order_number", SQL: "coalesce(o.number, '')", TH: "คำสั่งซื้อ", EN: "Order"},
		{Name: "cashout_id"},
		{Name: "customer_id", Can: resource.Filter},
		{Name: "customer_name", SQL: "c.display_name", TH: "ลูกค้า", EN: "Customer"},
		{Name: "amount_satang", TH: "จำนวนเงิน", EN: "Amount"},
		{Name: "bank", SQL: "b.bank", TH: "ธนาคาร", EN: "Bank"},
		{Name: "account_digits", SQL: "b.digits", TH: "เลขบัญชีลงท้าย", EN: "Account ends with"},
		{Name: "reference", TH: "เลขอ้างอิงธนาคาร", EN: "Bank reference"},
		{Name: "sent_at", TH: "โอนเมื่อ", EN: "Transferred"},
		{Name: "sent_by_name", SQL: "coalesce(s.name, '')", TH: "ผู้โอน", EN: "Transferred by"},
		{Name: "ended_at", TH: "จบเมื่อ", EN: "Ended"},
		{Name: "done_at"},
		{Name: "run_id", SQL: "(SELECT p.run_id FROM payout p WHERE p.remittance_id = r.id AND p.state <> 'left_out')"},
		{Name: "run_number", SQL: "coalesce((SELECT u.number FROM payout p JOIN payout_run u ON u.id = p.run_id WHERE p.remittance_id = r.id AND p.state <> 'left_out'), '')", TH: "รอบโอน", EN: "Run"},
	},
})

// Transfer is a bank transfer. Its payer and his charge are locked. Who changes it notifies the screens of Transfers.
type Transfer struct {
	ID       uuid.UUID
	Customer uuid.UUID // who named the account
	Payer    uuid.UUID // who he is now
	Amount   money.Amount
	State    string
	Number   string // of the refund, or of what is paid out of a wallet

	row     charge
	cashout *uuid.UUID
}

const (
	chargeOfTransfer = `SELECT charge_id FROM remittance WHERE id = $1 AND account_id IS NOT NULL`
	lockTransfer     = `SELECT m.id, m.customer_id, m.amount_satang, m.state, coalesce(f.number, k.number), m.cashout_id
		FROM remittance m LEFT JOIN refund f ON f.id = m.refund_id LEFT JOIN cashout k ON k.id = m.cashout_id WHERE m.id = $1 FOR UPDATE OF m`
	transferOf = `SELECT m.customer_id, m.account_id, m.failure, coalesce(s.name, ''), m.state = 'approved' AND ` + HeldBack + `
		FROM remittance m JOIN charge c ON c.id = m.charge_id LEFT JOIN staff s ON s.id = m.failed_by WHERE m.id = $1 AND m.account_id IS NOT NULL`
	sendTransfer  = `UPDATE remittance SET state = 'sent', sent_at = $2, sent_by = $3, reference = $4 WHERE id = $1`
	sendTransfers = `UPDATE remittance m SET state = 'sent', sent_at = $2, sent_by = $3, reference = n.reference FROM unnest($1::uuid[], $4::text[]) n (id, reference) WHERE m.id = n.id`
	refersTo      = `UPDATE remittance SET reference = $2 WHERE id = $1`
	endTransfer   = `UPDATE remittance SET state = 'done', ended_at = $2, approval_id = $3 WHERE id = $1`
	failTransfer  = `UPDATE remittance SET state = 'failed', done_at = CASE state WHEN 'done' THEN ended_at END, ended_at = $2, approval_id = $3, failed_by = $4, failure = $5 WHERE id = $1`
	lockPayers    = `SELECT id FROM customer WHERE id IN (SELECT coalesce(f.successor_id, c.customer_id) FROM remittance m JOIN charge c ON c.id = m.charge_id
		LEFT JOIN former_customer f ON f.customer_id = c.customer_id WHERE m.id = ANY ($1)) ORDER BY id FOR NO KEY UPDATE`
)

// HeldBack is an SQL condition on a bank transfer m of a charge c that nobody has made: the charge has less than that by now, because the payer's bank holds it back or
// the gateway has sent it.
const HeldBack = `m.amount_satang > c.amount_satang - c.refunded_satang - c.disputed_satang - c.sent_satang
	- coalesce((SELECT sum(o.amount_satang) FROM remittance o WHERE o.charge_id = c.id AND o.account_id IS NOT NULL AND o.state IN ('sent', 'done')), 0)`

// LockTransfer locks a bank transfer, and before it its payer and his charge. It returns fault.Missing if there is none, or ErrTransferOver of one that failed.
func LockTransfer(ctx context.Context, tx db.Tx, id uuid.UUID) (t Transfer, err error) {
	var of uuid.UUID
	err = tx.QueryRow(ctx, chargeOfTransfer, id).Scan(&of)
	if errors.Is(err, pgx.ErrNoRows) {
		return t, fault.Missing
	}
	if err != nil {
		return t, fmt.Errorf("charge of bank transfer %s: %w", id, err)
	}
	if t.row, err = lock(ctx, tx, of); err != nil {
		return t, err
	}
	if err := tx.QueryRow(ctx, lockTransfer, id).Scan(&t.ID, &t.Customer, &t.Amount, &t.State, &t.Number, &t.cashout); err != nil {
		return t, fmt.Errorf("lock bank transfer %s: %w", id, err)
	}
	t.Payer = t.row.payer
	if t.State == "failed" {
		return t, ErrTransferOver
	}
	return t, nil
}

// LockTransfers is LockTransfer of several, whose payers are locked in one order. None of them has failed.
func LockTransfers(ctx context.Context, tx db.Tx, ids []uuid.UUID) (map[uuid.UUID]*Transfer, error) {
	if _, err := tx.Exec(ctx, lockPayers, ids); err != nil {
		return nil, fmt.Errorf("lock the payers of bank transfers: %w", err)
	}
	all := map[uuid.UUID]*Transfer{}
	for _, id := range ids {
		t, err := LockTransfer(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		all[id] = &t
	}
	return all, nil
}

// Send queues that an account says that a transfer was made; of one that was said to be made before, only the bank's reference.
func (t Transfer) Send(tx db.Tx, by uuid.UUID, reference string) {
	if t.State == "sent" {
		tx.Queue(refersTo, t.ID, reference)
	} else {
		tx.Queue(sendTransfer, t.ID, tx.Now, by, reference)
	}
}

// SendTransfers is Send of several that are in the bank's file of a run, each with its reference there.
func SendTransfers(tx db.Tx, ids []uuid.UUID, by uuid.UUID, references []string) {
	tx.Queue(sendTransfers, ids, tx.Now, by, references)
}

// End books a transfer that was made: the organisation paid it of its own money, so what it holds of the payment is its own. approval is what a second person confirmed
// it by, or nil where the bank has answered.
func (t Transfer) End(ctx context.Context, tx db.Tx, approval *uuid.UUID) error {
	tx.Queue(endTransfer, t.ID, tx.Now, approval)
	cause := ledger.Cause{Kind: "remittance", ID: t.ID, MemoTH: "โอนเงินคืน", MemoEN: "Refund transferred"}
	err := ledger.Post(tx, ledger.NewTransfer(cause, ledger.Posting{Debit: ledger.SystemAccount(ledger.BankClearing), Credit: ledger.SystemAccount(ledger.Payable), Amount: t.Amount}))
	if err != nil {
		return fmt.Errorf("post bank transfer %s: %w", t.ID, err)
	}
	says, about := message.MoneyAtBank, t.row.id
	if t.cashout != nil {
		says, about = message.CashoutAtBank, *t.cashout
	}
	bank.Forget(tx, t.Customer)
	return message.Write(ctx, tx, t.Payer, says, about, t.Amount)
}

// Fail puts a transfer that an account says cannot be made, or came back, into its payer's wallet; approval is what a second person let it fail by that was said to be
// made before, or nil. What was done is paid by the organisation, which has it back. What he owes is not paid from it yet.
func (t Transfer) Fail(ctx context.Context, tx db.Tx, by uuid.UUID, approval *uuid.UUID, why string) error {
	from := ledger.BankClearing
	cause := ledger.Cause{Kind: "remittance_failed", ID: t.ID, MemoTH: "โอนเงินคืนไม่ได้", MemoEN: "Refund could not be transferred"}
	if t.State == "done" {
		from, cause.MemoTH, cause.MemoEN = ledger.Payable, "เงินคืนที่โอนตีกลับ", "Transferred refund came back"
	}
	tx.Queue(failTransfer, t.ID, tx.Now, approval, by, why)
	if err := backToWallet(ctx, tx, cause, from, t.row, t.Amount, message.MoneyNotToBank, t.cashout); err != nil {
		return err
	}
	bank.Forget(tx, t.Customer)
	return notice.Send(ctx, tx, token.User, t.Payer, notice.Event{Topic: "wallet"})
}

// TransferAccount is where a transfer goes, and why it failed.
type TransferAccount struct {
	Account  uuid.UUID
	Customer uuid.UUID
	Failure  string
	FailedBy string
	HeldBack bool // it waits, and its charge has less than that by now: the payer's bank holds it back, or the gateway has sent it
}

// AccountOfTransfer returns where a transfer goes. It returns fault.Missing if there is none.
func AccountOfTransfer(ctx context.Context, tx db.Tx, id uuid.UUID) (a TransferAccount, err error) {
	err = tx.QueryRow(ctx, transferOf, id).Scan(&a.Customer, &a.Account, &a.Failure, &a.FailedBy, &a.HeldBack)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, fault.Missing
	}
	if err != nil {
		return a, fmt.Errorf("account of bank transfer %s: %w", id, err)
	}
	return a, nil
}
