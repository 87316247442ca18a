package message

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
)

// Message is one of a customer's inbox.
type Message struct {
	ID       uuid.UUID `json:"id"`
	About    string    `json:"about" enum:"gift,offer,voucher,money,use,refund,cashout,agent,member" doc:"What subject is; of a refund its order"`
	Subject  uuid.UUID `json:"subject"`
	Vouchers int       `json:"vouchers" doc:"How many it is about; subject is the first"`
	TitleTH  string    `json:"title_th"`
	TitleEN  string    `json:"title_en"`
	TextTH   string    `json:"text_th"`
	TextEN   string    `json:"text_en"`
	At       time.Time `json:"at"`
	Read     bool      `json:"read"`
}

// Unread is how many messages a customer has not seen.
type Unread struct {
	Count int `json:"count" doc:"At most 99"`
}

// Newest names the newest message that a customer has seen.
type Newest struct {
	ID uuid.UUID `json:"id"`
}

// maxUnread is where counting stops.
const maxUnread = 99

const pageOfMessages = 50

const (
	columns = `SELECT m.id, m.kind, coalesce(q.order_id, m.subject_id), CASE WHEN g.people > 1 THEN 1 ELSE greatest(m.vouchers, about.vouchers) END, coalesce(about.name_th, ''), coalesce(about.name_en, ''), coalesce(r.display_name, split_part(k.first, ' ', 1), ''), coalesce(g.people, 0), coalesce(k.taken, 0), coalesce(u.kind, ''), coalesce(u.items, 0), coalesce(u.place_th, ''), coalesce(u.place_en, ''), coalesce(u.at, m.created_at), m.day, coalesce(m.days, 0),
			m.amount_satang, m.created_at, m.read_at IS NOT NULL
		FROM message m LEFT JOIN gift g ON g.id = m.subject_id LEFT JOIN customer r ON r.id = g.receiver_id LEFT JOIN refund_request q ON q.id = m.subject_id
		LEFT JOIN LATERAL (SELECT count(*) AS taken, (array_agg(c.display_name ORDER BY t.taken_at, t.customer_id))[1] AS first FROM gift_taker t JOIN customer c ON c.id = t.customer_id WHERE t.gift_id = g.id) k ON true
		LEFT JOIN LATERAL (SELECT d.voucher_id, d.items, d.at, v.kind, p.name_th AS place_th, p.name_en AS place_en FROM redemption d JOIN voucher v ON v.id = d.voucher_id
			JOIN service_point p ON p.id = d.service_point_id WHERE d.id = m.subject_id LIMIT 1) u ON true
		CROSS JOIN LATERAL (SELECT count(*) AS vouchers, (array_agg(v.name_th ORDER BY v.id))[1] AS name_th, (array_agg(v.name_en ORDER BY v.id))[1] AS name_en FROM (
			SELECT n.voucher_id FROM voucher_event n WHERE n.gift_id = m.subject_id AND n.event = 'give'
			UNION ALL SELECT n.voucher_id FROM voucher_event n WHERE n.offer_id = m.subject_id AND n.event = 'offer'
			UNION ALL SELECT i.voucher_id FROM refund_request_item i WHERE i.request_id = q.id
			UNION ALL SELECT m.subject_id UNION ALL SELECT u.voucher_id) e JOIN voucher v ON v.id = e.voucher_id) about `
	messagesOf = columns + `WHERE m.customer_id = $1 AND ($2::uuid IS NULL OR m.id < $2) ORDER BY m.id DESC LIMIT $3`
	messagesBy = columns + `WHERE m.id = ANY($1)`
	countOf    = `SELECT count(*) FROM (SELECT FROM message WHERE customer_id = $1 AND read_at IS NULL LIMIT $2) m`
	readTo     = `UPDATE message SET read_at = $3 WHERE customer_id = $1 AND id <= $2 AND read_at IS NULL`
	isOf       = `SELECT EXISTS (SELECT FROM message WHERE customer_id = $1 AND id = $2)`
)

// Service answers customers about their inbox.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{d} }

// List returns a page of the customer's messages, newest first.
func (s *Service) List(ctx context.Context, who token.Session, after *uuid.UUID) (list []Message, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		list, err = read(ctx, tx, messagesOf, who.Subject, after, pageOfMessages)
		return err
	})
	return list, err
}

// Of returns all messages to a customer, newest first.
func Of(ctx context.Context, tx db.Tx, customer uuid.UUID) ([]Message, error) {
	return read(ctx, tx, messagesOf, customer, nil, nil)
}

// ByID returns messages by their ids.
func ByID(ctx context.Context, tx db.Tx, ids []uuid.UUID) (map[uuid.UUID]Message, error) {
	list, err := read(ctx, tx, messagesBy, ids)
	found := make(map[uuid.UUID]Message, len(list))
	for _, m := range list {
		found[m.ID] = m
	}
	return found, err
}

func read(ctx context.Context, tx db.Tx, sql string, args ...any) ([]Message, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (m Message, err error) {
		var f facts
		if err := row.Scan(&m.ID, &f.kind, &m.Subject, &f.vouchers, &f.nameTH, &f.nameEN, &f.person, &f.people, &f.taken, &f.use.kind, &f.use.items, &f.use.placeTH, &f.use.placeEN, &f.use.at, &f.day, &f.days, &f.received, &m.At, &m.Read); err != nil {
			return m, err
		}
		th, en := f.write()
		m.About, m.Vouchers, m.TitleTH, m.TextTH, m.TitleEN, m.TextEN = f.kind.about(), f.vouchers, th.title, th.body, en.title, en.body
		return m, nil
	})
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	return list, nil
}

// Unread counts what the customer has not seen.
func (s *Service) Unread(ctx context.Context, who token.Session) (u Unread, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		if err := tx.QueryRow(ctx, countOf, who.Subject, maxUnread).Scan(&u.Count); err != nil {
			return fmt.Errorf("unread messages of %s: %w", who.Subject, err)
		}
		return nil
	})
	return u, err
}

// Read marks a message of the customer's, and those before it, as seen. It returns fault.Missing for anybody else's.
func (s *Service) Read(ctx context.Context, who token.Session, in Newest) (u Unread, err error) {
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		var his bool
		if err := tx.QueryRow(ctx, isOf, who.Subject, in.ID).Scan(&his); err != nil {
			return fmt.Errorf("message %s of %s: %w", in.ID, who.Subject, err)
		}
		if !his {
			return fault.Missing
		}
		if _, err := tx.Exec(ctx, readTo, who.Subject, in.ID, tx.Now); err != nil {
			return fmt.Errorf("messages that %s has seen: %w", who.Subject, err)
		}
		if err := tx.QueryRow(ctx, countOf, who.Subject, maxUnread).Scan(&u.Count); err != nil {
			return fmt.Errorf("unread messages of %s: %w", who.Subject, err)
		}
		return nil
	})
	return u, err
}
