package order_test

import (
	"context"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// What {who} has bought of {package} and used {n} times, at 100 baht of which 3 are the platform's. Ids follow from what they are
// of and its number i.
const muchBought = `
	INSERT INTO adjustment (id, amount_satang, reason, asked_by, approved_by, at) VALUES ({reason}, {n} * 10000, 'fixture', {who}, {point}, {at});
	INSERT INTO account (id, kind, holder_id, created_at) VALUES ({wallet}, 'wallet', {who}, {at});
	INSERT INTO wallet (account_id, customer_id, balance_satang, updated_at) VALUES ({wallet}, {who}, 0, {at});
	INSERT INTO transfer (id, kind, cause_id, day, at) VALUES ({reason}, 'adjustment', {reason}, {day}, {at});
	INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang, credit_after_satang)
		SELECT {reason}, {reason}, a.id, {wallet}, {n} * 10000, {n} * 10000 FROM account a WHERE a.kind = 'adjustment';
	INSERT INTO orders (id, number, customer_id, state, sale_channel, total_satang, platform_fee_satang, commission_satang, quote_hash, created_at, paid_at)
		SELECT md5('order ' || i)::uuid, i::text, {who}, 'paid', 2, 10000, 300, 0, '', {at}, {at} FROM generate_series(1, {n}) i;
	INSERT INTO order_line (order_id, position, package_id, name_th, name_en, quantity, unit_satang, amount_satang)
		SELECT md5('order ' || i)::uuid, 0, {package}, '', '', 1, 10000, 10000 FROM generate_series(1, {n}) i;
	UPDATE stock SET sold = {n} WHERE package_id = {package};
	INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, holder_id, state, items_total, share_satang, items_left,
			valid_until, issued_until, transfer_rule, transfers_left, expiry_rule, vat_point, issued_at, updated_at, fee_satang, commission_satang, platform_discount_satang)
		SELECT md5('voucher ' || i)::uuid, i::text, md5('order ' || i)::uuid, 0, t.id, r.id, 'item', '', '', {who}, 'used', 1, 9700, 0,
			{day}::date + t.valid_days, {day}::date + t.valid_days, t.transfer_rule, t.transfer_times, t.expiry_rule, t.vat_point, {at}, {at}, 300, 0, 0
		FROM generate_series(1, {n}) i, package_part p JOIN voucher_type t ON t.id = p.voucher_type_id JOIN template_version r ON r.template_id = t.id WHERE p.package_id = {package};
	INSERT INTO use_session (id, voucher_id, customer_id, service_point_id, items, secret, state, opened_at, expires_at, closed_at)
		SELECT md5('use ' || i)::uuid, md5('voucher ' || i)::uuid, {who}, {point}, 1, '', 'used', {at}, {at}::timestamptz + interval '10 minutes', {at} FROM generate_series(1, {n}) i;
	INSERT INTO redemption (id, use_session_id, voucher_id, customer_id, service_point_id, staff_id, items, items_left, amount_satang, at)
		SELECT md5('redemption ' || i)::uuid, md5('use ' || i)::uuid, md5('voucher ' || i)::uuid, {who}, {point}, {staff}, 1, 0, 9700, {at} FROM generate_series(1, {n}) i;
	INSERT INTO idempotency (actor, operation, key, request_hash, result_id, at)
		SELECT {who}, 'order.confirm', 'order ' || i, ''::bytea, md5('order ' || i)::uuid, {at}::timestamptz FROM generate_series(1, {n}) i
		UNION ALL SELECT {who}, 'voucher.use', 'use ' || i, '', md5('use ' || i)::uuid, {at} FROM generate_series(1, {n}) i
		UNION ALL SELECT {staff}, 'voucher.confirm', 'redemption ' || i, '', md5('redemption ' || i)::uuid, {at} FROM generate_series(1, {n}) i;
	INSERT INTO transfer (id, kind, cause_id, day, at)
		SELECT md5('purchase ' || i)::uuid, 'purchase', md5('order ' || i)::uuid, {day}::date, {at}::timestamptz FROM generate_series(1, {n}) i
		UNION ALL SELECT md5('used ' || i)::uuid, 'use', md5('redemption ' || i)::uuid, {day}, {at} FROM generate_series(1, {n}) i;
	INSERT INTO entry (id, transfer_id, debit_id, credit_id, amount_satang, debit_after_satang)
		SELECT md5('share ' || i)::uuid, md5('purchase ' || i)::uuid, {wallet}, a.id, 9700, ({n} - i) * 10000 + 300 FROM generate_series(1, {n}) i, account a WHERE a.kind = 'unearned'
		UNION ALL SELECT md5('fee ' || i)::uuid, md5('purchase ' || i)::uuid, {wallet}, a.id, 300, ({n} - i) * 10000 FROM generate_series(1, {n}) i, account a WHERE a.kind = 'platform_fee'
		UNION ALL SELECT md5('earned ' || i)::uuid, md5('used ' || i)::uuid, u.id, p.id, 9700, NULL FROM generate_series(1, {n}) i, account u, account p WHERE u.kind = 'unearned' AND p.kind = 'payable';
	ANALYZE`

// What came along with each of that for nothing, and is not used, and what all that filled the wallet owes.
const muchOwed = `
	INSERT INTO voucher (id, code, order_id, line_position, template_id, version_id, kind, name_th, name_en, holder_id, state, items_total, share_satang, items_left,
			valid_until, issued_until, transfer_rule, transfers_left, expiry_rule, vat_point, issued_at, updated_at, fee_satang, commission_satang, platform_discount_satang)
		SELECT md5('extra ' || id)::uuid, 'e' || code, order_id, line_position, template_id, version_id, kind, '', '', holder_id, 'ready', 1, 0, 1,
			valid_until, issued_until, transfer_rule, transfers_left, expiry_rule, vat_point, issued_at, updated_at, 0, 0, 0 FROM voucher;
	UPDATE charge SET owed_satang = 100, refunded_satang = 100, captured_at = captured_at - interval '100 days';
	ANALYZE`

// manyBooks is how often something was bought and used: three entries each.
const manyBooks = 20_000

// TestAuditOfLargeBooks: what the audit keeps in memory does not grow with the books, whether they balance or nothing in them is right, and no
// rule compares everything with everything: twenty charges that owe beside all that was bought would take it a quarter of an hour.
func TestAuditOfLargeBooks(t *testing.T) {
	w := tenanttest.New(t)
	who, at := w.Customer(0).Subject, w.Clock.Now().Add(24*time.Hour)
	quoted := func(id uuid.UUID) string { return "'" + id.String() + "'::uuid" }
	fill := strings.NewReplacer("{n}", strconv.Itoa(manyBooks)+"::bigint", "{who}", quoted(who), "{package}", quoted(w.Package(tenanttest.Package{Price: 100_00})),
		"{point}", quoted(w.ServicePoint()), "{staff}", quoted(w.Staff().Subject), "{wallet}", quoted(ledger.AccountOf(ledger.Wallet, who).ID(w.Key)), "{reason}", quoted(db.NewID()),
		"{at}", at.UTC().Format("'2006-01-02T15:04:05Z'"), "{day}", at.In(bangkok).Format("'2006-01-02'"))
	require.NoError(t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
		for sql := range strings.SplitSeq(fill.Replace("SET LOCAL statement_timeout = 0;"+muchBought), ";") {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	}))
	w.Clock.Advance(48 * time.Hour)
	w.In(ledger.SealDays)
	w.MustBalance() // the connection remembers its statements from then on

	t.Run("the memory of an audit does not grow with books that balance", func(t *testing.T) {
		grown := growth(t, func() { w.MustBalance() })
		require.Less(t, grown, uint64(bytesPerAudit))
	})

	t.Run("the memory of an audit does not grow with books in which nothing is right", func(t *testing.T) {
		w.AddPaymentSystem()
		for range 20 {
			c, err := w.Wallet.StartTopUp(t.Context(), token.Session{Audience: token.User, Org: w.Org, Subject: who}, tenanttest.Key(), "",
				wallet.TopUpInput{Amount: 100_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
			require.NoError(t, err)
			w.PayAtGateway(c.ID)
		}
		for sql := range strings.SplitSeq(muchOwed, ";") {
			w.Force(sql)
		}
		w.Force(`UPDATE voucher SET share_satang = share_satang + 1, code = 'x' || code`)
		w.Force(`UPDATE redemption SET amount_satang = amount_satang + 1, at = at + interval '1 second'`)
		var findings []ledger.Finding
		grown := growth(t, func() {
			var err error
			findings, err = order.Audit(t.Context(), w.DB, w.Org)
			require.NoError(t, err)
		})
		found := map[string]int{}
		for _, f := range findings {
			found[f.Rule]++
		}
		require.Equal(t, 101, found["the vouchers of a line carry its price"], "a hundred, and that there are more")
		require.Less(t, grown, uint64(bytesPerAudit))
	})
}

// bytesPerAudit is what an audit may keep in memory: what connections and their statements take (up to three megabytes), and less
// than the rows of the test's vouchers or entries would.
const bytesPerAudit = 8 << 20

var bangkok = time.FixedZone("Asia/Bangkok", 7*60*60)

// growth is by how many bytes what is kept in memory grew at most while do ran.
func growth(t *testing.T, do func()) (most uint64) {
	t.Helper()
	kept := func() uint64 {
		runtime.GC()
		// What that collection has marked: what was allocated since is not kept, however long this goroutine has waited for its turn.
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		return live[0].Value.Uint64()
	}
	before := kept()
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
				if now := kept(); now > before {
					most = max(most, now-before)
				}
			}
		}
	})
	do()
	close(done)
	watch.Wait()
	t.Logf("grew by %d", most)
	return most
}
