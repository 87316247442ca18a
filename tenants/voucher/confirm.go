package voucher

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/staff"
)

// ConfirmInput names the use session that a scan returned, and where the staff stand.
type ConfirmInput struct {
	Session uuid.UUID `json:"use_session_id"`
	Place   uuid.UUID `json:"service_point_id"`
}

// Redemption is a use that has happened.
type Redemption struct {
	ID        uuid.UUID `json:"id"`
	At        time.Time `json:"at"`
	NameTH    string    `json:"name_th"`
	NameEN    string    `json:"name_en"`
	Kind      Kind      `json:"kind" enum:"item,baht"`
	Items     int64     `json:"items"`
	ItemsLeft int64     `json:"items_left"`
	Customer  string    `json:"customer_name"`
	PlaceTH   string    `json:"place_th"`
	PlaceEN   string    `json:"place_en"`
	Staff     string    `json:"staff"`
}

// confirmRequest is a scan that staff confirm, and what became of it.
type confirmRequest struct {
	ConfirmInput
	staff       uuid.UUID
	call        idempotency.Call
	trace       string
	waitForLock bool // for the voucher, where somebody else has locked it: nobody stands behind him

	view     useView
	err      error
	previous uuid.UUID // the redemption that its key has made already
	done     Redemption
}

// Confirm uses what was scanned, and the seller earns the items' share. Confirmations of one organisation that come while
// another is under way are decided together (README.md). It returns ErrAlreadyUsed (with Earlier) to whoever comes second,
// ErrNotScanned to who has not scanned it himself within the last minute, and what Verify returns otherwise.
func (s *Service) Confirm(ctx context.Context, who token.Session, key string, in ConfirmInput) (r Redemption, err error) {
	call, err := idempotency.NewCall(idempotency.Key{Actor: who.Subject, Operation: "voucher.confirm", Value: key}, in)
	if err != nil {
		return r, err
	}
	c := &confirmRequest{ConfirmInput: in, staff: who.Subject, call: call, trace: queue.TraceOf(ctx)}
	err = s.confirmations.Do(ctx, who.Org, c)
	if err == nil && errors.Is(c.err, errLocked) {
		c.waitForLock = true
		err = s.confirmations.DoAlone(ctx, who.Org, c)
	}
	switch {
	case err != nil:
		return r, err
	case errors.Is(c.err, errUsed):
		return r, s.alreadyUsed(ctx, who.Org, in.Session)
	case c.err != nil:
		return r, c.err
	case c.previous == uuid.Nil:
		return c.done, nil
	}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) (err error) {
		r, err = readRedemption(tx.QueryRow(ctx, redemptionByID, c.previous))
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrCodeUnknown // it was made with test keys and is void
		}
		return err
	})
	return r, err
}

// errLocked says that somebody else has locked the voucher.
var errLocked = errors.New("voucher: held by another transaction")

// A batch has so many confirmations of an organisation, and so many wait for the next.
const (
	mostAtOnce = 64
	mostInLine = 1024
)

func (s *Service) confirmAll(ctx context.Context, org uuid.UUID, group []*confirmRequest) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error { return confirm(ctx, tx, group) })
}

// Everybody locks a voucher before he decides about it or its use session. A group waits for none.
const lockFree = `SELECT id FROM voucher WHERE id = ANY (ARRAY (SELECT voucher_id FROM use_session WHERE id = ANY ($1))) FOR UPDATE SKIP LOCKED`

// What these are about is locked and decided. voucher_items_left, voucher_used_is_empty and redemption_once would refuse
// what the code had let through.
var (
	closeUses = db.Bulk(`UPDATE use_session SET state = 'used', closed_at = $2 WHERE id = ANY ($1::uuid[])`)
	useItems  = db.Bulk(`UPDATE voucher SET items_left = voucher.items_left - u.items, state = u.state, updated_at = $4
		FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::bigint[]) AS items, unnest($3::text[]) AS state) AS u WHERE voucher.id = u.id`)
	insertRedemptions = db.Bulk(`INSERT INTO redemption (id, use_session_id, voucher_id, customer_id, service_point_id, staff_id, items, items_left, amount_satang, at)
		SELECT unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::uuid[]), unnest($6::uuid[]),
			unnest($7::bigint[]), unnest($8::bigint[]), unnest($9::bigint[]), $10`)
)

var used = promauto.NewCounterVec(prometheus.CounterOpts{Name: "wlv_redemptions_total", Help: "Uses that staff have confirmed."}, []string{"kind"})

// confirm decides confirmations of one organisation, each on its own and in their order, and writes all that are good. An error
// is that of all of them, and nothing was written then, unless it is db.ErrUnknownOutcome: to be confirmed again is safe, also
// while the first transaction has not ended. Its locks on vouchers and staff hold the second up before that looks for their keys.
func confirm(ctx context.Context, tx db.Tx, group []*confirmRequest) error {
	locked := map[uuid.UUID]bool{}
	lock := func(sql string, of any) {
		tx.Queue(sql, of).Query(func(rows pgx.Rows) error {
			ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			for _, id := range ids {
				locked[id] = true
			}
			return err
		})
	}
	tx.ForceGenericPlan()
	if group[0].waitForLock {
		lock(lockVoucherOf, group[0].Session)
	} else {
		lock(lockFree, db.Column(group, func(c *confirmRequest) uuid.UUID { return c.Session }))
	}
	staff.LockAll(tx, db.Column(group, func(c *confirmRequest) uuid.UUID { return c.staff }))
	keys := idempotency.QueueRecords(tx, db.Column(group, func(c *confirmRequest) idempotency.Call { return c.call }))
	doors := queueUseViews(tx, db.Column(group, func(c *confirmRequest) useLookup {
		return useLookup{staff: c.staff, place: c.Place, session: &c.Session}
	}))
	if err := tx.Flush(ctx); err != nil {
		return fmt.Errorf("confirm uses: %w", err)
	}

	var good []*confirmRequest
	confirmed := map[uuid.UUID]bool{}
	for i, c := range group {
		c.view, c.done = doors[i], Redemption{}
		if c.previous, c.err = keys.Result(c.call); c.err != nil || c.previous != uuid.Nil {
			continue
		}
		switch {
		case c.view.err != nil:
			c.err = c.view.err
		case !locked[c.view.voucher]:
			c.err = errLocked
		case confirmed[c.Session]:
			c.err = errUsed
		default:
			c.err = c.view.admitScanned(tx.Now, c.Place)
		}
		if c.err != nil {
			continue
		}
		c.done = c.view.redeemed(db.NewID(), tx.Now)
		keys.Add(c.call, c.done.ID)
		good, confirmed[c.Session] = append(good, c), true
	}
	if len(good) == 0 {
		return nil
	}
	keys.Save(tx)
	return write(ctx, tx, good)
}

// write writes uses and what follows from them, a statement a table.
func write(ctx context.Context, tx db.Tx, good []*confirmRequest) error {
	sessions := db.Column(good, func(c *confirmRequest) uuid.UUID { return c.Session })
	vouchers := db.Column(good, func(c *confirmRequest) uuid.UUID { return c.view.voucher })
	items := db.Column(good, func(c *confirmRequest) int64 { return c.view.Items })
	tx.QueueRows(closeUses, sessions, tx.Now)
	tx.QueueRows(useItems, vouchers, items, db.Column(good, func(c *confirmRequest) State { return c.view.after() }), tx.Now)
	tx.QueueRows(insertRedemptions,
		db.Column(good, func(c *confirmRequest) uuid.UUID { return c.done.ID }),
		sessions, vouchers,
		db.Column(good, func(c *confirmRequest) uuid.UUID { return c.view.customer }),
		db.Column(good, func(c *confirmRequest) uuid.UUID { return c.Place }),
		db.Column(good, func(c *confirmRequest) uuid.UUID { return c.staff }),
		items,
		db.Column(good, func(c *confirmRequest) int64 { return c.done.ItemsLeft }),
		db.Column(good, func(c *confirmRequest) money.Amount { return c.view.earned() }),
		tx.Now)
	err := ledger.PostAll(tx, db.Column(good, func(c *confirmRequest) ledger.Transfer {
		return ledger.Transfer{Cause: ledger.Cause{Kind: "use", ID: c.done.ID}, Postings: []ledger.Posting{
			{Debit: ledger.SystemAccount(ledger.Unearned), Credit: ledger.SystemAccount(ledger.Payable), Amount: c.view.earned()},
		}}
	}))
	if err != nil {
		return err
	}
	tx.AfterCommit(func(context.Context) {
		for _, c := range good {
			used.WithLabelValues(string(c.done.Kind)).Inc()
		}
	})
	return notice.SendAll(ctx, tx, token.User, db.Column(good, func(c *confirmRequest) notice.Recipient {
		return notice.Recipient{Subject: c.view.customer, Print: notice.Event{Topic: "use", ID: &c.Session, State: "used"}, Trace: c.trace}
	}))
}
