package story

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/voucher"
)

// Customer is the story of a customer.
type Customer struct {
	Record   customer.Row `json:"record"`
	Sales    *Sales       `json:"sales" doc:"null for who may not see orders"`
	Visits   *Visits      `json:"visits" doc:"null for who may not see uses"`
	InHand   *InHand      `json:"in_hand" doc:"null for who may not see vouchers"`
	Consents []Consent    `json:"consents" doc:"The newest of each text that was accepted"`
	AgentID  *uuid.UUID   `json:"agent_id" nullable:"true" doc:"As whom the customer sells"`
	Timeline
}

// Sales are what a customer has bought.
type Sales struct {
	Orders int64        `json:"orders" doc:"That were paid"`
	Spent  money.Amount `json:"spent_satang"`
	LastAt *time.Time   `json:"last_at" doc:"UTC"`
}

// Visits are a customer's uses of the last twelve months, and the last one of all.
type Visits struct {
	Months []Month    `json:"months" doc:"The last twelve, the oldest first"`
	LastAt *time.Time `json:"last_at" doc:"UTC"`
	LastTH string     `json:"last_service_point_name_th"`
	LastEN string     `json:"last_service_point_name_en"`
}

// Month has how many days of it a customer came on.
type Month struct {
	Month string `json:"month" format:"date" doc:"Its first day"`
	Days  int64  `json:"days" doc:"On which a voucher was used"`
}

// InHand are the vouchers that a customer can still use.
type InHand struct {
	Count    int64        `json:"count" doc:"Counted up to 500"`
	Worth    money.Amount `json:"worth_satang" doc:"What was paid for what is left of them"`
	Vouchers []Held       `json:"vouchers" doc:"The first 20 by their last day"`
}

// Held is a voucher in somebody's hand.
type Held struct {
	ID         uuid.UUID     `json:"id"`
	Code       string        `json:"code"`
	NameTH     string        `json:"name_th"`
	NameEN     string        `json:"name_en"`
	Picture    *uuid.UUID    `json:"picture_id" nullable:"true"`
	Kind       voucher.Kind  `json:"kind" enum:"item,baht"`
	State      voucher.State `json:"state" enum:"ready,in_use,on_sale,in_transfer,frozen"`
	ItemsTotal int64         `json:"items_total" doc:"Satang when kind is baht"`
	ItemsLeft  int64         `json:"items_left"`
	ValidUntil string        `json:"valid_until" format:"date"`
	Worth      money.Amount  `json:"worth_satang" doc:"What was paid for what is left"`
}

// Consent is a text that a customer has accepted.
type Consent struct {
	Document string    `json:"document" enum:"pdpa,terms"`
	Purpose  string    `json:"purpose" enum:"customer,member,purchase"`
	NameTH   string    `json:"name_th"`
	NameEN   string    `json:"name_en"`
	Version  string    `json:"version"`
	Current  bool      `json:"current" doc:"It is the version that is asked for now"`
	At       time.Time `json:"at" doc:"UTC"`
}

const (
	spentBy = `SELECT count(*), coalesce(sum(total_satang), 0)::bigint, max(paid_at) FROM orders WHERE customer_id = $1 AND paid_at IS NOT NULL`
	// Ids are in the order of time.
	lastVisit = `SELECT r.at, p.name_th, p.name_en FROM redemption r JOIN service_point p ON p.id = r.service_point_id WHERE r.customer_id = $1 ORDER BY r.id DESC LIMIT 1`
	visitsOf  = `SELECT m::date::text, (SELECT count(DISTINCT (r.at AT TIME ZONE 'Asia/Bangkok')::date) FROM redemption r
			WHERE r.customer_id = $1 AND r.at >= m AT TIME ZONE 'Asia/Bangkok' AND r.at < (m + interval '1 month') AT TIME ZONE 'Asia/Bangkok')
		FROM generate_series($2::date::timestamp, $3::date::timestamp, interval '1 month') m ORDER BY m`
	heldBy = `SELECT v.id, v.code, v.name_th, v.name_en, v.picture_id, v.kind, v.state, v.items_total, v.items_left, v.valid_until::text,
			v.items_out, v.share_satang, v.fee_satang, v.commission_satang, v.platform_discount_satang
		FROM voucher v WHERE v.holder_id = $1 AND v.state IN ('ready', 'in_use', 'on_sale', 'in_transfer', 'frozen') ORDER BY v.valid_until, v.id LIMIT 500`
	acceptedBy = `SELECT DISTINCT ON (v.document, v.purpose) v.document, v.purpose, v.title_th, v.title_en, v.version, v.active, c.at
		FROM consent c JOIN consent_version v ON v.id = c.version_id WHERE c.customer_id = $1 ORDER BY v.document, v.purpose, c.at DESC, c.id DESC`
	sellsAs = `SELECT (SELECT a.id FROM agent a WHERE a.customer_id = $1 AND $2)`
)

var customerTimeline = timelineOf(
	`SELECT c.id, 'came', c.created_at, 0, '', NULL::uuid, '', '', '', '', 0::bigint, 0::bigint, '', '', '', '' FROM customer c WHERE c.id = $1`,
	`SELECT c.id, 'accepted', c.at, 1, '', NULL::uuid, '', v.title_th, v.title_en, '', 0::bigint, 0::bigint, '', '', v.version, ''
		FROM consent c JOIN consent_version v ON v.id = c.version_id WHERE c.customer_id = $1 ORDER BY c.at DESC LIMIT `+limit,
	`SELECT a.id, 'approved', a.approved_at, 2, '', NULL::uuid, '', '', '', '', 0::bigint, 0::bigint, '', '', coalesce(s.name, ''), ''
		FROM agent a LEFT JOIN staff s ON s.id = a.approved_by WHERE a.customer_id = $1 AND a.approved_at IS NOT NULL AND $6`,
	paid+` WHERE o.customer_id = $1 AND o.paid_at IS NOT NULL AND $2 ORDER BY o.id DESC LIMIT `+limit,
	`SELECT r.id, 'used', r.at, 5, 'voucher', v.id, v.code, v.name_th, v.name_en, v.kind, r.items, r.amount_satang, p.name_th, p.name_en, s.name, ''
		FROM redemption r JOIN voucher v ON v.id = r.voucher_id JOIN service_point p ON p.id = r.service_point_id JOIN staff s ON s.id = r.staff_id
		WHERE r.customer_id = $1 AND $3 ORDER BY r.id DESC LIMIT `+limit,
	// What he gave, claimed or had back; what money brought about only as long as it lasts.
	changed+` WHERE n.holder_id = $1 AND n.charge_id IS NULL AND $4 ORDER BY n.id DESC LIMIT `+limit,
	changed+` WHERE v.holder_id = $1 AND v.state IN ('frozen', 'refunded', 'void') AND n.holder_id = $1 AND n.charge_id IS NOT NULL AND $4 ORDER BY n.at DESC LIMIT `+limit,
	// What he offered and another bought.
	`SELECT n.id, 'sold', n.at, 5, 'voucher', v.id, v.code, v.name_th, v.name_en, v.kind, n.items, f.price_satang, '', '', b.display_name, ''
		FROM offer f JOIN voucher_event n ON n.offer_id = f.id AND n.event = 'sell' JOIN voucher v ON v.id = n.voucher_id JOIN customer b ON b.id = n.holder_id
		WHERE f.seller_id = $1 AND $4 ORDER BY n.id DESC LIMIT `+limit,
	`SELECT h.id, 'captured', h.captured_at, 3, 'depositqrtransaction', h.id, h.reference, '', '', '', 0::bigint, h.captured_satang, '', '', h.method, h.purpose
		FROM charge h WHERE h.customer_id = $1 AND h.credited AND $5 ORDER BY h.created_at DESC LIMIT `+limit,
	atGateway+` WHERE h.customer_id = $1 AND m.kind NOT IN ('fee', 'taken_back') AND $5 ORDER BY m.at DESC LIMIT `+limit,
	remitted+` WHERE m.customer_id = $1 AND $5 ORDER BY m.id DESC LIMIT `+limit,
	`SELECT w.id, 'wrote', w.created_at, 5, 'contactus', w.id, w.subject, '', '', '', 0::bigint, 0::bigint, '', '', '', '' FROM contact_message w
		WHERE w.customer_id = $1 AND $7 ORDER BY w.id DESC LIMIT `+limit,
)

// maxHeld is how many vouchers in hand a story lists.
const maxHeld = 20

// Customer returns the story of a customer. It returns fault.Missing if there is none.
func (s *Service) Customer(ctx context.Context, org, id uuid.UUID, sees Visible) (story Customer, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if story.Record, err = customer.Customers.Detail(ctx, tx, id); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, sellsAs, id, sees.Agents).Scan(&story.AgentID); err != nil {
			return fmt.Errorf("as whom customer %s sells: %w", id, err)
		}
		if story.Consents, err = collect[Consent](ctx, tx, acceptedBy, id); err != nil {
			return fmt.Errorf("consents of customer %s: %w", id, err)
		}
		if sees.Orders {
			story.Sales = &Sales{}
			if err := tx.QueryRow(ctx, spentBy, id).Scan(&story.Sales.Orders, &story.Sales.Spent, &story.Sales.LastAt); err != nil {
				return fmt.Errorf("what customer %s has spent: %w", id, err)
			}
		}
		if sees.Uses {
			if story.Visits, err = visits(ctx, tx, id); err != nil {
				return fmt.Errorf("visits of customer %s: %w", id, err)
			}
		}
		if sees.Vouchers {
			if story.InHand, err = inHand(ctx, tx, id); err != nil {
				return fmt.Errorf("vouchers of customer %s: %w", id, err)
			}
		}
		story.Timeline, err = readTimeline(ctx, tx, customerTimeline, id, sees.Orders, sees.Uses, sees.Vouchers, sees.Payments, sees.Agents, sees.Messages)
		return err
	})
	return story, err
}

func visits(ctx context.Context, tx db.Tx, id uuid.UUID) (*Visits, error) {
	type last struct {
		At     time.Time
		TH, EN string
	}
	seen, err := collect[last](ctx, tx, lastVisit, id)
	if err != nil {
		return nil, err
	}
	v := &Visits{}
	for _, one := range seen {
		v.LastAt, v.LastTH, v.LastEN = &one.At, one.TH, one.EN
	}
	today := clock.Day(tx.Now)
	month := today.AddDate(0, 0, 1-today.Day())
	v.Months, err = collect[Month](ctx, tx, visitsOf, id, month.AddDate(0, -11, 0), month)
	return v, err
}

func inHand(ctx context.Context, tx db.Tx, id uuid.UUID) (*InHand, error) {
	rows, err := tx.Query(ctx, heldBy, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	hand := &InHand{Vouchers: []Held{}}
	for rows.Next() {
		var v Held
		var u units
		if err := rows.Scan(&v.ID, &v.Code, &v.NameTH, &v.NameEN, &v.Picture, &v.Kind, &v.State, &v.ItemsTotal, &v.ItemsLeft, &v.ValidUntil,
			&u.Out, &u.Sums.Share, &u.Sums.Fee, &u.Sums.Commission, &u.Sums.Discount); err != nil {
			return nil, err
		}
		u.Kind, u.Total, u.Left = v.Kind, v.ItemsTotal, v.ItemsLeft
		v.Worth = u.left()
		hand.Worth += v.Worth
		if hand.Count++; hand.Count <= maxHeld {
			hand.Vouchers = append(hand.Vouchers, v)
		}
	}
	return hand, rows.Err()
}
