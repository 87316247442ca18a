package board

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/notice"
)

// ReportInput says of which offer the organisation should know what. There are no words of his own in it, which might be about somebody.
type ReportInput struct {
	Offer  uuid.UUID `json:"id"`
	Reason string    `json:"reason" enum:"outside,not_theirs,price,other" doc:"outside: the seller wants to be paid elsewhere. not_theirs: it may not be the seller's to sell"`
}

// maxReports is how many offers one customer reports on a day: who reports all of them helps nobody.
const maxReports = 10

const (
	reportable  = `SELECT f.seller_id = $2, f.state, coalesce(r.buyer_id = $2, false) FROM offer f LEFT JOIN resale r ON r.offer_id = f.id WHERE f.id = $1`
	reportsOf   = `SELECT count(*) FILTER (WHERE at >= $2), coalesce(bool_or(offer_id = $3), false) FROM offer_report WHERE customer_id = $1`
	insertOne   = `INSERT INTO offer_report (offer_id, customer_id, reason, at) VALUES ($1, $2, $3, $4)`
	countReport = `UPDATE offer SET reports = reports + 1 WHERE id = $1`
)

// Report lets the organisation know that it should look at an offer. A customer reports one once; doing it again changes nothing. It returns
// ErrNotFound, ErrOwn, ErrOver for one that he can neither buy nor has bought, ErrReported and customer.ErrSuspended.
func (s *Service) Report(ctx context.Context, who token.Session, in ReportInput) error {
	return s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		locked := customer.Lock(tx, who.Subject)
		var own, bought bool
		var state string
		err := tx.QueryRow(ctx, reportable, in.Offer, who.Subject).Scan(&own, &state, &bought)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("offer %s: %w", in.Offer, err)
		}
		if err := locked.Check(who.Subject); err != nil {
			return err
		}
		switch {
		case own:
			return ErrOwn
		case !bought && state != open && state != reserved:
			return ErrOver.With(OverDetail{state})
		}
		var today int
		var before bool
		if err := tx.QueryRow(ctx, reportsOf, who.Subject, clock.Start(clock.Day(tx.Now)), in.Offer).Scan(&today, &before); err != nil {
			return fmt.Errorf("what %s reported: %w", who.Subject, err)
		}
		switch {
		case before:
			return nil
		case today >= maxReports:
			return ErrReported.With(Most{maxReports})
		}
		tx.Queue(insertOne, in.Offer, who.Subject, in.Reason, tx.Now)
		tx.Queue(countReport, in.Offer)
		return notice.SendTableUpdate(ctx, tx, Offers.Name())
	})
}
