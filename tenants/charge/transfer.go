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
	State        string       `json:"state" enum:"approved,sent,done,failed" doc:"approved: it has to be made. sent: somebody said that it was made, and a second person has to confirm that. failed: the wallet has it"`
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
	},
})

// Transfer is a bank transfer. Its payer and his charge are locked.
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
	transferOf = `SELECT m.customer_id, m.account_id, m.failure, coalesce(s.name, ''), m.state = 'approved' AND m.amount_satang > c.amount_satang - c.refunded_satang - c.disputed_satang - c.sent_satang
			- coalesce((SELECT sum(o.amount_satang) FROM remittance o WHERE o.charge_id = c.id AND o.account_id IS NOT NULL AND o.state IN ('sent', 'done')), 0)
		FROM remittance m JOIN charge c ON c.id = m.charge_id LEFT JOIN staff s ON s.id = m.failed_by WHERE m.id = $1 AND m.account_id IS NOT NULL`
	sendTransfer = `UPDATE remittance SET state = 'sent', sent_at = $2, sent_by = $3, reference = $4 WHERE id = $1`
	refersTo     = `UPDATE remittance SET reference = $2 WHERE id = $1`
	endTransfer  = `UPDATE remittance SET state = 'done', ended_at = $2, approval_id = $3 WHERE id = $1`
	failTransfer = `UPDATE remittance SET state = 'failed', ended_at = $2, approval_id = $3, failed_by = $4, failure = $5 WHERE id = $1`
)

// LockTransfer locks a bank transfer, and before it its payer and his charge. It returns fault.Missing if there is none, or ErrTransferOver.
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
	if t.State == "done" || t.State == "failed" {
		return t, ErrTransferOver
	}
	return t, nil
}

// Send writes down that an account says that a transfer was made; of one that was said to be made before, only the bank's reference.
func (t Transfer) Send(ctx context.Context, tx db.Tx, by uuid.UUID, reference string) error {
	if t.State == "sent" {
		tx.Queue(refersTo, t.ID, reference)
	} else {
		tx.Queue(sendTransfer, t.ID, tx.Now, by, reference)
	}
	return notice.SendTableUpdate(ctx, tx, Transfers.Name())
}

// End books a transfer that a second person confirmed: the organisation paid it of its own money, so what it holds of the payment is its own.
func (t Transfer) End(ctx context.Context, tx db.Tx, approval uuid.UUID) error {
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
	if err := message.Write(ctx, tx, t.Payer, says, about, t.Amount); err != nil {
		return err
	}
	return t.over(ctx, tx)
}

// Fail puts a transfer that an account says cannot be made into its payer's wallet; approval is what a second person let it fail by that was said to be made
// before, or nil. What he owes is not paid from it yet.
func (t Transfer) Fail(ctx context.Context, tx db.Tx, by uuid.UUID, approval *uuid.UUID, why string) error {
	tx.Queue(failTransfer, t.ID, tx.Now, approval, by, why)
	cause := ledger.Cause{Kind: "remittance_failed", ID: t.ID, MemoTH: "โอนเงินคืนไม่ได้", MemoEN: "Refund could not be transferred"}
	if err := backToWallet(ctx, tx, cause, t.row, t.Amount, message.MoneyNotToBank, t.cashout); err != nil {
		return err
	}
	if err := notice.Send(ctx, tx, token.User, t.Payer, notice.Event{Topic: "wallet"}); err != nil {
		return err
	}
	return t.over(ctx, tx)
}

func (t Transfer) over(ctx context.Context, tx db.Tx) error {
	bank.Forget(tx, t.Customer)
	return notice.SendTableUpdate(ctx, tx, Transfers.Name())
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
