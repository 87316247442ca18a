package hold

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/payee"
)

// looksAt is how long after midnight in Bangkok the night's look begins: what matures at midnight has matured by then.
const looksAt = 30 * time.Minute

// atOnce is how many orders are looked at in one transaction.
const atOnce = 500

const (
	lookedAt = `SELECT EXISTS (SELECT FROM hold_look WHERE day >= $1)`
	markLook = `INSERT INTO hold_look (one, day, looked_at) VALUES (true, $1, $2) ON CONFLICT (one) DO UPDATE SET day = excluded.day, looked_at = excluded.looked_at`
	lapse    = `UPDATE commission_hold SET state = 'lapsed', ended_at = $1 WHERE state = 'held' AND ends_at <= $1`
	// Minutes are kept as long as sales are looked at, if they were busy; of others those of which an order may still come.
	forgetMinutes = `DELETE FROM link_minute WHERE minute < $1 OR minute < $2 AND opens <= $3`

	// Orders that an agent has commission of. The pages end at the last one.
	salesOf = `SELECT o.id, o.paid_at, o.customer_id, a.customer_id, a.id FROM orders o JOIN agent a ON a.id = o.agent_id
		WHERE o.agent_id IS NOT NULL AND o.paid_at IS NOT NULL AND (o.paid_at, o.id) > ($1, $2) AND EXISTS (SELECT FROM commission k WHERE k.order_id = o.id AND k.denied_at IS NULL)
		ORDER BY o.paid_at, o.id LIMIT $3`
	pairs    = `unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) AS p (order_id, buyer_id, agents_id, payee_id)`
	sameCard = `SELECT DISTINCT ON (p.order_id) p.order_id, c.card_digits FROM ` + pairs + ` JOIN charge c ON c.customer_id = p.buyer_id AND c.card_index IS NOT NULL
		JOIN charge o ON o.card_index = c.card_index AND o.customer_id = p.agents_id ORDER BY p.order_id, c.captured_at, c.id`
	sameBank = `SELECT DISTINCT ON (p.order_id) p.order_id, b.digits FROM ` + pairs + ` JOIN bank_account b ON b.customer_id = p.buyer_id AND b.account_index IS NOT NULL
		WHERE EXISTS (SELECT FROM payee_version v WHERE v.payee_id = p.payee_id AND v.account_index = b.account_index)
			OR EXISTS (SELECT FROM bank_account o WHERE o.customer_id = p.agents_id AND o.account_index = b.account_index)
		ORDER BY p.order_id, b.id`
	// The numbers of agents: those of their accounts as customers, and $5 and $6, those of their approved forms.
	sameMobile = `SELECT p.order_id FROM ` + pairs + ` JOIN customer b ON b.id = p.buyer_id JOIN customer a ON a.id = p.agents_id
		WHERE b.mobile_index = a.mobile_index OR (p.payee_id, b.mobile_index) IN (SELECT f.payee_id, f.mobile FROM unnest($5::uuid[], $6::bytea[]) AS f (payee_id, mobile))`
	approvedForms = `SELECT payee_id, id FROM payee_version WHERE payee_id = ANY ($1) AND state = 'approved' AND form IS NOT NULL`

	// What was taken back of what a payee sold soon after it had matured, and all that he sold of which something is open. The newest of it says whether that was looked at before.
	bursts = `WITH taken AS (
			SELECT c.payee_id, count(*) AS times, -sum(c.due_satang) AS satang, max(c.at) AS at, (array_agg(c.id ORDER BY c.at DESC, c.id DESC))[1]::text AS newest FROM commission_change c
			WHERE c.at > $1 AND c.due_satang < 0 AND c.denied_satang = 0 AND EXISTS (SELECT FROM commission k WHERE k.id = c.commission_id AND k.level = 1)
				AND EXISTS (SELECT FROM commission_change m WHERE m.commission_id = c.commission_id AND m.mature_satang > 0 AND m.at <= c.at AND m.at >= c.at - $2::interval)
			GROUP BY 1 HAVING count(*) >= $3)
		SELECT k.order_id, t.payee_id, t.newest, t.at, t.times, t.satang::bigint, m.satang::bigint FROM taken t
		CROSS JOIN LATERAL (SELECT sum(c.mature_satang) AS satang FROM commission_change c WHERE c.payee_id = t.payee_id AND c.at > $1 AND c.mature_satang > 0
			AND EXISTS (SELECT FROM commission k WHERE k.id = c.commission_id AND k.level = 1)) m
		JOIN commission k ON k.agent_id = t.payee_id AND k.level = 1 AND k.due_satang > 0
		WHERE t.satang * 100 >= m.satang * $4 AND NOT EXISTS (SELECT FROM commission_hold h WHERE h.payee_id = t.payee_id AND h.signal = 'refunds' AND h.evidence = t.newest)
			AND (k.mature_satang < k.due_satang OR EXISTS (SELECT FROM commission_change c WHERE c.commission_id = k.id AND c.mature_satang > 0 AND NOT EXISTS (SELECT FROM payout_line l WHERE l.change_id = c.id AND l.live)))`
	paidAtOnce = `SELECT x.id, x.agent_id, x.paid_at, x.times FROM (SELECT o.id, o.agent_id, o.paid_at, count(*) OVER (PARTITION BY o.agent_id) AS times FROM orders o
			WHERE o.agent_id IS NOT NULL AND o.paid_at > $1 AND o.paid_at < o.link_opened_at + $2::interval) x
		WHERE x.times >= $3 AND EXISTS (SELECT FROM commission k WHERE k.order_id = x.id AND k.denied_at IS NULL)`
	manyOpens = `SELECT o.id, o.agent_id, m.minute, m.opens FROM link_minute m
		JOIN orders o ON o.link_id = m.link_id AND o.paid_at >= m.minute AND o.link_opened_at >= m.minute AND o.link_opened_at < m.minute + interval '1 minute'
		WHERE m.minute > $1 AND m.opens > $2 AND EXISTS (SELECT FROM commission k WHERE k.order_id = o.id AND k.denied_at IS NULL)`
	sameAccounts = `WITH own AS (SELECT DISTINCT ON (payee_id) payee_id, account_index, account_digits FROM payee_version WHERE state = 'approved' AND account_index IS NOT NULL ORDER BY payee_id, number DESC)
		SELECT a.payee_id, a.account_digits, count(*), (array_agg(b.payee_id ORDER BY b.payee_id))[1], a.account_digits || ' ' || md5(string_agg(b.payee_id::text, ' ' ORDER BY b.payee_id))
		FROM own a JOIN own b ON b.account_index = a.account_index AND b.payee_id <> a.payee_id GROUP BY a.payee_id, a.account_digits`
)

// forget keeps nothing of a card or an account of a payer or a payee. What is found once is of its own evidence.
const forget = `UPDATE commission_hold SET digits = '', evidence = id::text WHERE digits <> ''
	AND (payee_id IN (SELECT id FROM agent WHERE customer_id = $1) OR order_id IN (SELECT id FROM orders WHERE customer_id = $1))`

// Forget queues that holds keep nothing of the cards and accounts of a customer who is erased, as a payer or as an agent.
func Forget(tx db.Tx, customer uuid.UUID) { tx.Queue(forget, customer) }

// found is something that is to be held: of the payee alone, or of an order.
type found struct {
	ID       uuid.UUID     `db:"id"`
	Order    *uuid.UUID    `db:"order_id"`
	Payee    uuid.UUID     `db:"payee_id"`
	Signal   Signal        `db:"signal"`
	Evidence string        `db:"evidence"`
	Digits   string        `db:"digits"`
	Happened *time.Time    `db:"happened_at"`
	Times    *int64        `db:"times"`
	Satang   *money.Amount `db:"satang"`
	Of       *money.Amount `db:"of_satang"`
	Other    *uuid.UUID    `db:"other_id"`
	HeldAt   time.Time     `db:"held_at"`
	EndsAt   time.Time     `db:"ends_at"`
}

// What is held for a signal already, or was for the same, is left alone.
var insertHolds = db.NewBulk[found](`INSERT INTO commission_hold (id, order_id, payee_id, signal, evidence, digits, happened_at, times, satang, of_satang, other_id, state, held_at, ends_at)
	SELECT unnest(@id::uuid[]), unnest(@order_id::uuid[]), unnest(@payee_id::uuid[]), unnest(@signal::text[]), unnest(@evidence::text[]), unnest(@digits::text[]), unnest(@happened_at::timestamptz[]),
		unnest(@times::bigint[]), unnest(@satang::bigint[]), unnest(@of_satang::bigint[]), unnest(@other_id::uuid[]), 'held', unnest(@held_at::timestamptz[]), unnest(@ends_at::timestamptz[])
	ON CONFLICT DO NOTHING`)

// sale is an order that an agent has commission of.
type sale struct {
	Order  uuid.UUID
	PaidAt time.Time
	Buyer  uuid.UUID
	Agent  uuid.UUID // as a customer
	Payee  uuid.UUID
}

// AnyDue reports whether this night's look has not been.
func AnyDue(ctx context.Context, tx db.Tx) (due bool, err error) {
	err = tx.QueryRow(ctx, lookedAt, clock.Day(tx.Now.Add(-looksAt))).Scan(&due)
	return !due, err
}

// Find ends holds that are over, and holds what is odd about the sales of thirty days and about payees. Doing it again adds nothing. A worker calls it for each
// organisation at night.
func (s *Service) Find(ctx context.Context, org uuid.UUID) error {
	err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
		ended, err := tx.Exec(ctx, lapse, tx.Now)
		if err != nil || ended.RowsAffected() == 0 {
			return err
		}
		return notice.SendTableUpdate(ctx, tx, Holds.Name())
	})
	if err != nil {
		return fmt.Errorf("end holds: %w", err)
	}
	last := sale{PaidAt: s.db.Now().Add(-looksBack)}
	for n := atOnce; n == atOnce; {
		if n, err = s.findBuyers(ctx, org, &last); err != nil {
			return err
		}
	}
	for _, look := range []func(context.Context, db.Tx) ([]found, error){findRefunds, findPaidAtOnce, findManyOpens, findSameAccounts} {
		err := s.db.InOrg(ctx, org, func(tx db.Tx) error {
			list, err := look(ctx, tx)
			if err != nil {
				return err
			}
			return save(ctx, tx, list)
		})
		if err != nil {
			return err
		}
	}
	return s.db.InOrg(ctx, org, func(tx db.Tx) error {
		tx.Queue(forgetMinutes, tx.Now.Add(-looksBack), tx.Now.Add(-24*time.Hour), opensAbove)
		tx.Queue(markLook, clock.Day(tx.Now.Add(-looksAt)), tx.Now)
		return tx.Flush(ctx)
	})
}

// save inserts what was found, but what is known.
func save(ctx context.Context, tx db.Tx, list []found) error {
	if len(list) == 0 {
		return nil
	}
	for i := range list {
		list[i].ID, list[i].HeldAt, list[i].EndsAt = db.NewID(), tx.Now, tx.Now.Add(lasts)
	}
	var added int64
	insertHolds.Queue(tx, list).Exec(func(made pgconn.CommandTag) error {
		added = made.RowsAffected()
		return nil
	})
	if err := tx.Flush(ctx); err != nil {
		return fmt.Errorf("hold commission: %w", err)
	}
	if added == 0 {
		return nil
	}
	return notice.SendTableUpdate(ctx, tx, Holds.Name())
}

// findBuyers holds the orders after last whose buyer has something of the agent. It returns how many it looked at.
func (s *Service) findBuyers(ctx context.Context, org uuid.UUID, last *sale) (int, error) {
	var sales []sale
	err := s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, salesOf, last.PaidAt, last.Order, atOnce)
		if err != nil {
			return err
		}
		sales, err = pgx.CollectRows(rows, pgx.RowToStructByPos[sale])
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sales of agents: %w", err)
	}
	if len(sales) == 0 {
		return 0, nil
	}
	*last = sales[len(sales)-1]
	browsers, err := s.sessions.SameBrowser(ctx, org, db.Column(sales, func(s sale) uuid.UUID { return s.Buyer }), db.Column(sales, func(s sale) uuid.UUID { return s.Agent }))
	if err != nil {
		return 0, err
	}
	return len(sales), s.db.InOrg(ctx, org, func(tx db.Tx) error {
		list, err := s.sameAs(ctx, tx, sales)
		if err != nil {
			return err
		}
		for i, at := range browsers {
			list = append(list, found{Order: &sales[i].Order, Payee: sales[i].Payee, Signal: Device, Happened: &at})
		}
		return save(ctx, tx, list)
	})
}

// sameAs returns the orders whose buyer has a card, an account or a number of the agent.
func (s *Service) sameAs(ctx context.Context, tx db.Tx, sales []sale) (list []found, err error) {
	payees := map[uuid.UUID]uuid.UUID{}
	args := []any{
		db.Column(sales, func(s sale) uuid.UUID { return s.Order }), db.Column(sales, func(s sale) uuid.UUID { return s.Buyer }),
		db.Column(sales, func(s sale) uuid.UUID { return s.Agent }), db.Column(sales, func(s sale) uuid.UUID { return s.Payee }),
	}
	for _, one := range sales {
		payees[one.Order] = one.Payee
	}
	for _, look := range []struct {
		signal Signal
		sql    string
	}{{Card, sameCard}, {Account, sameBank}} {
		rows, err := tx.Query(ctx, look.sql, args...)
		if err != nil {
			return nil, fmt.Errorf("orders of the same %s: %w", look.signal, err)
		}
		var order uuid.UUID
		var digits string
		_, err = pgx.ForEachRow(rows, []any{&order, &digits}, func() error {
			of := order
			list = append(list, found{Order: &of, Payee: payees[of], Signal: look.signal, Evidence: digits, Digits: digits})
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("orders of the same %s: %w", look.signal, err)
		}
	}
	forms, numbers, err := s.numbers(ctx, tx, args[3].([]uuid.UUID))
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, sameMobile, append(args, forms, numbers)...)
	if err != nil {
		return nil, fmt.Errorf("orders of the same mobile number: %w", err)
	}
	orders, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("orders of the same mobile number: %w", err)
	}
	for _, order := range orders {
		list = append(list, found{Order: &order, Payee: payees[order], Signal: Mobile})
	}
	return list, nil
}

// numbers returns the indexes of the mobile numbers of payees' approved forms, each beside its payee.
func (s *Service) numbers(ctx context.Context, tx db.Tx, payees []uuid.UUID) (of []uuid.UUID, indexes [][]byte, err error) {
	rows, err := tx.Query(ctx, approvedForms, payees)
	if err != nil {
		return nil, nil, fmt.Errorf("forms of payees: %w", err)
	}
	whose := map[uuid.UUID]uuid.UUID{}
	var version, payeeID uuid.UUID
	var versions []uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&payeeID, &version}, func() error {
		whose[version], versions = payeeID, append(versions, version)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("forms of payees: %w", err)
	}
	forms, err := payee.FormsOf(ctx, tx, s.box, versions)
	if err != nil {
		return nil, nil, err
	}
	of, indexes = []uuid.UUID{}, [][]byte{}
	for version, form := range forms {
		index, err := customer.MobileIndex(s.box, tx.Key, form.Mobile)
		if err != nil {
			return nil, nil, err
		}
		if index != nil {
			of, indexes = append(of, whose[version]), append(indexes, index)
		}
	}
	return of, indexes, nil
}

// findRefunds returns all open orders of payees of whom much was taken back soon after it had matured.
func findRefunds(ctx context.Context, tx db.Tx) ([]found, error) {
	return collect(ctx, tx, Refunds, func(row pgx.CollectableRow, f *found) error {
		return row.Scan(&f.Order, &f.Payee, &f.Evidence, &f.Happened, &f.Times, &f.Satang, &f.Of)
	}, bursts, tx.Now.Add(-looksBack), soonAfter, refundsAtLeast, refundsPercent)
}

// findPaidAtOnce returns orders that were paid moments after their links were opened, of agents who have several.
func findPaidAtOnce(ctx context.Context, tx db.Tx) ([]found, error) {
	return collect(ctx, tx, PaidAtOnce, func(row pgx.CollectableRow, f *found) error {
		return row.Scan(&f.Order, &f.Payee, &f.Happened, &f.Times)
	}, paidAtOnce, tx.Now.Add(-looksBack), paidWithin, paidAtLeast)
}

// findManyOpens returns orders whose links were opened very often in the minute in which their buyer opened them.
func findManyOpens(ctx context.Context, tx db.Tx) ([]found, error) {
	return collect(ctx, tx, ManyOpens, func(row pgx.CollectableRow, f *found) error {
		return row.Scan(&f.Order, &f.Payee, &f.Happened, &f.Times)
	}, manyOpens, tx.Now.Add(-looksBack), opensAbove)
}

// findSameAccounts returns payees who are paid to the same account as another.
func findSameAccounts(ctx context.Context, tx db.Tx) ([]found, error) {
	return collect(ctx, tx, SameAccount, func(row pgx.CollectableRow, f *found) error {
		return row.Scan(&f.Payee, &f.Digits, &f.Times, &f.Other, &f.Evidence)
	}, sameAccounts)
}

func collect(ctx context.Context, tx db.Tx, signal Signal, scan func(row pgx.CollectableRow, f *found) error, sql string, args ...any) ([]found, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", signal, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f found, err error) {
		f.Signal = signal
		return f, scan(row, &f)
	})
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", signal, err)
	}
	return list, nil
}
