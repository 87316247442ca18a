package member

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
)

// ForSale is what an order sells by which somebody applies for a card.
type ForSale struct {
	Version uuid.UUID
	NameTH  string
	NameEN  string
	Price   money.Amount
}

const (
	namesOf         = `SELECT name_th, name_en FROM card_type WHERE id = $1`
	insertCardOrder = `INSERT INTO card_order (order_id, application_id) VALUES ($1, $2)`
	// What was paid for an application a.
	paidFor = `coalesce((SELECT o.total_satang FROM card_order r JOIN orders o ON o.id = r.order_id WHERE r.application_id = a.id), 0)`
	// The order of a term whose money is still unearned; of an application; of a term that has begun, with its days, as far as it has an end.
	beginOrder = `UPDATE card_order r SET begun_at = $2 FROM membership_term t, orders o WHERE t.id = $1 AND r.application_id = t.application_id AND o.id = r.order_id
		AND r.begun_at IS NULL AND r.returned_at IS NULL RETURNING o.id, o.total_satang, o.platform_fee_satang`
	returnOrder = `UPDATE card_order r SET returned_at = $2 FROM orders o WHERE r.application_id = $1 AND o.id = r.order_id
		AND r.begun_at IS NULL AND r.returned_at IS NULL RETURNING o.id, o.total_satang, o.platform_fee_satang`
	begunOrder = `SELECT o.id, o.total_satang, o.platform_fee_satang, t.ends_on - t.starts_on + 1, $2::date - t.starts_on FROM membership_term t JOIN card_order r ON r.application_id = t.application_id
		JOIN orders o ON o.id = r.order_id WHERE t.id = $1 AND t.ends_on IS NOT NULL AND r.begun_at IS NOT NULL AND r.credited_at IS NULL`
	regretOrder = `SELECT o.id, o.total_satang, o.platform_fee_satang FROM membership_term t JOIN card_order r ON r.application_id = t.application_id JOIN orders o ON o.id = r.order_id
		JOIN card_type_version v ON v.id = t.version_id WHERE t.id = $1 AND r.begun_at IS NOT NULL AND r.credited_at IS NULL AND $2 <= ` + commission.LastRegret
	returnSome = `UPDATE card_order SET credited_at = $2, credited_satang = $3 WHERE order_id = $1`
	setOrder   = `UPDATE orders SET state = $2 WHERE id = $1`
	returnLine = `UPDATE order_line SET returned_at = $2 WHERE order_id = $1`
	debtOf     = `SELECT debt_satang FROM customer WHERE id = $1`
)

// payBy has an order pay for an application.
func (a *application) payBy(ctx context.Context, tx db.Tx, cardType uuid.UUID, price money.Amount, pay func(ForSale) (uuid.UUID, error)) error {
	of := ForSale{Version: a.version, Price: price}
	if err := tx.QueryRow(ctx, namesOf, cardType).Scan(&of.NameTH, &of.NameEN); err != nil {
		return fmt.Errorf("names of card type %s: %w", cardType, err)
	}
	order, err := pay(of)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, insertCardOrder, order, a.id); err != nil {
		return fmt.Errorf("order %s of application %s: %w", order, a.id, err)
	}
	return nil
}

// paid is the order of a card: what its customer paid, and what of that is the platform's fee. The rest is the organisation's.
type paid struct {
	order      uuid.UUID
	total, fee money.Amount
}

// earn has the organisation earn what was paid for a term that begins.
func (t *term) earn(ctx context.Context, tx db.Tx) error {
	var p paid
	err := tx.QueryRow(ctx, beginOrder, t.id, tx.Now).Scan(&p.order, &p.total, &p.fee)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it is free
	}
	if err != nil {
		return fmt.Errorf("order of term %s: %w", t.id, err)
	}
	cause := ledger.Cause{Kind: "card_begun", ID: p.order, MemoTH: "เริ่มใช้บัตรสมาชิก", MemoEN: "A member card begins"}
	return ledger.Post(tx, ledger.NewTransfer(cause, ledger.Posting{Debit: ledger.SystemAccount(ledger.Unearned), Credit: ledger.SystemAccount(ledger.Payable), Amount: p.total - p.fee}))
}

// giveBack gives an applicant back what he paid, as far as no term has begun for it.
func (a *application) giveBack(ctx context.Context, tx db.Tx) error {
	var p paid
	err := tx.QueryRow(ctx, returnOrder, a.id, tx.Now).Scan(&p.order, &p.total, &p.fee)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it is free
	}
	if err != nil {
		return fmt.Errorf("order of application %s: %w", a.id, err)
	}
	cause := ledger.Cause{Kind: "card_returned", ID: p.order, MemoTH: "คืนค่าบัตรสมาชิก", MemoEN: "Price of a member card, returned"}
	if err := p.toWallet(ctx, tx, a.customer, cause, ledger.Unearned, p.total-p.fee, p.fee); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, returnLine, p.order, tx.Now); err != nil {
		return fmt.Errorf("return order %s: %w", p.order, err)
	}
	a.returned = p.total
	return p.ends(ctx, tx, p.total)
}

// credit gives a member back what he paid for the days that are left of a term, today too. Of one without an end nothing comes back, and nothing twice.
func (t *term) credit(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	var p paid
	var days, had int64
	err := tx.QueryRow(ctx, begunOrder, t.id, clock.Day(tx.Now)).Scan(&p.order, &p.total, &p.fee, &days, &had)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("order of term %s: %w", t.id, err)
	}
	left := func(x money.Amount) money.Amount { return x - money.Amount(int64(x)*had/days) }
	cause := ledger.Cause{Kind: "card_credited", ID: p.order, MemoTH: "คืนค่าบัตรใบเดิมตามวันที่เหลือ", MemoEN: "Days left of the card before"}
	return p.credit(ctx, tx, customer, cause, left(p.total-p.fee), left(p.fee))
}

// regret gives a member who leaves the whole price of his term back, as long as he may change his mind.
func (t *term) regret(ctx context.Context, tx db.Tx, customer uuid.UUID) error {
	var p paid
	err := tx.QueryRow(ctx, regretOrder, t.id, clock.Day(tx.Now)).Scan(&p.order, &p.total, &p.fee)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("order of term %s: %w", t.id, err)
	}
	cause := ledger.Cause{Kind: "card_credited", ID: p.order, MemoTH: "คืนค่าบัตรสมาชิกทั้งหมด", MemoEN: "Price of a member card, all of it"}
	return p.credit(ctx, tx, customer, cause, p.total-p.fee, p.fee)
}

// credit gives some of what an order earned back to a customer's wallet.
func (p paid) credit(ctx context.Context, tx db.Tx, customer uuid.UUID, cause ledger.Cause, share, fee money.Amount) error {
	if _, err := tx.Exec(ctx, returnSome, p.order, tx.Now, share+fee); err != nil {
		return fmt.Errorf("credit of order %s: %w", p.order, err)
	}
	if err := p.toWallet(ctx, tx, customer, cause, ledger.Payable, share, fee); err != nil {
		return err
	}
	return p.ends(ctx, tx, share+fee)
}

// ends says of the order how much of it came back.
func (p paid) ends(ctx context.Context, tx db.Tx, back money.Amount) error {
	state := "part_refunded"
	if back == p.total {
		state = "refunded"
	}
	if _, err := tx.Exec(ctx, setOrder, p.order, state); err != nil {
		return fmt.Errorf("order %s: %w", p.order, err)
	}
	return nil
}

// toWallet moves what comes back of an order to a customer's wallet: the organisation's share out of an account, and the platform's fee. He is locked; a job settles his debts with it.
func (p paid) toWallet(ctx context.Context, tx db.Tx, customer uuid.UUID, cause ledger.Cause, from ledger.Kind, share, fee money.Amount) error {
	to := ledger.AccountOf(ledger.Wallet, customer)
	err := ledger.Post(tx, ledger.NewTransfer(cause,
		ledger.Posting{Debit: ledger.SystemAccount(from), Credit: to, Amount: share},
		ledger.Posting{Debit: ledger.SystemAccount(ledger.PlatformFee), Credit: to, Amount: fee}))
	if err != nil {
		return err
	}
	var debt money.Amount
	if err := tx.QueryRow(ctx, debtOf, customer).Scan(&debt); err != nil {
		return fmt.Errorf("debt of %s: %w", customer, err)
	}
	if debt > 0 {
		if err := queue.Enqueue(ctx, tx, charge.SettleJob{Customer: customer}); err != nil {
			return err
		}
	}
	return notice.Send(ctx, tx, token.User, customer, notice.Event{Topic: "wallet"})
}
