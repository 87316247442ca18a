package push

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/line"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/tenants/message"
)

// maxGathered bounds how many messages one transaction decides on.
const maxGathered = 1000

const (
	toPush = `m.push_id IS NULL AND m.held IS NULL AND m.read_at IS NULL
		AND m.kind IN ('gift_due', 'gift_claimed', 'gift_declined', 'gift_returned', 'gift_stopped', 'gift_unopened', 'gift_all_taken', 'gift_rest_returned', 'gift_rest_stopped',
			'offer_sold', 'voucher_ends', 'voucher_frozen', 'voucher_frozen_by_shop', 'voucher_voided_by_shop', 'voucher_taken_back', 'voucher_refunded', 'voucher_to_card',
			'money_kept', 'money_not_to_card', 'money_at_bank', 'money_not_to_bank', 'use_confirmed', 'use_stands', 'use_undone',
			'refund_granted', 'refund_refused', 'refund_changed', 'refund_to_card', 'refund_to_bank',
			'cashout_approved', 'cashout_refused', 'cashout_at_bank', 'cashout_failed',
			'agent_approved', 'agent_refused', 'agent_suspended', 'agent_resumed', 'agent_changed', 'agent_not_changed', 'agent_paid', 'agent_not_paid', 'agent_pay_returned', 'agent_denied',
			'member_approved', 'member_refused', 'member_suspended', 'member_resumed', 'member_ended', 'member_points_end')
		AND (m.kind <> 'voucher_ends' OR m.days <= 7)`
	anyToPush = `SELECT EXISTS (SELECT FROM message m, push_setting s WHERE ` + toPush + ` AND m.created_at >= s.tested_at AND m.kind = ANY($1))`
	gather    = `SELECT m.id, m.customer_id, m.kind, m.created_at, coalesce(p.lang, 'th'), p.friend, coalesce(p.off, '{}'),
			m.kind = 'use_confirmed' AND NOT coalesce(p.every_use, false) AND r.amount_satang < $4
				AND EXISTS (SELECT FROM redemption b WHERE b.customer_id = r.customer_id AND b.service_point_id = r.service_point_id AND b.id < r.id)
		FROM message m JOIN customer c ON c.id = m.customer_id LEFT JOIN push_person p ON p.customer_id = c.id
		LEFT JOIN redemption r ON m.kind = 'use_confirmed' AND r.id = m.subject_id
		WHERE ` + toPush + ` AND m.created_at >= $1 AND m.kind = ANY($2) AND c.status = 5
		ORDER BY m.customer_id, m.id LIMIT $3 FOR UPDATE OF m SKIP LOCKED`
	countMonth = `SELECT count(*) FROM push WHERE created_at >= $1 AND state IN ('waiting', 'handed', 'unknown')`
	countSince = `SELECT count(*) FROM push WHERE state = 'waiting' OR state IN ('handed', 'unknown') AND ended_at > $1`
	countWeek  = `SELECT customer_id, count(*)::integer FROM push WHERE customer_id = ANY($1) AND created_at > $2 AND state IN ('waiting', 'handed', 'unknown') GROUP BY customer_id`
	insertPush = `INSERT INTO push (id, customer_id, state, urgent, body, created_at) VALUES ($1, $2, 'waiting', $3, $4, $5)`
	markPushed = `UPDATE message SET push_id = $1 WHERE id = ANY($2)`
	markHeld   = `UPDATE message SET held = $1 WHERE id = ANY($2)`
)

// waiting is a message that nobody has decided on.
type waiting struct {
	id, customer uuid.UUID
	kind         message.Kind
	at           time.Time
	lang         string
	friend       *bool
	off          []string
	usual        bool // a use that is not pushed
}

// SendJob sends one push.
type SendJob struct {
	Push uuid.UUID `json:"push"`
	Try  int       `json:"try"` // how often it was tried before
}

// Kind implements queue.Job.
func (SendJob) Kind() string { return "push.send" }

// kindsAt are the kinds that are pushed at a time: at night only what is urgent.
func kindsAt(now time.Time) (kinds []string) {
	hour := now.In(clock.Bangkok).Hour()
	for kind, r := range rules {
		if r.urgent || hour >= firstHour && hour < lastHour {
			kinds = append(kinds, string(kind))
		}
	}
	return kinds
}

// AnyToPush reports whether a message waits to be pushed at this hour.
func AnyToPush(ctx context.Context, tx db.Tx) (some bool, err error) {
	return some, tx.QueryRow(ctx, anyToPush, kindsAt(tx.Now)).Scan(&some)
}

// Gather decides on every message that waits: it becomes part of one push to its person, or is held back. A worker calls it for each
// organisation every half minute.
func (s *Service) Gather(ctx context.Context, id uuid.UUID) error {
	for full := true; full; {
		err := s.db.InOrg(ctx, id, func(tx db.Tx) (err error) {
			full, err = s.gather(ctx, tx, id)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// gather decides on up to maxGathered messages. It returns whether there may be more.
func (s *Service) gather(ctx context.Context, tx db.Tx, id uuid.UUID) (full bool, err error) {
	account, err := read(ctx, tx, lockSetting) // one gathers at a time, so that the limits hold
	if err != nil || account == nil || account.testedAt == nil || account.refusedAt != nil {
		return false, err
	}
	from := money.Amount(math.MaxInt64)
	if account.usesFrom != nil {
		from = *account.usesFrom
	}
	rows, err := tx.Query(ctx, gather, *account.testedAt, kindsAt(tx.Now), maxGathered, from)
	if err != nil {
		return false, fmt.Errorf("messages to push: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (w waiting, err error) {
		return w, row.Scan(&w.id, &w.customer, &w.kind, &w.at, &w.lang, &w.friend, &w.off, &w.usual)
	})
	if err != nil {
		return false, fmt.Errorf("messages to push: %w", err)
	}
	if full = len(list) == maxGathered; full {
		last := list[len(list)-1].customer // his others come with the next transaction
		if i := slices.IndexFunc(list, func(w waiting) bool { return w.customer == last }); i > 0 {
			list = list[:i]
		}
	}
	if len(list) == 0 {
		return false, nil
	}
	room, err := roomLeft(ctx, tx, account)
	if err != nil {
		return false, err
	}
	if err := s.decide(ctx, tx, id, list, room); err != nil {
		return false, err
	}
	return full, tx.Flush(ctx)
}

// room is how many pushes may still be sent in this month.
type room struct {
	limited bool
	left    int    // pushes
	saved   int    // of them for what goes first alone
	why     string // quota or limit, when nothing is left
}

// roomLeft counts what LINE's quota and the organisation's limit leave.
func roomLeft(ctx context.Context, tx db.Tx, a *setting) (r room, err error) {
	if a.state(tx.Now) == "resting" {
		return room{limited: true, why: "quota"}, nil
	}
	if a.quota != nil && a.countedAt != nil {
		used, since := a.used, *a.countedAt
		if month(since).Before(month(tx.Now)) {
			used, since = 0, month(tx.Now)
		}
		var sent int
		if err := tx.QueryRow(ctx, countSince, since).Scan(&sent); err != nil {
			return r, fmt.Errorf("pushes since LINE counted: %w", err)
		}
		r = room{limited: true, left: *a.quota - used - sent, saved: *a.quota / saveBelow, why: "quota"}
	}
	if a.limit != nil {
		var sent int
		if err := tx.QueryRow(ctx, countMonth, month(tx.Now)).Scan(&sent); err != nil {
			return r, fmt.Errorf("pushes of the month: %w", err)
		}
		if left := *a.limit - sent; !r.limited || left < r.left {
			r.limited, r.left, r.why = true, left, "limit"
		}
	}
	return r, nil
}

// holds returns why a message of a kind is held back for want of room, or "".
func (r room) holds(kind rule) string {
	switch {
	case !r.limited:
		return ""
	case r.left <= 0:
		return r.why
	case r.left <= r.saved && !kind.first:
		return "saving"
	}
	return ""
}

// decide makes a push for each person of whose messages some are to be pushed, and says of the others why not.
func (s *Service) decide(ctx context.Context, tx db.Tx, id uuid.UUID, list []waiting, left room) error {
	people := slices.Collect(func(yield func([]waiting) bool) {
		for from, i := 0, 1; i <= len(list); i++ {
			if i == len(list) || list[i].customer != list[from].customer {
				if !yield(list[from:i]) {
					return
				}
				from = i
			}
		}
	})
	weekly, err := sentInWeek(ctx, tx, people)
	if err != nil {
		return err
	}
	held := map[string][]uuid.UUID{}
	var pushes [][]waiting
	for _, of := range people {
		push := slices.DeleteFunc(slices.Clone(of), func(w waiting) bool {
			why := w.holds(tx.Now, left, weekly[w.customer])
			if why != "" {
				held[why] = append(held[why], w.id)
			}
			return why != ""
		})
		if len(push) > 0 {
			pushes = append(pushes, push)
			left.left--
		}
	}
	for why, ids := range held {
		tx.Queue(markHeld, why, ids)
	}
	return s.write(ctx, tx, id, pushes)
}

// holds returns why a message is not pushed, or "".
func (w waiting) holds(now time.Time, left room, weekly int) string {
	kind := rules[w.kind]
	switch {
	case w.usual:
		return "inbox"
	case now.Sub(w.at) > goodFor:
		return "late"
	case w.friend != nil && !*w.friend:
		return "no_friend"
	case slices.Contains(w.off, string(kind.topic)):
		return "off"
	case weekly >= maxWeekly && !kind.first:
		return "enough"
	}
	return left.holds(kind)
}

// sentInWeek counts the pushes of the last seven days to each person.
func sentInWeek(ctx context.Context, tx db.Tx, people [][]waiting) (map[uuid.UUID]int, error) {
	ids := make([]uuid.UUID, len(people))
	for i, of := range people {
		ids[i] = of[0].customer
	}
	rows, err := tx.Query(ctx, countWeek, ids, tx.Now.AddDate(0, 0, -7))
	if err != nil {
		return nil, fmt.Errorf("pushes of a week: %w", err)
	}
	counted := map[uuid.UUID]int{}
	var who uuid.UUID
	var n int
	_, err = pgx.ForEachRow(rows, []any{&who, &n}, func() error {
		counted[who] = n
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("pushes of a week: %w", err)
	}
	return counted, nil
}

// write queues the inserts of pushes and of the jobs that send them.
func (s *Service) write(ctx context.Context, tx db.Tx, id uuid.UUID, pushes [][]waiting) error {
	if len(pushes) == 0 {
		return nil
	}
	shop, err := s.orgs.ByID(ctx, id)
	if err != nil {
		return err
	}
	var all []uuid.UUID
	for _, of := range pushes {
		all = append(all, idsOf(of)...)
	}
	read, err := message.ByID(ctx, tx, all)
	if err != nil {
		return err
	}
	for _, of := range pushes {
		ids, key := idsOf(of), db.NewID()
		texts := make([]message.Message, len(of))
		for i, w := range of {
			texts[i] = read[w.id]
		}
		urgent := slices.ContainsFunc(of, func(w waiting) bool { return rules[w.kind].urgent })
		tx.Queue(insertPush, key, of[0].customer, urgent, []line.Message{cards(shop, s.link(shop), of[0].lang, texts)}, tx.Now)
		tx.Queue(markPushed, key, ids)
		if err := queue.Enqueue(ctx, tx, SendJob{Push: key}); err != nil {
			return err
		}
	}
	return nil
}

func idsOf(list []waiting) []uuid.UUID {
	ids := make([]uuid.UUID, len(list))
	for i, w := range list {
		ids[i] = w.id
	}
	return ids
}
