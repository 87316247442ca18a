// Package overview shows all organisations together: what they sell, what their books hold, and which of their jobs do not get done.
//
// No request reads the schema of every organisation. Follow copies what one organisation's roll-ups and outbox say into the platform's schema.
// It sets what it has read and adds nothing: so it may run twice, and may be cut off anywhere. Of two at the same time one reads again.
package overview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/rollup"
)

// Service shows organisations to the platform.
type Service struct {
	db   *db.DB
	orgs *org.Directory
}

// New returns the service.
func New(d *db.DB, orgs *org.Directory) *Service { return &Service{d, orgs} }

// BuildJob has everything copied anew.
type BuildJob struct{}

// Kind names the job.
func (BuildJob) Kind() string { return "overview.build" }

const (
	// lately is how many days Follow copies: what a page shows, and as many before it. A later fact of an earlier day comes with the next Build.
	lately  = 2 * maxDays
	maxJobs = 200

	revision = `SELECT revision FROM overview WHERE org_id = $1`
	begin    = `INSERT INTO overview (org_id, revision, unearned_satang, payable_satang, wallet_satang, given_up, late, book_findings)
		SELECT id, 0, 0, 0, 0, 0, 0, 0 FROM organisation WHERE id = $1 ON CONFLICT (org_id) DO NOTHING`
	raise    = `UPDATE overview SET revision = revision + 1 WHERE org_id = $1 AND revision = $2`
	keepRest = `UPDATE overview SET unearned_satang = $2, payable_satang = $3, wallet_satang = $4, given_up = $5, late = $6, due_since = $7, books_at = $8, book_findings = $9, seen_at = $10
		WHERE org_id = $1`

	days = `SELECT d.day::text, sum(d.orders)::bigint, sum(d.sales)::bigint, sum(d.fee)::bigint, sum(d.uses)::bigint, sum(d.customers)::bigint, sum(d.top_ups)::bigint, sum(d.top_up)::bigint FROM (
			SELECT day, first_orders AS orders, gross_satang AS sales, fee_satang AS fee, 0 AS uses, 0 AS customers, 0 AS top_ups, 0 AS top_up FROM ` + rollup.SalesByDay + ` s WHERE day >= $1
			UNION ALL SELECT day, 0, 0, 0, uses, 0, 0, 0 FROM ` + rollup.UsesByDay + ` u WHERE day >= $1
			UNION ALL SELECT (hour AT TIME ZONE 'Asia/Bangkok')::date, 0, 0, 0, 0, customers, 0, 0 FROM ` + rollup.NewcomersByHour + ` c WHERE hour >= $2
			UNION ALL SELECT (hour AT TIME ZONE 'Asia/Bangkok')::date, 0, 0, 0, 0, 0, charges, amount_satang FROM ` + rollup.MoneyInByHour + ` m WHERE hour >= $2 AND purpose = 'topup'
		) d GROUP BY 1 ORDER BY 1`
	inWallets = `SELECT coalesce(sum(CASE WHEN credit = 'wallet' THEN amount_satang ELSE 0 END - CASE WHEN debit = 'wallet' THEN amount_satang ELSE 0 END), 0)::bigint
		FROM ` + rollup.EntriesByDay + ` e WHERE 'wallet' IN (debit, credit)`
	lastBooks = `SELECT at, findings FROM book_audit ORDER BY id DESC LIMIT 1`

	dropDays = `DELETE FROM overview_day WHERE org_id = $1 AND day >= $2 AND day <> ALL ($3::text[]::date[])`
	// Whose account was removed is not listed.
	staffOf   = `SELECT s.id, s.name, s.role, s.status, f.counts_from IS NOT NULL, s.created_at, s.updated_at FROM staff s LEFT JOIN second_factor f ON f.subject_id = s.id WHERE s.status <> 9`
	dropStaff = `DELETE FROM overview_staff WHERE org_id = $1 AND id <> ALL ($2)`

	dropJobs = `DELETE FROM overview_job WHERE org_id = $1 AND id <> ALL ($2)`
)

type dayRow struct {
	Org       uuid.UUID `db:"org_id"`
	Day       string    `db:"day"`
	Orders    int64     `db:"orders"`
	Sales     int64     `db:"sales"`
	Fee       int64     `db:"fee"`
	Uses      int64     `db:"uses"`
	Customers int64     `db:"customers"`
	TopUps    int64     `db:"top_ups"`
	TopUp     int64     `db:"top_up"`
}

type jobRow struct {
	Org uuid.UUID `db:"org_id"`
	ID  uuid.UUID `db:"id"`

	Kind      string    `db:"kind"`
	Due       time.Time `db:"due_at"`
	Attempts  int32     `db:"attempts"`
	LastError string    `db:"last_error"`
}

type staffRow struct {
	Org          uuid.UUID `db:"org_id"`
	ID           uuid.UUID `db:"id"`
	Name         string    `db:"name"`
	Role         string    `db:"role"`
	Status       int16     `db:"status"`
	SecondFactor bool      `db:"second_factor"`
	Joined       time.Time `db:"joined_at"`
	Changed      time.Time `db:"changed_at"`
}

var (
	keepStaff = db.NewBulk[staffRow](`INSERT INTO overview_staff (org_id, id, name, role, status, second_factor, joined_at, changed_at)
		SELECT unnest(@org_id::uuid[]), unnest(@id::uuid[]), unnest(@name::text[]), unnest(@role::text[]), unnest(@status::smallint[]), unnest(@second_factor::boolean[]), unnest(@joined_at::timestamptz[]), unnest(@changed_at::timestamptz[])
		ON CONFLICT (org_id, id) DO UPDATE SET name = excluded.name, role = excluded.role, status = excluded.status, second_factor = excluded.second_factor, joined_at = excluded.joined_at, changed_at = excluded.changed_at
		WHERE (overview_staff.name, overview_staff.role, overview_staff.status, overview_staff.second_factor, overview_staff.joined_at, overview_staff.changed_at)
			<> (excluded.name, excluded.role, excluded.status, excluded.second_factor, excluded.joined_at, excluded.changed_at)`)
	keepDays = db.NewBulk[dayRow](`INSERT INTO overview_day (org_id, day, orders, sales_satang, fee_satang, uses, customers, top_ups, top_up_satang)
		SELECT unnest(@org_id::uuid[]), unnest(@day::text[])::date, unnest(@orders::bigint[]), unnest(@sales::bigint[]), unnest(@fee::bigint[]), unnest(@uses::bigint[]), unnest(@customers::bigint[]), unnest(@top_ups::bigint[]), unnest(@top_up::bigint[])
		ON CONFLICT (org_id, day) DO UPDATE SET orders = excluded.orders, sales_satang = excluded.sales_satang, fee_satang = excluded.fee_satang, uses = excluded.uses, customers = excluded.customers,
			top_ups = excluded.top_ups, top_up_satang = excluded.top_up_satang
		WHERE (overview_day.orders, overview_day.sales_satang, overview_day.fee_satang, overview_day.uses, overview_day.customers, overview_day.top_ups, overview_day.top_up_satang)
			<> (excluded.orders, excluded.sales_satang, excluded.fee_satang, excluded.uses, excluded.customers, excluded.top_ups, excluded.top_up_satang)`)
	keepJobs = db.NewBulk[jobRow](`INSERT INTO overview_job (org_id, id, kind, due_at, attempts, last_error)
		SELECT unnest(@org_id::uuid[]), unnest(@id::uuid[]), unnest(@kind::text[]), unnest(@due_at::timestamptz[]), unnest(@attempts::int[]), unnest(@last_error::text[])
		ON CONFLICT (org_id, id) DO UPDATE SET due_at = excluded.due_at, attempts = excluded.attempts, last_error = excluded.last_error
		WHERE (overview_job.due_at, overview_job.attempts, overview_job.last_error) <> (excluded.due_at, excluded.attempts, excluded.last_error)`)
)

// seen is what was read of an organisation.
type seen struct {
	since string // a day
	days  []dayRow
	rest  *rest // nil if only the days were read
}

type rest struct {
	unearned, payable, wallets int64
	backlog                    queue.Backlog
	jobs                       []jobRow
	staff                      []staffRow
	booksAt                    *time.Time
	bookFindings               int64
	at                         time.Time
}

// firstDay is before any organisation's.
var firstDay = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// FollowDays copies what an organisation has sold lately.
func (s *Service) FollowDays(ctx context.Context, id uuid.UUID) error {
	return s.follow(ctx, id, false, false)
}

// Follow copies what an organisation has sold lately, what its books hold, which of its jobs do not get done, who works in its office, its
// customers, its payments and its vouchers.
func (s *Service) Follow(ctx context.Context, id uuid.UUID) error {
	return s.followWhole(ctx, id, false)
}

// Build is Follow for all days, customers, payments and vouchers that there are.
func (s *Service) Build(ctx context.Context, id uuid.UUID) error { return s.followWhole(ctx, id, true) }

func (s *Service) followWhole(ctx context.Context, id uuid.UUID, all bool) error {
	if err := s.follow(ctx, id, all, true); err != nil {
		return err
	}
	if err := s.followCustomers(ctx, id, all); err != nil {
		return err
	}
	if err := s.followDeposits(ctx, id, all); err != nil {
		return err
	}
	return s.followVouchers(ctx, id, all)
}

// BuildAll copies everything of every organisation anew, while they go on. It goes on after an organisation that cannot be reached, and returns its
// error at the end.
func (s *Service) BuildAll(ctx context.Context) error {
	var errs []error
	err := s.orgs.Each(ctx, func(o org.Org) error {
		if o.Answers() {
			errs = append(errs, s.Build(ctx, o.ID))
		}
		return ctx.Err()
	})
	return errors.Join(append(errs, err)...)
}

func (s *Service) follow(ctx context.Context, id uuid.UUID, allDays, whole bool) error {
	for {
		before, err := s.begin(ctx, id)
		if err != nil {
			return fmt.Errorf("overview of %s: %w", id, err)
		}
		found, err := s.read(ctx, id, allDays, whole)
		if err != nil {
			return fmt.Errorf("overview of %s: %w", id, err)
		}
		kept, err := s.keep(ctx, id, before, found)
		if err != nil {
			return fmt.Errorf("overview of %s: %w", id, err)
		}
		if kept {
			return nil
		}
	}
}

// begin returns the revision that what is read from now on follows.
func (s *Service) begin(ctx context.Context, id uuid.UUID) (n int64, err error) {
	read := func(tx db.Tx) error { return tx.QueryRow(ctx, revision, id).Scan(&n) }
	err = s.db.ReadInPlatform(ctx, read)
	if errors.Is(err, pgx.ErrNoRows) {
		err = s.db.InPlatform(ctx, func(tx db.Tx) error {
			if _, err := tx.Exec(ctx, begin, id); err != nil {
				return err
			}
			return read(tx)
		})
	}
	return n, err
}

const longRead = `SET LOCAL statement_timeout = '5min'`

func (s *Service) read(ctx context.Context, id uuid.UUID, allDays, whole bool) (found seen, err error) {
	err = s.db.InOrg(ctx, id, func(tx db.Tx) error {
		tx.Queue(longRead)
		since := clock.Day(tx.Now).AddDate(0, 0, -lately)
		if allDays {
			since = firstDay
		}
		found.since = since.Format(time.DateOnly)
		rows, err := tx.Query(ctx, days, found.since, clock.Start(since))
		if err != nil {
			return err
		}
		found.days, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (d dayRow, err error) {
			d.Org = id
			err = row.Scan(&d.Day, &d.Orders, &d.Sales, &d.Fee, &d.Uses, &d.Customers, &d.TopUps, &d.TopUp)
			return d, err
		})
		if err != nil || !whole {
			return err
		}
		found.rest, err = readRest(ctx, tx, id)
		return err
	})
	return found, err
}

func readRest(ctx context.Context, tx db.Tx, id uuid.UUID) (*rest, error) {
	r := &rest{at: tx.Now}
	balances, err := ledger.SystemBalances(ctx, tx, ledger.Unearned, ledger.Payable)
	if err != nil {
		return nil, err
	}
	r.unearned, r.payable = int64(balances[ledger.Unearned]), int64(balances[ledger.Payable])
	if err := tx.QueryRow(ctx, inWallets).Scan(&r.wallets); err != nil {
		return nil, err
	}
	if err := tx.QueryRow(ctx, lastBooks).Scan(&r.booksAt, &r.bookFindings); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, err
	}
	if r.backlog, err = queue.ReadBacklog(ctx, tx); err != nil {
		return nil, err
	}
	r.staff, err = collect(ctx, tx, func(row pgx.CollectableRow) (s staffRow, err error) {
		s.Org = id
		err = row.Scan(&s.ID, &s.Name, &s.Role, &s.Status, &s.SecondFactor, &s.Joined, &s.Changed)
		return s, err
	}, staffOf)
	if err != nil {
		return nil, err
	}
	jobs, err := queue.ReadUndone(ctx, tx, maxJobs)
	r.jobs = db.Column(jobs, func(j queue.Undone) jobRow { return jobRow{id, j.ID, j.Kind, j.Due, j.Attempts, j.LastError} })
	return r, err
}

// keep returns false if somebody else has kept something since revision before.
func (s *Service) keep(ctx context.Context, id uuid.UUID, before int64, found seen) (kept bool, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		raised, err := tx.Exec(ctx, raise, id, before)
		if kept = err == nil && raised.RowsAffected() == 1; !kept {
			return err
		}
		tx.Queue(dropDays, id, found.since, db.Column(found.days, func(d dayRow) string { return d.Day }))
		if len(found.days) > 0 {
			keepDays.Queue(tx, found.days)
		}
		if r := found.rest; r != nil {
			tx.Queue(keepRest, id, r.unearned, r.payable, r.wallets, r.backlog.GivenUp, r.backlog.Late, r.backlog.Since, r.booksAt, r.bookFindings, r.at)
			tx.Queue(dropJobs, id, db.Column(r.jobs, func(j jobRow) uuid.UUID { return j.ID }))
			if len(r.jobs) > 0 {
				keepJobs.Queue(tx, r.jobs)
			}
			tx.Queue(dropStaff, id, db.Column(r.staff, func(s staffRow) uuid.UUID { return s.ID }))
			if len(r.staff) > 0 {
				keepStaff.Queue(tx, r.staff)
			}
		}
		return nil
	})
	return kept, err
}
