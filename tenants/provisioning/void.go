package provisioning

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/rollup"
)

// TestSales has the sales that were made with test keys. No real money was paid for them.
type TestSales struct {
	Orders   int64        `json:"orders"`
	Vouchers int64        `json:"vouchers"`
	Wallets  money.Amount `json:"wallets_satang" doc:"What customers' wallets hold of it"`
}

const readTestSales = `SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM voucher), (SELECT coalesce(sum(balance_satang), 0)::bigint FROM wallet)`

func readSales(ctx context.Context, tx querier) (made TestSales, err error) {
	if err := tx.QueryRow(ctx, readTestSales).Scan(&made.Orders, &made.Vouchers, &made.Wallets); err != nil {
		return made, fmt.Errorf("what was made with test keys: %w", err)
	}
	return made, nil
}

const (
	// What selling has made is copied, so that what the books said can be shown later. Left out is what opens something (the addresses at
	// the gateway, the secrets of uses) and what people wrote: nothing of a person is here that erasing him does not reach, since he is
	// named by his id alone.
	copyTestSales = `
		CREATE TABLE account AS TABLE account;
		CREATE TABLE transfer AS TABLE transfer;
		CREATE TABLE entry AS TABLE entry;
		CREATE TABLE wallet AS TABLE wallet;
		CREATE TABLE snapshot AS TABLE snapshot;
		CREATE TABLE seal AS TABLE seal;
		CREATE TABLE adjustment AS SELECT id, amount_satang, asked_by, approved_by, at FROM adjustment;
		CREATE TABLE charge AS SELECT id, customer_id, system_id, purpose, method, amount_satang, state, reference, gateway_id, late, created_at, expires_at,
			captured_at, attempts, captured_satang, credited, refunded_satang, disputed_satang, owed_satang, bank_owed_satang, fee_satang, dispute, gateway, sent_satang FROM charge;
		CREATE TABLE charge_event AS TABLE charge_event;
		CREATE TABLE charge_case AS TABLE charge_case;
		CREATE TABLE orders AS TABLE orders;
		CREATE TABLE order_line AS TABLE order_line;
		CREATE TABLE card_order AS TABLE card_order;
		CREATE TABLE point_lot AS TABLE point_lot;
		CREATE TABLE point_owed AS TABLE point_owed;
		CREATE TABLE point_order AS TABLE point_order;
		CREATE TABLE point_grant AS TABLE point_grant;
		CREATE TABLE point_lapse AS TABLE point_lapse;
		CREATE TABLE point_adjustment AS SELECT id, customer_id, points, lapses_on, made_at, made_by, approval_id FROM point_adjustment;
		CREATE TABLE recruiter_share AS TABLE recruiter_share;
		CREATE TABLE line_discount AS TABLE line_discount;
		CREATE TABLE discount_use AS TABLE discount_use;
		CREATE TABLE voucher AS TABLE voucher;
		CREATE TABLE gift AS SELECT id, giver_id, state, card, opened, opened_at, days, created_at, begins_at, expires_at, extended_at, receiver_id, ended_at, stopped_by, stopped_by_admin, thanked_at, people FROM gift;
		CREATE TABLE gift_taker AS TABLE gift_taker;
		CREATE TABLE offer AS TABLE offer;
		CREATE TABLE resale AS TABLE resale;
		CREATE TABLE reservation AS TABLE reservation;
		CREATE TABLE offer_report AS TABLE offer_report;
		CREATE TABLE message AS TABLE message;
		CREATE TABLE voucher_event AS TABLE voucher_event;
		CREATE TABLE use_session AS SELECT id, voucher_id, customer_id, service_point_id, items, state, opened_at, expires_at, closed_at FROM use_session;
		CREATE TABLE use_scan AS TABLE use_scan;
		CREATE TABLE redemption AS TABLE redemption;
		CREATE TABLE objection AS SELECT id, redemption_id, voucher_id, customer_id, state, share_satang, made_at, due_at, decided_at, decided_by FROM objection;
		CREATE TABLE approval AS SELECT id, kind, state, record_table, record_id, customer_id, amount_satang, asked_by, asked_at, due_at, answered_by, answered_at, alone, made_id FROM approval;
		CREATE TABLE refund AS SELECT id, number, order_id, customer_id, reason, amount_satang, made_by, made_at, approval_id, request_id FROM refund;
		CREATE TABLE refund_request AS SELECT id, order_id, customer_id, state, amount_satang, renews_id, began_at, asked_at, due_at, answered_at, answered_by, method, account_id FROM refund_request;
		CREATE TABLE refund_request_item AS TABLE refund_request_item;
		CREATE TABLE refund_item AS TABLE refund_item;
		CREATE TABLE remittance AS SELECT id, refund_id, cashout_id, customer_id, charge_id, amount_satang, state, gateway_id, failure, attempts, made_at, sent_at, ended_at, account_id, due_at, sent_by, failed_by, approval_id, done_at FROM remittance;
		CREATE TABLE bank_account AS SELECT id, customer_id, bank, named_at FROM bank_account;
		CREATE TABLE cashout AS SELECT id, number, customer_id, state, amount_satang, account_id, asked_at, due_at, answered_at, answered_by, approval_id FROM cashout;
		CREATE TABLE owner_freeze AS SELECT id, voucher_id, frozen_at, frozen_by, ended_at, released_by, days FROM owner_freeze;
		CREATE TABLE owner_void AS SELECT id, voucher_id, refund_id, made_at, made_by, approval_id FROM owner_void;
		CREATE TABLE write_off AS SELECT id, charge_id, amount_satang, made_at, made_by, approval_id FROM write_off;
		CREATE TABLE goodwill AS SELECT id, redemption_id, customer_id, amount_satang, made_at, made_by, approval_id FROM goodwill;
		CREATE TABLE reissue AS SELECT id, voucher_id, old_code, made_at, made_by FROM reissue;
		CREATE TABLE extension AS SELECT id, voucher_id, days, made_at, made_by, closure_id FROM extension;
		CREATE TABLE returned_day AS TABLE returned_day;
		CREATE TABLE care_run AS SELECT id, task, valid_until, closure_id, first_day, last_day, state, started_at, started_by, ended_at, approval_id FROM care_run;
		CREATE TABLE care_item AS TABLE care_item;
		CREATE TABLE commission AS TABLE commission;
		CREATE TABLE commission_change AS TABLE commission_change;
		CREATE TABLE commission_hold AS SELECT id, order_id, payee_id, subject_id, signal, happened_at, times, satang, of_satang, other_id, state, held_at, ends_at, ended_at, ended_by, approval_id FROM commission_hold;
		CREATE TABLE payee_balance AS TABLE payee_balance;
		CREATE TABLE book_audit AS TABLE book_audit;
		CREATE TABLE payout_run AS TABLE payout_run;
		CREATE TABLE payout AS SELECT id, run_id, payee_id, remittance_id, version_id, position, reference, state, left_out, lines, gross_satang, taxable_satang, withheld_satang, net_satang, tax_rule_id, tax_year,
			booked_at, sent_at, paid_on, paid_at, ended_at FROM payout;
		CREATE TABLE payout_return AS TABLE payout_return;
		CREATE TABLE payout_line AS TABLE payout_line;
		CREATE TABLE payout_result AS SELECT id, payout_id, outcome, day, file_hash, answer, said_at, said_by FROM payout_result;
		CREATE TABLE tax_return AS SELECT id, form, month, sequence, state, certificates, paid_satang, withheld_satang, file_name, file_hash, approval_id, made_at, made_by, filed_on, filed_at, cancelled_at FROM tax_return;
		CREATE TABLE tax_certificate AS SELECT id, number, payout_id, payee_id, replaces_id, state, form, income_code, rate_basis_points, paid_on, income_satang, withheld_satang, return_id,
			issued_at, issued_by, voided_at, voided_by FROM tax_certificate;
		CREATE TABLE settlement AS SELECT id, reference, version_id, up_to, pay_day, amount_satang, fee_satang, state, booked_at, paid_on, paid_at, ended_at FROM settlement;
		CREATE TABLE tax_series AS TABLE tax_series;`

	// Beside what was copied: jobs, which are about that, and what links somebody who comes again to limits and debts of before.
	emptyTestSales = `TRUNCATE transfer, entry, wallet, snapshot, seal, adjustment, charge, charge_event, charge_case, orders, order_line, card_order, point_lot, point_owed, point_order, point_grant, point_lapse, point_adjustment, recruiter_share, line_discount, discount_use, voucher, voucher_event, gift, gift_taker, offer, resale, reservation, offer_report, message,
		use_session, use_scan, redemption, objection, approval, refund, refund_item, refund_request, refund_request_item, remittance, cashout, bank_account, owner_freeze, owner_void, write_off, goodwill, reissue, extension, returned_day, care_run, care_item, commission, commission_change, commission_hold, payee_balance, book_audit, payout_run, payout, payout_return, payout_line, payout_result, tax_return, tax_certificate, tax_series, settlement, outbox, former_customer`

	voidKeys   = `UPDATE idempotency SET void = true WHERE NOT void`
	noDebts    = `UPDATE customer SET debt_satang = 0 WHERE debt_satang > 0`
	noneSold   = `UPDATE stock SET sold = 0 WHERE sold > 0`
	unused     = `UPDATE discount_count SET used = 0, spent_satang = 0 WHERE used > 0`
	unusedCode = `UPDATE discount_code SET used = 0 WHERE used > 0`
	newStamp   = `UPDATE catalog_revision SET revision = $1`
	newBooks   = `UPDATE ledger SET live = NULL`
	saidEnough = `UPDATE payment_system SET voids_test = false WHERE voids_test`

	// Files made from it belong to nobody, and are old enough for the job that deletes them (report.PurgeJob).
	noReports   = `DELETE FROM report_job WHERE object_key = ''`
	lastReports = `UPDATE report_job SET filter = '{}', state = 'cancelled', requested_by = $1, updated_at = $2`
)

const archiveForm = "20060102150405"

// voidTest makes void what was made with test keys and switches to the system, of live keys, in one transaction that nobody else works
// beside: people, the catalogue and what was agreed stay. What was sold lies in a schema of its own from then on, which the
// organisation's role does not see. It does nothing when the admin's word, or the reason for it, is gone meanwhile.
func (s *Service) voidTest(ctx context.Context, id, system uuid.UUID) error {
	if s.schemas == nil {
		return errNoSchemas
	}
	home, err := s.db.Placement(ctx, id)
	if err != nil {
		return err
	}
	now := s.db.Now()
	archive := home.Schema + "_test_" + now.UTC().Format(archiveForm)
	var made TestSales
	done, err := s.schemas.Archive(ctx, home, db.Archiving{
		Into: archive,
		Needed: func(ctx context.Context, tx pgx.Tx) (bool, error) {
			voids, err := s.stillVoids(ctx, tx, system)
			if err != nil || !voids {
				return false, err
			}
			made, err = readSales(ctx, tx)
			return true, err
		},
		Copy:   copyTestSales,
		Change: func(ctx context.Context, tx pgx.Tx) error { return emptyBooks(ctx, tx, now, system) },
	})
	if err != nil || !done {
		return err
	}
	log.From(ctx).Info("what was made with test keys is void", zap.Stringer("org_id", id), zap.String("archive", archive),
		zap.Int64("orders", made.Orders), zap.Int64("vouchers", made.Vouchers), zap.Int64("wallets_satang", int64(made.Wallets)))
	return nil
}

func emptyBooks(ctx context.Context, tx pgx.Tx, now time.Time, system uuid.UUID) error {
	for _, step := range []struct {
		sql  string
		args []any
	}{
		{emptyTestSales, nil},
		{voidKeys, nil},
		{noDebts, nil},
		{noneSold, nil},
		{unused, nil},
		{unusedCode, nil},
		{newStamp, []any{db.NewID()}},
		{newBooks, nil},
		{noReports, nil},
		{lastReports, []any{uuid.Nil, time.Unix(0, 0)}},
		{switchSystem, []any{system, now}},
		{saidEnough, nil},
	} {
		if _, err := tx.Exec(ctx, step.sql, step.args...); err != nil {
			return fmt.Errorf("%.30s: %w", step.sql, err)
		}
	}
	for _, sql := range rollup.Recount() { // people stay, and came when they came
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%.30s: %w", sql, err)
		}
	}
	return nil
}
