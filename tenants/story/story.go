// Package story is what the page of a record shows: what happened to it and by whom, and where its money is. It reads across the nouns,
// as tenants/reports does, and changes nothing.
package story

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/secret"
)

// Service reads stories.
type Service struct {
	db  *db.DB
	box *secret.Box
}

// New returns the service.
func New(d *db.DB, box *secret.Box) *Service { return &Service{d, box} }

// Visible has the modules whose records the person who asks may see. What belongs to another one is left out of a story.
type Visible struct {
	Orders    bool
	Vouchers  bool
	Uses      bool
	Payments  bool
	Customers bool
	Agents    bool
	Messages  bool
	Offers    bool
}

// Event is something that happened to a record. A field that its kind does not need is empty.
type Event struct {
	ID         uuid.UUID    `json:"id" doc:"Of the row that says so; an order that was made and paid is one row, so it is unique with the kind"`
	Kind       string       `json:"kind" enum:"ordered,paid,unpaid,issued,scanned,used,expired,frozen,released,refunded,void,given,claimed,came_back,begun,offered,off_sale,resold,sold,split,split_off,objected,stands,undone,issued_anew,reissued,opened,extended,thanked,started,captured,uncaptured,fee,sent_back,disputed,dispute_won,taken_back,debt_paid,borne,written_off,commission,commission_recruiter,commission_reversed,commission_restored,commission_matured,commission_unmatured,commission_held,commission_freed,commission_denied,came,accepted,approved,linked,wrote"`
	At         time.Time    `json:"at" doc:"UTC"`
	Table      string       `json:"record_table" enum:",orders,voucher,customer,depositqrtransaction,contactus,salepackage,transfertransaction,boardtransaction" doc:"Of the record that it happened to"`
	Record     *uuid.UUID   `json:"record_id" nullable:"true"`
	RecordName string       `json:"record_name" doc:"An order's number, a voucher's code, a payment's reference, a person's name"`
	NameTH     string       `json:"name_th" doc:"Of the voucher, the package or the text"`
	NameEN     string       `json:"name_en"`
	Unit       string       `json:"unit" enum:",item,baht" doc:"Of items"`
	Items      int64        `json:"items" doc:"Items or satang of a voucher; vouchers that were issued; days by which one was extended"`
	Amount     money.Amount `json:"amount_satang" doc:"Of a use: what the organisation earned; of an offer: its price, for all its vouchers"`
	PlaceTH    string       `json:"service_point_name_th"`
	PlaceEN    string       `json:"service_point_name_en"`
	Person     string       `json:"person" doc:"Who did it: staff who scanned or confirmed, the agent who sold, the account that approved, who gave or claimed, who offered, bought, stopped, froze, released or ended; empty where commission was held so long that it is free by itself"`
	Reason     string       `json:"reason" enum:",wallet,promptpay,card,topup,order,offer,duplicate,breakage,dispute,refund,open,cancelled,expired,withdrawn,declined,returned,ended,stopped,stopped_by_shop,stopped_by_platform,shop,still_frozen,asked,not_provided,mistake,other,payer,requested" doc:"How it was paid, what for, whose the rest is, why, by whom or that something else still freezes it, or how the use, the gift or the offer ended"`
}

// Timeline has the newest events of a record.
type Timeline struct {
	Events []Event `json:"events" doc:"Newest first"`
	More   bool    `json:"events_more" doc:"There are older ones"`
}

// maxEvents is how many events a story has. Each of its selects reads as many, and one more.
const maxEvents = 200

// timelineOf joins selects of events. Each has the columns in the order of Event, with step before record_table: of what happens in one
// instant, the higher step is the later one. $1 is the record; a select is limited by maxEvents.
func timelineOf(selects ...string) string {
	return `SELECT id, kind, at, record_table, record_id, record_name, name_th, name_en, unit, items, amount, place_th, place_en, person, reason
		FROM ((` + strings.Join(selects, `) UNION ALL (`) + `)) e (id, kind, at, step, record_table, record_id, record_name, name_th, name_en, unit, items, amount, place_th, place_en, person, reason)
		ORDER BY at DESC, step DESC, id DESC LIMIT ` + limit
}

// limit is maxEvents and one, by which More is known.
var limit = strconv.Itoa(maxEvents + 1)

func readTimeline(ctx context.Context, tx db.Tx, sql string, args ...any) (line Timeline, err error) {
	if line.Events, err = collect[Event](ctx, tx, sql, args...); err != nil {
		return line, fmt.Errorf("events of %v: %w", args[0], err)
	}
	if line.More = len(line.Events) > maxEvents; line.More {
		line.Events = line.Events[:maxEvents]
	}
	return line, nil
}

func collect[T any](ctx context.Context, tx db.Tx, sql string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

// Explain returns what the timeline of a record asks Postgres for who may see everything, by the name of its table.
func Explain(record uuid.UUID) map[string]resource.Statement {
	statement := func(sql string, parts int) resource.Statement {
		args := []any{record}
		for range parts {
			args = append(args, true)
		}
		return resource.Statement{SQL: sql, Args: args}
	}
	return map[string]resource.Statement{
		"orders": statement(orderTimeline, 3), "voucher": statement(voucherTimeline, 1), "customer": statement(customerTimeline, 6),
		"depositqrtransaction": statement(chargeTimeline, 1), "case": statement(caseTimeline, 1), "agent": statement(agentTimeline, 0),
		"transfertransaction": statement(giftTimeline, 0), "boardtransaction": statement(offerTimeline, 0),
	}
}
