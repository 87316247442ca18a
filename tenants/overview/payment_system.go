package overview

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
)

// PaymentSystemInput says how far back payments are counted.
type PaymentSystemInput struct {
	Hours int `json:"hours" minimum:"1" maximum:"720" doc:"Payments that were begun in the last so many"`
}

// Payments counts the payments that were begun through an account at a gateway.
type Payments struct {
	Begun   int64        `json:"begun"`
	Paid    int64        `json:"paid"`
	Failed  int64        `json:"failed" doc:"Which the gateway refused; the others ended without being paid, or may still be"`
	Amount  money.Amount `json:"amount_satang" doc:"What came in"`
	Last    *time.Time   `json:"last_at" nullable:"true" doc:"When the last of them was paid, UTC"`
	Test    int64        `json:"test" doc:"How many of those begun were in the gateway's test mode"`
	Longest *time.Time   `json:"waits_since" nullable:"true" doc:"When the oldest was begun that may still be paid, UTC"`
}

// PlatformPayments are those through the platform's own account, by one method.
type PlatformPayments struct {
	Method        string `json:"method" enum:"promptpay,card"`
	Organisations int64  `json:"organisations" doc:"Of how many"`
	Payments
}

// OwnPayments are those of an organisation through an account of its own.
type OwnPayments struct {
	Org   uuid.UUID `json:"org_id"`
	OrgTH string    `json:"org_name_th"`
	OrgEN string    `json:"org_name_en"`
	Since time.Time `json:"since" doc:"When its account was connected, UTC"`
	Payments
}

// PaymentSystems says through which accounts organisations are paid.
type PaymentSystems struct {
	Platform        []PlatformPayments `json:"platform"`
	PlatformAccount bool               `json:"platform_account" doc:"The platform has an account that collects"`
	ByPlatform      int64              `json:"by_platform" doc:"Organisations for which the platform collects"`
	WithoutAny      int64              `json:"without_any" doc:"Open organisations for which nobody collects: they are not paid"`
	Own             []OwnPayments      `json:"own" doc:"Those of which nothing was paid though something was begun come first; the first 500"`
	Seen            Seen               `json:"seen"`
}

const (
	counted = `count(*) AS begun, count(*) FILTER (WHERE state = 'captured') AS paid, count(*) FILTER (WHERE state = 'failed') AS failed, coalesce(sum(captured_satang), 0)::bigint AS amount,
		max(captured_at) AS last, count(*) FILTER (WHERE gateway IN ('gateway_platform_test', 'gateway_own_test')) AS test, min(created_at) FILTER (WHERE state IN ('created', 'awaiting')) AS longest`

	byPlatform = `SELECT method, count(DISTINCT org_id), ` + counted + ` FROM overview_deposit WHERE id >= $1 AND gateway NOT IN ('gateway_own', 'gateway_own_test') GROUP BY method ORDER BY method DESC`
	byOwn      = `SELECT o.id, o.name_th, o.name_en, e.created_at, coalesce(d.begun, 0), coalesce(d.paid, 0), coalesce(d.failed, 0), coalesce(d.amount, 0), d.last, coalesce(d.test, 0), d.longest
		FROM organisation o JOIN payment_endpoint e ON e.org_id = o.id AND e.system_id = o.payment_system_id AND e.collector = 'organisation'
			LEFT JOIN (SELECT org_id, ` + counted + ` FROM overview_deposit WHERE id >= $1 AND gateway IN ('gateway_own', 'gateway_own_test') GROUP BY org_id) d ON d.org_id = o.id
		WHERE o.state <> 'provisioning' ORDER BY coalesce(d.begun > 0 AND d.paid = 0, false) DESC, coalesce(d.begun, 0) DESC, o.id LIMIT 500`
	collectors = `SELECT count(*) FILTER (WHERE e.collector = 'platform'), count(*) FILTER (WHERE e.id IS NULL) FROM organisation o
		LEFT JOIN payment_endpoint e ON e.org_id = o.id AND e.system_id = o.payment_system_id WHERE o.state <> 'provisioning'`
)

// PaymentSystems returns the accounts through which organisations are paid, and how payments through them went lately.
func (s *Service) PaymentSystems(ctx context.Context, in PaymentSystemInput) (p PaymentSystems, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		from := db.LowestID(tx.Now.Add(-time.Duration(in.Hours) * time.Hour))
		if p.Platform, err = collect(ctx, tx, pgx.RowToStructByPos[PlatformPayments], byPlatform, from); err != nil {
			return err
		}
		if p.Own, err = collect(ctx, tx, pgx.RowToStructByPos[OwnPayments], byOwn, from); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, collectors).Scan(&p.ByPlatform, &p.WithoutAny); err != nil {
			return err
		}
		return tx.QueryRow(ctx, seenDeposits).Scan(&p.Seen.Organisations, &p.Seen.Missing, &p.Seen.Oldest)
	})
	if err != nil {
		return p, fmt.Errorf("payment systems: %w", err)
	}
	return p, nil
}
