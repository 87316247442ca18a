package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/rate"
)

// Link is a sale link of an agent. A customer who opens it and buys within thirty days buys through the agent.
type Link struct {
	Code    string    `json:"code"`
	Package uuid.UUID `json:"package_id"`
	NameTH  string    `json:"name_th"`
	NameEN  string    `json:"name_en"`
}

const (
	active  = `SELECT id FROM agent WHERE customer_id = $1 AND status = 5`
	addLink = `INSERT INTO sale_link (id, code, agent_id, package_id, created_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (agent_id, package_id) DO NOTHING`
	readLink = `SELECT l.code, l.package_id, p.name_th, p.name_en FROM sale_link l JOIN package p ON p.id = l.package_id
		WHERE l.agent_id = $1 AND l.package_id = $2`
	onSale = `SELECT EXISTS (SELECT FROM package WHERE id = $1 AND status = 5)`

	linkByCode = `SELECT l.id, l.package_id FROM sale_link l JOIN agent a ON a.id = l.agent_id WHERE l.code = $1 AND a.status = 5`
	visit      = `INSERT INTO link_visit (customer_id, link_id, at) VALUES ($1, $2, $3)
		ON CONFLICT (customer_id) DO UPDATE SET link_id = excluded.link_id, at = excluded.at`
	// Who opened what on a day is kept until he opens something on another day.
	forgetOpens = `DELETE FROM link_opener WHERE customer_id = $1 AND day < $2`
	countOpen   = `WITH first AS (INSERT INTO link_opener (link_id, day, customer_id) SELECT $1::uuid, $2::date, $3::uuid ON CONFLICT DO NOTHING RETURNING link_id)
		INSERT INTO link_day (link_id, day, opens, openers) SELECT $1, $2, 1, 1
		ON CONFLICT (link_id, day) DO UPDATE SET opens = link_day.opens + 1, openers = link_day.openers + (SELECT count(*) FROM first)`
	countInMinute = `INSERT INTO link_minute (link_id, minute, opens) VALUES ($1, $2, 1) ON CONFLICT (link_id, minute) DO UPDATE SET opens = link_minute.opens + 1`
)

// approvedAgent is the agent a customer is. It returns ErrNotAgent for one who is not approved, or no longer.
func approvedAgent(ctx context.Context, tx db.Tx, customer uuid.UUID) (id uuid.UUID, err error) {
	err = tx.QueryRow(ctx, active, customer).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return id, ErrNotAgent
	}
	if err != nil {
		return id, fmt.Errorf("agent of customer %s: %w", customer, err)
	}
	return id, nil
}

// Link returns the agent's link to a package, making it the first time. It returns ErrNotAgent, ErrLinkNotFound or the
// faults of consent.Requirements.Check.
func (s *Service) Link(ctx context.Context, who token.Session, pkg uuid.UUID) (l Link, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		required := consent.LockRequirements(tx, consent.ForSignIn, who)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if err := required.Check(who.Subject); err != nil {
			return err
		}
		agent, err := approvedAgent(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		var sold bool
		if err := tx.QueryRow(ctx, onSale, pkg).Scan(&sold); err != nil {
			return fmt.Errorf("is %s on sale: %w", pkg, err)
		}
		if !sold {
			return ErrLinkNotFound
		}
		if _, err := tx.Exec(ctx, addLink, db.NewID(), token.Random(9), agent, pkg, tx.Now); err != nil {
			return fmt.Errorf("link to %s: %w", pkg, err)
		}
		return tx.QueryRow(ctx, readLink, agent, pkg).Scan(&l.Code, &l.Package, &l.NameTH, &l.NameEN)
	})
	return l, err
}

// Opened is where a link leads.
type Opened struct {
	Package uuid.UUID `json:"package_id"`
}

// Open remembers that a customer opened a link; the last one in thirty days counts. Each open counts in its minute and on its day in Bangkok, and each customer once for the
// link and the day. It returns ErrLinkNotFound.
func (s *Service) Open(ctx context.Context, who token.Session, code string) (o Opened, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		var link uuid.UUID
		err := tx.QueryRow(ctx, linkByCode, code).Scan(&link, &o.Package)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrLinkNotFound
		}
		if err != nil {
			return fmt.Errorf("open a link: %w", err)
		}
		tx.Queue(visit, who.Subject, link, tx.Now)
		tx.Queue(forgetOpens, who.Subject, clock.Day(tx.Now))
		tx.Queue(countOpen, link, clock.Day(tx.Now), who.Subject)
		tx.Queue(countInMinute, link, tx.Now.Truncate(time.Minute))
		return tx.Flush(ctx)
	})
	return o, err
}

// LinkUse is what became of one of the agent's links in the last thirty days.
type LinkUse struct {
	Link
	Opens      int64        `json:"opens"`
	Openers    int64        `json:"openers" doc:"Customers who opened it, each once a day"`
	Buyers     int64        `json:"buyers" doc:"Customers who bought by it"`
	Orders     int64        `json:"orders"`
	Commission money.Amount `json:"commission_satang" doc:"As it was sold"`
}

// LinkUses are the agent's links, those that most customers opened first.
type LinkUses struct {
	Data []LinkUse `json:"data" doc:"At most 100"`
}

const (
	linkUses = `SELECT l.code, l.package_id, p.name_th, p.name_en, d.opens, d.openers, o.buyers, o.orders, o.commission FROM sale_link l JOIN package p ON p.id = l.package_id
		CROSS JOIN LATERAL (SELECT coalesce(sum(opens), 0)::bigint AS opens, coalesce(sum(openers), 0)::bigint AS openers FROM link_day WHERE link_id = l.id AND day >= $2) d
		CROSS JOIN LATERAL (SELECT count(DISTINCT s.customer_id) AS buyers, count(*) AS orders, coalesce(sum(k.amount_satang), 0)::bigint AS commission
			FROM orders s LEFT JOIN commission k ON k.order_id = s.id AND k.level = 1 WHERE s.link_id = l.id AND s.paid_at >= $3) o
		WHERE l.agent_id = $1 ORDER BY d.openers DESC, o.orders DESC, l.id DESC LIMIT 100`
	linkDays = 30
)

// LinkUses returns what became of the agent's links. It returns ErrNotAgent.
func (s *Service) LinkUses(ctx context.Context, who token.Session) (u LinkUses, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		agent, err := approvedAgent(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		first := clock.Day(tx.Now).AddDate(0, 0, 1-linkDays)
		rows, err := tx.Query(ctx, linkUses, agent, first, clock.Start(first))
		if err != nil {
			return fmt.Errorf("links of agent %s: %w", agent, err)
		}
		u.Data, err = pgx.CollectRows(rows, pgx.RowToStructByPos[LinkUse])
		return err
	})
	return u, err
}

// Sale is one order through the agent's link, or through one of somebody whom he recruited, as he sees it.
type Sale struct {
	ID         uuid.UUID    `json:"id"`
	At         time.Time    `json:"at"`
	NameTH     string       `json:"name_th"`
	NameEN     string       `json:"name_en"`
	Buyer      string       `json:"buyer_masked"`
	SoldBy     string       `json:"seller_name" doc:"Whom he recruited, and who sold it; empty: himself"`
	Amount     money.Amount `json:"amount_satang"`
	Commission money.Amount `json:"commission_satang" doc:"As it was sold"`
	Due        money.Amount `json:"due_satang" doc:"What of it was not taken back, and is paid"`
	Mature     money.Amount `json:"mature_satang" doc:"What of that has matured"`
	Matures    string       `json:"matures" enum:"sale,use,days" doc:"When it matures"`
	MaturesOn  *time.Time   `json:"matures_on" nullable:"true" doc:"When more of it may be mature, at the latest; null where that depends on its buyer"`
	State      string       `json:"state" enum:"pending,payable,reversed,denied" doc:"payable where all that is due has matured, reversed where nothing is due any more, denied where the organisation has decided not to pay it"`
	Held       bool         `json:"held" doc:"The organisation takes a look at the sale: no payout has it meanwhile"`
	Reason     string       `json:"reason" doc:"Why it was denied"`
}

// History is a page of sales, newest first.
type History struct {
	Data []Sale     `json:"data"`
	Next *uuid.UUID `json:"next" nullable:"true"`
}

const (
	history = `SELECT o.id, o.paid_at, l.name_th, l.name_en, left(c.display_name, 1) || '***', CASE k.level WHEN 2 THEN u.display_name ELSE '' END, o.total_satang, k.amount_satang, k.due_satang, k.mature_satang, k.matures, k.matures_at,
			CASE WHEN k.denied_at IS NOT NULL THEN 'denied' WHEN k.due_satang = 0 THEN 'reversed' WHEN k.mature_satang = k.due_satang THEN 'payable' ELSE 'pending' END,
			EXISTS (SELECT FROM commission_hold h WHERE h.order_id = o.id AND h.state = 'held'), coalesce((SELECT h.reason FROM commission_hold h WHERE h.order_id = o.id AND h.state = 'denied' LIMIT 1), '')
		FROM commission k JOIN orders o ON o.id = k.order_id JOIN customer c ON c.id = o.customer_id
		JOIN order_line l ON l.order_id = o.id AND l.position = 0 JOIN agent a ON a.id = o.agent_id JOIN customer u ON u.id = a.customer_id
		WHERE k.agent_id = $1 AND ($2::uuid IS NULL OR o.id < $2) ORDER BY o.id DESC LIMIT $3`
	pageSize = 30
)

// History of the agent's sales. It returns ErrNotAgent.
func (s *Service) History(ctx context.Context, who token.Session, after *uuid.UUID) (h History, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		agent, err := approvedAgent(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, history, agent, after, pageSize+1)
		if err != nil {
			return fmt.Errorf("sales of agent %s: %w", agent, err)
		}
		h.Data, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Sale])
		return err
	})
	if len(h.Data) > pageSize {
		h.Data = h.Data[:pageSize]
		h.Next = &h.Data[pageSize-1].ID
	}
	return h, err
}

// Summary has the sums that an agent has earned.
type Summary struct {
	Pending money.Amount `json:"pending_satang" doc:"Due, and not mature yet"`
	commission.Balance
	Month       money.Amount `json:"month_satang" doc:"Earned since the first of this month, Bangkok"`
	BasisPoints int64        `json:"rate_basis_points" doc:"Of what has no special rate"`
	ByDay       []Day        `json:"by_day" doc:"The last fourteen days, oldest first"`
}

// Day is one day's commission.
type Day struct {
	Day    string       `json:"day" format:"date"`
	Satang money.Amount `json:"satang"`
}

const (
	sums = `SELECT coalesce(sum(due_satang - mature_satang), 0)::bigint, coalesce(sum(due_satang) FILTER (WHERE created_at >= $2), 0)::bigint
		FROM commission WHERE agent_id = $1`
	baseRate = `SELECT t.id, t.rate_basis_points FROM agent a JOIN agent_type t ON t.id = a.agent_type_id WHERE a.id = $1`
	byDay    = `SELECT d::date::text, coalesce(sum(c.due_satang), 0)::bigint
		FROM generate_series($2::date, $3::date, interval '1 day') d
		LEFT JOIN commission c ON c.agent_id = $1 AND (c.created_at AT TIME ZONE 'Asia/Bangkok')::date = d::date
		GROUP BY d ORDER BY d`
	daysShown = 14
)

// Summary of the agent's commission. It returns ErrNotAgent.
func (s *Service) Summary(ctx context.Context, who token.Session) (sum Summary, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		agent, err := approvedAgent(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		today := clock.Day(tx.Now)
		month := clock.Start(today.AddDate(0, 0, 1-today.Day()))
		if err := tx.QueryRow(ctx, sums, agent, month).Scan(&sum.Pending, &sum.Month); err != nil {
			return fmt.Errorf("commission of agent %s: %w", agent, err)
		}
		if sum.Balance, err = commission.BalanceOf(ctx, tx, agent); err != nil {
			return err
		}
		if _, sum.BasisPoints, err = readBaseRate(ctx, tx, agent); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, byDay, agent, today.AddDate(0, 0, 1-daysShown), today)
		if err != nil {
			return fmt.Errorf("days of agent %s: %w", agent, err)
		}
		sum.ByDay, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Day])
		return err
	})
	return sum, err
}

func readBaseRate(ctx context.Context, tx db.Tx, agent uuid.UUID) (agentType uuid.UUID, basisPoints int64, err error) {
	if err := tx.QueryRow(ctx, baseRate, agent).Scan(&agentType, &basisPoints); err != nil {
		return agentType, 0, fmt.Errorf("base rate of agent %s: %w", agent, err)
	}
	return agentType, basisPoints, nil
}

// Commissions returns what the agent would earn of one piece of each package, by its price, if it was ordered now without a discount. It returns ErrNotAgent.
func (s *Service) Commissions(ctx context.Context, who token.Session, feeBasisPoints int64, prices map[uuid.UUID]money.Amount) (map[uuid.UUID]money.Amount, error) {
	commissions := make(map[uuid.UUID]money.Amount, len(prices))
	err := s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		agent, err := approvedAgent(ctx, tx, who.Subject)
		if err != nil {
			return err
		}
		agentType, basisPoints, err := readBaseRate(ctx, tx, agent)
		if err != nil {
			return err
		}
		rates, err := rate.Read(ctx, tx)
		if err != nil {
			return err
		}
		for pkg, price := range prices {
			line := discount.Line{Package: pkg, Quantity: 1, Gross: price, Rate: rates.Of(agentType, rate.Base(basisPoints, 0), pkg, clock.Day(tx.Now))}
			commissions[pkg] = line.Split(feeBasisPoints, 0, 0, 0).Commission
		}
		return nil
	})
	return commissions, err
}

// ApproveInput makes a customer an agent.
type ApproveInput struct {
	Customer uuid.UUID `json:"customer_id"`
	Type     uuid.UUID `json:"agent_type_id"`
}

const (
	// A person is one at LINE, as an account of the back office and as a customer.
	ownAccount = `SELECT EXISTS (SELECT FROM staff s JOIN customer c ON c.line_sub = s.line_sub WHERE s.id = $1 AND c.id = $2)`
	typeActive = `SELECT EXISTS (SELECT FROM agent_type WHERE id = $1 AND status = 5)`
	approve    = `WITH payee AS (INSERT INTO payee (id, kind, created_at) SELECT $1, 'agent', $5 WHERE NOT EXISTS (SELECT FROM agent WHERE customer_id = $2))
		INSERT INTO agent (id, customer_id, agent_type_id, state, approved_by, approved_at, created_at, updated_at) VALUES ($1, $2, $3, 'approved', $4, $5, $5, $5)
		ON CONFLICT (customer_id) DO UPDATE SET agent_type_id = excluded.agent_type_id, state = 'approved',
			approved_by = excluded.approved_by, approved_at = excluded.approved_at, updated_at = excluded.updated_at
		WHERE agent.state = ANY ($6)
		RETURNING id`
)

// Approve lets a customer sell for commission at a type's rates before he has sent a form; he is paid once one is approved. It returns ErrTypeNotFound, ErrCustomer,
// ErrNotNow, or ErrSelf to who would approve himself.
func Approve(ctx context.Context, tx db.Tx, by uuid.UUID, in ApproveInput) (id uuid.UUID, err error) {
	var own, ok bool
	if err := tx.QueryRow(ctx, ownAccount, by, in.Customer).Scan(&own); err != nil {
		return id, fmt.Errorf("whose customer is %s: %w", in.Customer, err)
	}
	if own {
		return id, ErrSelf
	}
	if err := tx.QueryRow(ctx, typeActive, in.Type).Scan(&ok); err != nil {
		return id, fmt.Errorf("agent type %s: %w", in.Type, err)
	}
	if !ok {
		return id, ErrTypeNotFound
	}
	err = tx.QueryRow(ctx, approve, db.NewID(), in.Customer, in.Type, by, tx.Now, slices.Collect(maps.Keys(transitions[stepEarly]))).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return id, ErrNotNow
	}
	if db.IsForeignKey(err, "agent_customer") {
		return id, ErrCustomer
	}
	if err != nil {
		return id, fmt.Errorf("approve %s as agent: %w", in.Customer, err)
	}
	ledger.OpenAccounts(tx, commission.Pending(id))
	return id, nil
}
