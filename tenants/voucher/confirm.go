package voucher

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/staff"
)

// ConfirmInput names the use session that a scan returned, and where the staff stand.
type ConfirmInput struct {
	Session      uuid.UUID `json:"use_session_id"`
	ServicePoint uuid.UUID `json:"service_point_id"`
}

// Redemption is a use that staff have confirmed.
type Redemption struct {
	ID             uuid.UUID `json:"id"`
	At             time.Time `json:"at"`
	NameTH         string    `json:"name_th"`
	NameEN         string    `json:"name_en"`
	Kind           Kind      `json:"kind" enum:"item,baht"`
	Items          int64     `json:"items"`
	ItemsLeft      int64     `json:"items_left"`
	ItemsTotal     int64     `json:"items_total" doc:"What the voucher was issued with"`
	Customer       string    `json:"customer_name"`
	ServicePointTH string    `json:"service_point_name_th"`
	ServicePointEN string    `json:"service_point_name_en"`
	Staff          string    `json:"staff"`
}

// confirmRequest is a scan that staff confirm, and its result.
type confirmRequest struct {
	ConfirmInput
	staff       uuid.UUID
	call        idempotency.Call
	trace       string
	waitForLock bool // for the voucher, if another transaction has locked it; such a request runs alone

	view     useView
	err      error
	previous uuid.UUID // the redemption that its key has made already
	done     Redemption
}

// Confirm uses what was scanned, and the organisation earns the items' share. Confirmations of one organisation that come while
// another is under way are decided together (README.md). It returns ErrAlreadyUsed (with PreviousUse) if another confirmation was first,
// ErrNotScanned if this staff account has not scanned the session within the last minute, idempotency.ErrReused, and the faults of Verify.
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
		return r, s.explain(ctx, who.Org, c.view, c.err)
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

// A batch has at most maxBatch scans, or confirmations, of an organisation; at most maxQueue wait for the next.
const (
	maxBatch = 64
	maxQueue = 1024
)

func (s *Service) confirmAll(ctx context.Context, org uuid.UUID, batch []*confirmRequest) error {
	return s.db.InOrg(ctx, org, func(tx db.Tx) error { return confirm(ctx, tx, batch) })
}

const lockFree = `SELECT id FROM voucher WHERE id = ANY (ARRAY (SELECT voucher_id FROM use_session WHERE id = ANY ($1))) FOR UPDATE SKIP LOCKED`

var used = promauto.NewCounterVec(prometheus.CounterOpts{Name: "wlv_redemptions_total", Help: "Uses that staff have confirmed."}, []string{"kind"})

// confirm decides confirmations of one organisation in their order and saves the good ones. If it returns an error, nothing was saved,
// unless the error is db.ErrUnknownOutcome. Confirming again is safe, also while the first transaction has not ended: the second one waits
// for its locks on vouchers and staff before it looks for their keys.
func confirm(ctx context.Context, tx db.Tx, batch []*confirmRequest) error {
	tx.ForceGenericPlan()
	locked := queueLock(tx, batch)
	staff.Lock(tx, db.Column(batch, func(c *confirmRequest) uuid.UUID { return c.staff })...)
	keys := idempotency.QueueRecords(tx, db.Column(batch, func(c *confirmRequest) idempotency.Call { return c.call })...)
	views := queueUseViews(tx, db.Column(batch, func(c *confirmRequest) useLookup {
		return useLookup{staff: c.staff, servicePoint: c.ServicePoint, session: &c.Session}
	}))
	if err := tx.Flush(ctx); err != nil {
		return fmt.Errorf("confirm uses: %w", err)
	}

	var good []*confirmRequest
	confirmed := map[uuid.UUID]bool{}
	for i, c := range batch {
		c.view, c.done = views.Get()[i], Redemption{}
		if c.previous, c.err = keys.Result(c.call); c.err != nil || c.previous != uuid.Nil {
			continue
		}
		switch {
		case c.view.err != nil:
			c.err = c.view.err
		case !slices.Contains(locked.Get(), c.view.voucher):
			c.err = errLocked
		case confirmed[c.Session]:
			c.err = errUsed
		default:
			c.err = c.view.admitScanned(tx.Now, c.ServicePoint)
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
	return saveConfirmed(ctx, tx, good)
}

// queueLock queues the lock of vouchers: every transaction locks a voucher before it decides about it or its use session. A batch does
// not wait for a lock; vouchers that another transaction has locked are not in the result.
func queueLock(tx db.Tx, batch []*confirmRequest) *db.Pending[[]uuid.UUID] {
	sql, sessions := lockFree, any(db.Column(batch, func(c *confirmRequest) uuid.UUID { return c.Session }))
	if batch[0].waitForLock {
		sql, sessions = lockVoucherOf, batch[0].Session
	}
	return db.Await(tx.Queue(sql, sessions), func(rows pgx.Rows) ([]uuid.UUID, error) { return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]) })
}

type (
	closedRow struct {
		Session uuid.UUID `db:"id"`
		At      time.Time `db:"closed_at"`
	}
	usedRow struct {
		Voucher uuid.UUID `db:"id"`
		Items   int64     `db:"items"`
		State   State     `db:"state"`
		At      time.Time `db:"at"`
	}
	redemptionRow struct {
		ID           uuid.UUID     `db:"id"`
		Session      uuid.UUID     `db:"use_session_id"`
		Voucher      uuid.UUID     `db:"voucher_id"`
		Customer     uuid.UUID     `db:"customer_id"`
		ServicePoint uuid.UUID     `db:"service_point_id"`
		Staff        uuid.UUID     `db:"staff_id"`
		Items        int64         `db:"items"`
		ItemsLeft    int64         `db:"items_left"`
		Earned       money.Amount  `db:"amount_satang"`
		Partner      *uuid.UUID    `db:"partner_id"`
		PartnerRate  *int64        `db:"partner_basis_points"`
		PartnerShare *money.Amount `db:"partner_satang"`
		At           time.Time     `db:"at"`
	}
)

// The rows that these change are locked and decided. voucher_items_left, voucher_used_is_empty and redemption_once refuse what the code
// let through.
var (
	closeSessions = db.NewBulk[closedRow](`UPDATE use_session SET state = 'used', closed_at = c.at
		FROM (SELECT unnest(@id::uuid[]) AS id, unnest(@closed_at::timestamptz[]) AS at) AS c WHERE use_session.id = c.id`)
	useItems = db.NewBulk[usedRow](`UPDATE voucher SET items_left = voucher.items_left - u.items, state = u.state, updated_at = u.at
		FROM (SELECT unnest(@id::uuid[]) AS id, unnest(@items::bigint[]) AS items, unnest(@state::text[]) AS state, unnest(@at::timestamptz[]) AS at) AS u
		WHERE voucher.id = u.id`)
	insertRedemptions = db.NewBulk[redemptionRow](`INSERT INTO redemption (id, use_session_id, voucher_id, customer_id, service_point_id, staff_id, items, items_left, amount_satang, partner_id, partner_basis_points, partner_satang, at)
		SELECT unnest(@id::uuid[]), unnest(@use_session_id::uuid[]), unnest(@voucher_id::uuid[]), unnest(@customer_id::uuid[]), unnest(@service_point_id::uuid[]),
			unnest(@staff_id::uuid[]), unnest(@items::bigint[]), unnest(@items_left::bigint[]), unnest(@amount_satang::bigint[]), unnest(@partner_id::uuid[]), unnest(@partner_basis_points::int[]), unnest(@partner_satang::bigint[]), unnest(@at::timestamptz[])`)
)

// saveConfirmed queues redemptions with the changes that follow from them, one statement a table.
func saveConfirmed(ctx context.Context, tx db.Tx, good []*confirmRequest) error {
	var closed []closedRow
	var vouchers []usedRow
	var redemptions []redemptionRow
	var transfers []ledger.Transfer
	var messages []message.Used
	var sold []uuid.UUID // for commission
	var partners []commission.EarnedByUse
	for _, c := range good {
		if c.view.commissioned {
			sold = append(sold, c.view.voucher)
		}
		closed = append(closed, closedRow{c.Session, tx.Now})
		vouchers = append(vouchers, usedRow{c.view.voucher, c.view.Items, c.view.after(), tx.Now})
		row := redemptionRow{
			ID: c.done.ID, Session: c.Session, Voucher: c.view.voucher, Customer: c.view.customer, ServicePoint: c.ServicePoint, Staff: c.staff,
			Items: c.view.Items, ItemsLeft: c.done.ItemsLeft, Earned: c.view.earned(), At: tx.Now,
		}
		if share := c.view.partnerShare(); share != nil {
			row.Partner, row.PartnerRate, row.PartnerShare = c.view.partner, &c.view.partnerRate, share
			partners = append(partners, commission.EarnedByUse{Redemption: row.ID, Partner: *row.Partner, Amount: *share, Of: row.Earned})
		}
		redemptions = append(redemptions, row)
		transfers = append(transfers, ledger.Transfer{Cause: ledger.Cause{Kind: "use", ID: c.done.ID}, Postings: []ledger.Posting{
			{Debit: ledger.SystemAccount(ledger.Unearned), Credit: ledger.SystemAccount(ledger.Payable), Amount: c.view.earned()},
		}})
		messages = append(messages, message.Used{Customer: c.view.customer, Redemption: c.done.ID})
	}
	closeSessions.Queue(tx, closed)
	useItems.Queue(tx, vouchers)
	insertRedemptions.Queue(tx, redemptions)
	message.QueueUsed(tx, messages)
	commission.Reconsider(tx, commission.CountsFrom(tx.Now), sold...)
	points.ReconsiderUses(tx, commission.CountsFrom(tx.Now), db.Column(good, func(c *confirmRequest) uuid.UUID { return c.view.voucher })...)
	transfers = append(transfers, commission.AccrueUses(tx, partners)...)
	if err := ledger.Post(tx, transfers...); err != nil {
		return err
	}
	tx.AfterCommit(func(context.Context) {
		for _, c := range good {
			used.WithLabelValues(string(c.done.Kind)).Inc()
		}
	})
	notices := notice.Jobs(token.User, db.Column(good, func(c *confirmRequest) notice.Recipient {
		return notice.Recipient{Subject: c.view.customer, Event: notice.Event{Topic: "use", ID: &c.Session, State: "used"}, Trace: c.trace}
	}))
	facts := rollup.Facts{Redemptions: db.Column(good, func(c *confirmRequest) uuid.UUID { return c.done.ID })}
	return queue.EnqueueAll(ctx, tx, append(notices, facts.Job()))
}
