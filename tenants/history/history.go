// Package history lists what happened to a customer's vouchers, in one list: what he used, gave, received, sold on and bought, and what ended.
// It reads across the nouns, as tenants/story does for the office, and changes nothing. Nobody sees in it what another customer paid.
package history

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
)

// Service answers customers about what happened.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{db: d} }

// Event is something that happened to a customer's vouchers. A field that its kind does not need is empty.
type Event struct {
	ID       uuid.UUID    `json:"id" doc:"Of the row that says so; a gift that was given and claimed is one row, so it is unique with the kind"`
	Kind     string       `json:"kind" enum:"used,given,gift_claimed,gift_withdrawn,gift_declined,gift_returned,gift_stopped,received,offered,sold,offer_cancelled,offer_ended,offer_stopped,resale_bought,ordered,expired,extended,frozen,released,frozen_by_shop,released_by_shop,voided_by_shop,taken_back,refunded"`
	At       time.Time    `json:"at" doc:"UTC"`
	About    string       `json:"about" enum:"voucher,gift,offer,order" doc:"What subject is"`
	Subject  *uuid.UUID   `json:"subject" nullable:"true" doc:"Null where it is a voucher that the customer does not hold any more"`
	NameTH   string       `json:"name_th" doc:"Of the first voucher, or of the first package of an order"`
	NameEN   string       `json:"name_en"`
	Picture  *uuid.UUID   `json:"picture" nullable:"true"`
	Packages int          `json:"packages" doc:"How many an order has; 0 for everything else"`
	Vouchers int          `json:"vouchers" doc:"How many it happened to at once"`
	Unit     string       `json:"unit" enum:",item,baht" doc:"Of items; empty for an order, and where its vouchers have not the same"`
	Items    int64        `json:"items" doc:"Of all its vouchers; satang when unit is baht"`
	Left     int64        `json:"items_left" doc:"After a use"`
	Person   string       `json:"person" doc:"To whom it was given, from whom it came, who bought it; of a seller the beginning of his name. May be empty"`
	Amount   money.Amount `json:"amount_satang" doc:"What came into the customer's wallet by it, or, below zero, what he paid"`
	Method   string       `json:"method" enum:",wallet,promptpay,card" doc:"How he paid"`
	PlaceTH  string       `json:"service_point_name_th"`
	PlaceEN  string       `json:"service_point_name_en"`
	Sale     *Sale        `json:"sale" doc:"Of what he offered; null for everything else"`
}

// Sale is what a seller knows of his offer.
type Sale struct {
	Price     money.Amount `json:"price_satang"`
	Royalty   money.Amount `json:"royalty_satang" doc:"To the organisation"`
	Fee       money.Amount `json:"fee_satang" doc:"To the platform"`
	Net       money.Amount `json:"net_satang" doc:"To his wallet"`
	ExpiresAt time.Time    `json:"expires_at" doc:"UTC"`
}

// Cursor is the last event of a page.
type Cursor struct {
	Kind string    `json:"kind" maxLength:"20"`
	ID   uuid.UUID `json:"id"`
	At   time.Time `json:"at"`
}

// Input says which part of a history is meant.
type Input struct {
	Group string  `json:"group" enum:",use,gift,resale,order" doc:"Empty for everything"`
	Month string  `json:"month" pattern:"^([0-9]{4}-[0-9]{2})?$" doc:"In Bangkok; empty for all"`
	After *Cursor `json:"after,omitempty" doc:"The last event of the page before"`
}

// Page is a part of a history, newest first.
type Page struct {
	Data   []Event `json:"data"`
	More   bool    `json:"more" doc:"There are older ones"`
	Months []Month `json:"months" doc:"In which something happened, newest first, whatever was asked for; with the first page only"`
}

// Month has how many events happened in it.
type Month struct {
	Month  string `json:"month" doc:"2026-11, in Bangkok"`
	All    int64  `json:"all"`
	Use    int64  `json:"use"`
	Gift   int64  `json:"gift"`
	Resale int64  `json:"resale"`
	Order  int64  `json:"order"`
}

const pageSize = 50

// maxTime is later than everything that happened.
var maxTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// List returns a page of the customer's history. It returns fault.BadInput for a month that is none.
func (s *Service) List(ctx context.Context, who token.Session, in Input) (page Page, err error) {
	from, to, err := monthBounds(in.Month)
	if err != nil {
		return page, err
	}
	before := Cursor{At: maxTime}
	if in.After != nil {
		before = *in.After
	}
	page.Data, page.Months = []Event{}, []Month{}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, pageOf, who.Subject, before.At, before.Kind, before.ID, from, to, in.Group, pageSize+1, ledger.AccountOf(ledger.Wallet, who.Subject).ID(tx.Key))
		if err != nil {
			return fmt.Errorf("history of %s: %w", who.Subject, err)
		}
		if page.Data, err = pgx.CollectRows(rows, readEvent); err != nil {
			return fmt.Errorf("history of %s: %w", who.Subject, err)
		}
		if page.More = len(page.Data) > pageSize; page.More {
			page.Data = page.Data[:pageSize]
		}
		if in.After != nil {
			return nil
		}
		rows, err = tx.Query(ctx, monthsOf, who.Subject)
		if err != nil {
			return fmt.Errorf("months of %s: %w", who.Subject, err)
		}
		if page.Months, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Month]); err != nil {
			return fmt.Errorf("months of %s: %w", who.Subject, err)
		}
		return nil
	})
	return page, err
}

func readEvent(row pgx.CollectableRow) (e Event, err error) {
	var price, royalty, fee *money.Amount
	var expires *time.Time
	err = row.Scan(&e.ID, &e.Kind, &e.At, &e.About, &e.Subject, &e.NameTH, &e.NameEN, &e.Picture, &e.Packages, &e.Vouchers, &e.Unit, &e.Items, &e.Left,
		&e.Person, &e.Amount, &e.Method, &e.PlaceTH, &e.PlaceEN, &price, &royalty, &fee, &expires)
	if err != nil {
		return e, err
	}
	if price != nil {
		e.Sale = &Sale{Price: *price, Royalty: *royalty, Fee: *fee, Net: *price - *royalty - *fee, ExpiresAt: *expires}
	}
	return e, nil
}

// monthBounds returns the first moment of a month in Bangkok, and that of the next one; all time if there is no month.
func monthBounds(month string) (from, to time.Time, err error) {
	if month == "" {
		return time.Unix(0, 0), maxTime, nil
	}
	first, err := time.Parse("2006-01", month)
	if err != nil {
		return from, to, fault.At("month", fault.NotInList)
	}
	return clock.Start(first), clock.Start(first.AddDate(0, 1, 0)), nil
}

// Explain returns what the first page of a customer's history asks Postgres for, and a later one of one group and month.
func Explain(customer uuid.UUID, now time.Time) map[string]resource.Statement {
	page := func(before time.Time, from time.Time, group string) resource.Statement {
		return resource.Statement{SQL: pageOf, Args: []any{customer, before, "used", uuid.Max, from, maxTime, group, pageSize + 1, customer}}
	}
	return map[string]resource.Statement{
		"first": page(maxTime, time.Unix(0, 0), ""), "later": page(now.AddDate(0, 0, -10), now.AddDate(0, -1, 0), "gift"), "months": {SQL: monthsOf, Args: []any{customer}},
	}
}
