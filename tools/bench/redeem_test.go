package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/voucher"
)

// shown is a voucher before staff: the use session behind its QR.
type shown struct {
	session, voucher uuid.UUID
	code             string
}

// BenchmarkRedeem: staff read a code and confirm it, two calls, against reading and writing the same in two round trips.
func BenchmarkRedeem(b *testing.B) {
	const clients = 8
	s := open(b, "using", "1650000101", 1)
	next := s.showTo(clients)
	bare := make([]*pgx.Conn, clients)
	for i := range bare {
		bare[i] = s.connect()
	}
	var staff uuid.UUID
	require.NoError(b, bare[0].QueryRow(b.Context(), `SELECT id FROM staff LIMIT 1`).Scan(&staff))

	c := compare(b, clients,
		func(n int) error {
			v, err := next(n)
			if err != nil {
				return err
			}
			return s.redeemBare(bare[n], staff, v)
		},
		s.goOn(s.redeemer(clients)))
	atLeast("redeem (scan, confirm) over HTTP ÷ bare, 8 clients", 0.5, "", c.speed, c.String())
}

// showTo shows vouchers to each of some clients, and returns what takes a client's next one.
func (s *shop) showTo(clients int) func(client int) (shown, error) {
	s.T.Helper()
	queues := make([][]shown, clients)
	for i := range queues {
		queues[i] = s.show(12_000)
	}
	return func(client int) (shown, error) {
		if len(queues[client]) == 0 {
			return shown{}, errors.New("every voucher is used: measure for a shorter time")
		}
		v := queues[client][0]
		queues[client] = queues[client][1:]
		return v, nil
	}
}

// redeemer is what each of some clients does to redeem its next voucher.
func (s *shop) redeemer(clients int) func(client int) error {
	next := s.showTo(clients)
	return func(client int) error {
		v, err := next(client)
		if err != nil {
			return err
		}
		return s.redeem(v)
	}
}

// show puts vouchers of the first buyer's on his phone, as buying and asking for their use would leave them.
func (s *shop) show(n int) (list []shown) {
	s.T.Helper()
	conn, now, order := s.connect(), time.Now(), db.NewID()
	holder := s.buyers[0]
	lastDay := now.AddDate(0, 0, 90)
	_, err := conn.Exec(s.T.Context(), `INSERT INTO orders (id, number, customer_id, state, sale_channel, total_satang, platform_fee_satang, commission_satang, quote_hash, created_at, paid_at)
		VALUES ($1, $2, $3, 'paid', 2, 0, 0, 0, 'bench', $4, $4)`, order, voucher.NewCode(10), holder.id, now)
	require.NoError(s.T, err)
	_, err = conn.Exec(s.T.Context(), `INSERT INTO order_line (order_id, position, package_id, name_th, name_en, quantity, unit_satang, amount_satang)
		VALUES ($1, 0, $2, 'แพ็ก', 'Pack', 1, 0, 0)`, order, s.Package)
	require.NoError(s.T, err)
	var vouchers, sessions [][]any
	codes := map[string]bool{} // of 192,000 drawn at once two are the same now and then
	for len(codes) < n {
		codes[voucher.NewCode(8)] = true
	}
	for code := range codes {
		v := shown{session: db.NewID(), voucher: db.NewID(), code: code}
		list = append(list, v)
		vouchers = append(vouchers, []any{
			v.voucher, voucher.NewCode(10), order, 0, holder.kind, holder.version, "item", "นวด", "Massage", holder.id, "in_use", 3, 3,
			price - fee, fee, 0, 0, lastDay, lastDay, "none", "breakage", "sale", now, now,
		})
		sessions = append(sessions, []any{v.session, v.voucher, holder.id, s.ServicePoint, 1, []byte(v.code), "open", now, now.Add(24 * time.Hour)})
	}
	_, err = conn.CopyFrom(s.T.Context(), pgx.Identifier{"voucher"}, []string{
		"id", "code", "order_id", "line_position", "template_id", "version_id", "kind", "name_th", "name_en", "holder_id", "state", "items_total", "items_left",
		"share_satang", "fee_satang", "commission_satang", "platform_discount_satang", "valid_until", "issued_until", "transfer_rule", "expiry_rule", "vat_point", "issued_at", "updated_at",
	}, pgx.CopyFromRows(vouchers))
	require.NoError(s.T, err)
	_, err = conn.CopyFrom(s.T.Context(), pgx.Identifier{"use_session"}, []string{
		"id", "voucher_id", "customer_id", "service_point_id", "items", "secret", "state", "opened_at", "expires_at",
	}, pgx.CopyFromRows(sessions))
	require.NoError(s.T, err)
	return list
}

// redeem scans the code and confirms what it shows, as staff do.
func (s *shop) redeem(v shown) error {
	scan, err := json.Marshal(map[string]any{"code": voucher.QR(s.ID, v.session, []byte(v.code), time.Now()), "service_point_id": s.ServicePoint})
	if err != nil {
		return err
	}
	if _, err := place.call(s.Host, s.Owner.Token, "/api/staff/voucher/verify", "", scan); err != nil {
		return err
	}
	confirm, err := json.Marshal(map[string]any{"use_session_id": v.session, "service_point_id": s.ServicePoint})
	if err != nil {
		return err
	}
	_, err = place.call(s.Host, s.Owner.Token, "/api/staff/voucher/confirm", uuid.NewString(), confirm)
	return err
}

// redeemBare reads what staff see, and who scanned it, in one round trip, and writes what confirming writes in another.
func (s *shop) redeemBare(conn *pgx.Conn, staff uuid.UUID, v shown) error {
	ctx, now, id, transfer := s.T.Context(), time.Now(), db.NewID(), db.NewID()
	var left int64
	var name, at string
	var scan pgx.Batch
	scan.Queue(`SELECT v.items_left, c.display_name, p.name_th FROM use_session u JOIN voucher v ON v.id = u.voucher_id
		JOIN customer c ON c.id = u.customer_id JOIN service_point p ON p.id = u.service_point_id WHERE u.id = $1`, v.session).
		QueryRow(func(row pgx.Row) error { return row.Scan(&left, &name, &at) })
	scan.Queue(`INSERT INTO use_scan (use_session_id, staff_id, at) VALUES ($1, $2, $3)`, v.session, staff, now)
	if err := conn.SendBatch(ctx, &scan).Close(); err != nil {
		return fmt.Errorf("scan %s: %w", v.code, err)
	}
	var batch pgx.Batch
	batch.Queue(`INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at) VALUES ($1, 'voucher.confirm', $2, $3, $4, $5)`,
		staff, uuid.NewString(), id[:], id, now)
	batch.Queue(`UPDATE use_session SET state = 'used', closed_at = $2 WHERE id = $1 AND state = 'open'`, v.session, now)
	batch.Queue(`UPDATE voucher SET items_left = items_left - 1, state = 'ready', updated_at = $2 WHERE id = $1 AND items_left >= 1`, v.voucher, now)
	batch.Queue(`INSERT INTO redemption (id, use_session_id, voucher_id, customer_id, service_point_id, staff_id, items, items_left, amount_satang, at)
		VALUES ($1, $2, $3, $4, $5, $6, 1, 2, $7, $8)`, id, v.session, v.voucher, s.buyers[0].id, s.ServicePoint, staff, (price-fee)/3, now)
	batch.Queue(`INSERT INTO transfer (id, kind, cause_id, day, at) VALUES ($1, 'use', $2, ($3::timestamptz AT TIME ZONE 'Asia/Bangkok')::date, $3)`, transfer, id, now)
	batch.Queue(`INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang) VALUES ($1, $2, $3, $4, $5)`,
		db.NewID(), transfer, ledger.SystemAccount(ledger.Unearned).ID(s.ID), ledger.SystemAccount(ledger.Payable).ID(s.ID), (price-fee)/3)
	batch.Queue(`INSERT INTO outbox (id, kind, payload, due_at, done_at) VALUES ($1, 'notice', '{"job": {}}', $2, $2)`, db.NewID(), now)
	return conn.SendBatch(ctx, &batch).Close()
}
