package bench

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/voucher"
)

// BenchmarkPurchase: one call of order/confirm against what it writes.
func BenchmarkPurchase(b *testing.B) {
	const clients = 8
	s := open(b, "buying", "1650000100", 2*clients)
	bare := make([]*bareShop, clients)
	for i := range bare {
		bare[i] = s.bare()
	}
	c := compare(b, clients,
		func(n int) error { return bare[n].purchase(s.buyers[clients+n]) },
		s.goOn(func(n int) error {
			return s.buy(s.buyers[n])
		}))
	s.MustBalance() // the yardstick's books as well

	atLeast("purchase from the wallet over HTTP ÷ bare, 8 clients", 0.5, "", c.speed, c.String())
	atMost("the same, its p99 ÷ bare p99", 2, "", c.slowest, "")
}

// buy is one purchase as a phone sends it.
func (s *shop) buy(who buyer) error {
	_, err := place.call(s.Host, who.phone.Token, "/api/user/order/confirm", uuid.NewString(), who.confirm)
	return err
}

// bareShop writes what the platform writes, and locks what it locks; nothing is read to decide or to answer by.
type bareShop struct {
	*shop
	conn *pgx.Conn
}

func (s *shop) bare() *bareShop {
	return &bareShop{shop: s, conn: s.connect()}
}

// purchase writes one in a single round trip, which is a single transaction.
func (s *bareShop) purchase(who buyer) error {
	var batch pgx.Batch
	s.queuePurchase(&batch, who)
	return s.conn.SendBatch(s.T.Context(), &batch).Close()
}

func (s *shop) queuePurchase(batch *pgx.Batch, who buyer) {
	batch.Queue(`SELECT FROM customer WHERE id = $1 FOR NO KEY UPDATE`, who.id)
	s.write(batch, who)
	batch.Queue(`UPDATE stock SET sold = sold + 1 WHERE package_id = $1`, who.pack)
}

// write writes a purchase of one voucher, but for the stock. An entry keeps what is left in the wallet, which the
// platform knows from locking it.
func (s *shop) write(batch *pgx.Batch, who buyer) {
	now, order, transfer, wallet := time.Now(), db.NewID(), db.NewID(), s.wallet(who)
	batch.Queue(`INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at) VALUES ($1, 'order.confirm', $2, $3, $4, $5)`,
		who.id, uuid.NewString(), order[:], order, now)
	batch.Queue(`INSERT INTO orders (id, number, customer_id, state, sale_channel, total_satang, platform_fee_satang, commission_satang, quote_hash, created_at, paid_at)
		VALUES ($1, $2, $3, 'paid', 2, $4, $5, 0, 'bench', $6, $6)`, order, voucher.NewCode(10), who.id, price, fee, now)
	batch.Queue(`INSERT INTO order_line (order_id, position, package_id, name_th, name_en, quantity, unit_satang, amount_satang)
		VALUES ($1, 0, $2, 'แพ็ก', 'Pack of 3', 1, $3, $3)`, order, who.pack, price)
	batch.Queue(`UPDATE wallet SET balance_satang = balance_satang - $2, updated_at = $3 WHERE account_id = $1 AND balance_satang >= $2`, wallet, price, now)
	batch.Queue(`INSERT INTO transfer (id, kind, cause_id, day, at, memo_th, memo_en) VALUES ($1, 'purchase', $2, ($3::timestamptz AT TIME ZONE 'Asia/Bangkok')::date, $3, 'แพ็ก', 'Pack of 3')`, transfer, order, now)
	for _, part := range []struct {
		to              ledger.Kind
		amount, follows int64
	}{{ledger.Unearned, price - fee, fee}, {ledger.PlatformFee, fee, 0}} {
		batch.Queue(`INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang, debit_after_satang)
			VALUES ($1, $2, $3, $4, $5, $6 + (SELECT balance_satang FROM wallet WHERE account_id = $3))`,
			db.NewID(), transfer, wallet, ledger.SystemAccount(part.to).ID(s.ID), part.amount, part.follows)
	}
	batch.Queue(`INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, holder_id, state,
		items_total, items_left, share_satang, fee_satang, commission_satang, platform_discount_satang, valid_until, issued_until, transfer_rule, expiry_rule,
		vat_point, issued_at, updated_at)
		VALUES ($1, $2, $3, 0, $4, $10, 'item', 'นวด', 'Massage', $5, 'ready', 3, 3, $6, $9, 0, 0, $7, $7, 'none', 'breakage', 'sale', $8, $8)`,
		db.NewID(), voucher.NewCode(10), order, who.kind, who.id, price-fee, now.AddDate(0, 0, 90), now, fee, who.version)
	batch.Queue(`INSERT INTO outbox (id, kind, payload, due_at, done_at) VALUES ($1, 'notice', '{"job": {}}', $2, $2)`, db.NewID(), now)
}

func (s *shop) wallet(who buyer) uuid.UUID { return ledger.AccountOf(ledger.Wallet, who.id).ID(s.ID) }
