package commission

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/ledger"
)

const ofUse = columns + `WHERE redemption_id = $1 FOR NO KEY UPDATE`

// EarnedByUse is the commission of a partner of a use that has just been confirmed.
type EarnedByUse struct {
	Redemption uuid.UUID
	Partner    uuid.UUID
	Amount     money.Amount
	Of         money.Amount // that the organisation earns by the use
}

type earnedByUseRow struct {
	ID         uuid.UUID    `db:"id"`
	Redemption uuid.UUID    `db:"redemption_id"`
	Partner    uuid.UUID    `db:"partner_id"`
	Amount     money.Amount `db:"amount_satang"`
	Of         money.Amount `db:"paid_satang"`
	Matures    string       `db:"matures"`
	MatureDays int          `db:"mature_days"`
	MaturesAt  time.Time    `db:"matures_at"`
	At         time.Time    `db:"at"`
}

var insertEarnedByUse = db.NewBulk[earnedByUseRow](`INSERT INTO commission (id, redemption_id, partner_id, amount_satang, due_satang, paid_satang, matures, mature_days, matures_at, created_at, updated_at)
	SELECT unnest(@id::uuid[]), unnest(@redemption_id::uuid[]), unnest(@partner_id::uuid[]), unnest(@amount_satang::bigint[]), unnest(@amount_satang::bigint[]),
		unnest(@paid_satang::bigint[]), unnest(@matures::text[]), unnest(@mature_days::int[]), unnest(@matures_at::timestamptz[]), unnest(@at::timestamptz[]), unnest(@at::timestamptz[])`)

// afterUse is the rule of commission of a use: until the end of the day after it somebody may object to it.
var afterUse = Rule{Matures: byDays, Days: 1}

// AccrueUses queues the insert of commissions of uses, and returns the transfers by which the organisation gives them up. Without any it queues nothing.
func AccrueUses(tx db.Tx, earned []EarnedByUse) (transfers []ledger.Transfer) {
	var rows []earnedByUseRow
	for _, e := range earned {
		if e.Amount == 0 {
			continue
		}
		rows = append(rows, earnedByUseRow{db.NewID(), e.Redemption, e.Partner, e.Amount, e.Of, afterUse.Matures, afterUse.Days, afterUse.on(tx.Now), tx.Now})
		transfers = append(transfers, ledger.NewTransfer(ledger.Cause{Kind: "partner_commission", ID: e.Redemption},
			ledger.Posting{Debit: ledger.SystemAccount(ledger.Payable), Credit: Pending(e.Partner), Amount: e.Amount}))
	}
	if len(rows) > 0 {
		insertEarnedByUse.Queue(tx, rows)
	}
	return transfers
}

// UseObjected leaves a partner nothing of a use to which somebody objects: what was due of it is the organisation's, which holds all that the use earned. It is called
// once for a use, before its commission has matured. The voucher is locked.
func UseObjected(ctx context.Context, tx db.Tx, redemption uuid.UUID) error {
	return changeUse(ctx, tx, redemption, func(h held) held {
		h.DeniedAt, h.Denied, h.Due = &tx.Now, h.Due, 0
		return h
	})
}

// UseStands gives a partner back what an objection has taken, once the use stands. The voucher is locked.
func UseStands(ctx context.Context, tx db.Tx, redemption uuid.UUID) error {
	return changeUse(ctx, tx, redemption, func(h held) held {
		h.DeniedAt, h.Denied, h.Due = nil, 0, h.Denied
		return h
	})
}

// changeUse changes the commission of a use; of most uses there is none.
func changeUse(ctx context.Context, tx db.Tx, redemption uuid.UUID, change func(held) held) error {
	rows, err := tx.Query(ctx, ofUse, redemption)
	if err != nil {
		return fmt.Errorf("commission of use %s: %w", redemption, err)
	}
	was, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return fmt.Errorf("commission of use %s: %w", redemption, err)
	}
	now := make([]held, len(was))
	for i, h := range was {
		now[i] = change(h)
	}
	return save(ctx, tx, was, now)
}
