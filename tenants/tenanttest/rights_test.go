package tenanttest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/tenanttest"
)

// TestColumnsTheRoleMayNotChange: the role of an organisation's transactions writes price, owner, worth and time once, and what
// happened for ever.
func TestColumnsTheRoleMayNotChange(t *testing.T) {
	w := tenanttest.New(t)
	for _, sql := range []string{
		`UPDATE wallet SET customer_id = customer_id`,
		`UPDATE wallet SET account_id = account_id`,
		`UPDATE orders SET customer_id = customer_id`,
		`UPDATE orders SET total_satang = 0`,
		`UPDATE orders SET platform_fee_satang = 0`,
		`UPDATE orders SET commission_satang = 0`,
		`UPDATE orders SET agent_id = NULL`,
		`UPDATE orders SET created_at = created_at`,
		`UPDATE order_line SET unit_satang = 0`,
		`UPDATE order_line SET contents = NULL`,
		`UPDATE order_line SET quantity = 1`,
		`UPDATE discount_use SET amount_satang = 1`,
		`UPDATE discount_use SET customer_id = customer_id`,
		`UPDATE discount_use SET nth = 1`,
		`UPDATE discount_code SET discount_id = discount_id`,
		`UPDATE discount_count SET discount_id = discount_id`,
		`UPDATE line_discount SET amount_satang = 1`,
		`UPDATE line_discount SET payer = 'organisation'`,
		`UPDATE voucher SET order_id = order_id`,
		`UPDATE voucher SET share_satang = 0`,
		`UPDATE voucher SET fee_satang = 0`,
		`UPDATE voucher SET commission_satang = 0`,
		`UPDATE voucher SET platform_discount_satang = 0`,
		`UPDATE voucher SET items_total = 1`,
		`UPDATE voucher SET issued_until = issued_until`,
		`UPDATE voucher SET expiry_rule = 'wallet'`,
		`UPDATE use_session SET items = 1`,
		`UPDATE use_session SET expires_at = expires_at`,
		`UPDATE use_session SET secret = secret`,
		`UPDATE commission SET agent_id = agent_id`,
		`UPDATE commission SET order_id = order_id`,
		`UPDATE charge SET amount_satang = 1`,
		`UPDATE charge SET customer_id = customer_id`,
		`UPDATE charge SET gateway = 'gateway'`,
		`UPDATE charge SET purpose = 'topup'`,
		`UPDATE charge SET created_at = created_at`,
		`UPDATE sale_link SET agent_id = agent_id`,
		`UPDATE charge_case SET opened_at = opened_at`,
		`UPDATE customer SET id = id`,
		`UPDATE customer SET created_at = created_at`,
		`UPDATE agent SET customer_id = customer_id`,
		`UPDATE account SET holder_id = holder_id`,
		`UPDATE transfer SET cause_id = cause_id`,
		`UPDATE entry SET amount_satang = 1`,
		`UPDATE snapshot SET credit_satang = 0`,
		`UPDATE seal SET hash = hash`,
		`UPDATE redemption SET amount_satang = 0`,
		`UPDATE voucher_event SET items = 0`,
		`UPDATE offer SET seller_id = seller_id`,
		`UPDATE offer SET price_satang = price_satang`,
		`UPDATE offer SET royalty_satang = royalty_satang`,
		`UPDATE offer SET fee_satang = fee_satang`,
		`UPDATE resale SET buyer_id = buyer_id`,
		`UPDATE offer_report SET reason = reason`,
		`UPDATE reservation SET buyer_id = buyer_id`,
		`UPDATE reservation SET created_at = created_at`,
		`UPDATE gift SET giver_id = giver_id`,
		`UPDATE gift SET link_hash = link_hash`,
		`UPDATE gift SET created_at = created_at`,
		`UPDATE gift SET people = people`,
		`UPDATE gift_taker SET customer_id = customer_id`,
		`UPDATE gift_taker SET voucher_id = voucher_id`,
		`UPDATE gift_taker SET taken_at = taken_at`,
		`UPDATE charge_event SET owed_satang = 0`,
		`UPDATE charge_case SET opened_at = opened_at`,
		`UPDATE charge_case SET kind = kind`,
		`UPDATE adjustment SET amount_satang = 1`,
		`UPDATE commission_reversal SET amount_satang = 1`,
		`UPDATE contact_message SET text = text`,
		`UPDATE contact_message SET customer_id = NULL`,
		`UPDATE contact_message SET created_at = created_at`,
		`UPDATE objection SET redemption_id = redemption_id`,
		`UPDATE objection SET customer_id = customer_id`,
		`UPDATE objection SET share_satang = 0`,
		`UPDATE objection SET due_at = due_at`,
		`UPDATE voucher SET undoes = undoes`,
		`UPDATE approval SET kind = kind`,
		`UPDATE approval SET input = input`,
		`UPDATE approval SET asked_by = asked_by`,
		`UPDATE approval SET due_at = due_at`,
		`UPDATE refund SET amount_satang = 1`,
		`UPDATE refund_request SET order_id = order_id`,
		`UPDATE refund_request SET customer_id = customer_id`,
		`UPDATE refund_request SET amount_satang = 1`,
		`UPDATE refund_request SET began_at = began_at`,
		`UPDATE refund_request SET due_at = due_at`,
		`UPDATE refund_request_item SET items = 1`,
		`UPDATE refund SET approval_id = approval_id`,
		`UPDATE refund_item SET items = 1`,
		`UPDATE refund_request SET method = method`,
		`UPDATE remittance SET amount_satang = 1`,
		`UPDATE remittance SET account_id = account_id`,
		`UPDATE remittance SET due_at = due_at`,
		`UPDATE bank_account SET bank = bank`,
		`UPDATE bank_account SET customer_id = customer_id`,
		`UPDATE remittance SET charge_id = charge_id`,
		`UPDATE remittance SET customer_id = customer_id`,
		`UPDATE remittance SET refund_id = refund_id`,
		`UPDATE owner_freeze SET voucher_id = voucher_id`,
		`UPDATE owner_freeze SET reason = reason`,
		`UPDATE owner_freeze SET frozen_at = frozen_at`,
		`UPDATE owner_freeze SET frozen_by = frozen_by`,
		`UPDATE owner_void SET voucher_id = voucher_id`,
		`UPDATE owner_void SET reason = reason`,
		`UPDATE write_off SET amount_satang = 1`,
		`UPDATE write_off SET reason = reason`,
		`UPDATE goodwill SET amount_satang = 1`,
		`UPDATE goodwill SET customer_id = customer_id`,
		`UPDATE reissue SET voucher_id = voucher_id`,
		`UPDATE reissue SET old_code = old_code`,
		`UPDATE extension SET voucher_id = voucher_id`,
		`UPDATE extension SET days = days`,
		`UPDATE care_run SET reason = reason`,
		`UPDATE care_run SET started_by = started_by`,
		`UPDATE care_run SET approval_id = approval_id`,
		`UPDATE care_item SET voucher_id = voucher_id`,
		`UPDATE message SET customer_id = customer_id`,
		`UPDATE message SET kind = kind`,
		`UPDATE message SET subject_id = subject_id`,
		`UPDATE message SET created_at = created_at`,
		`UPDATE idempotency SET result_id = result_id`,
		`DELETE FROM wallet`, `DELETE FROM orders`, `DELETE FROM order_line`, `DELETE FROM voucher`, `DELETE FROM commission`, `DELETE FROM charge`,
		`DELETE FROM transfer`, `DELETE FROM entry`, `DELETE FROM redemption`, `DELETE FROM objection`, `DELETE FROM approval`, `DELETE FROM refund`, `DELETE FROM refund_item`, `DELETE FROM remittance`, `DELETE FROM bank_account`, `DELETE FROM refund_request`, `DELETE FROM refund_request_item`, `DELETE FROM owner_freeze`, `DELETE FROM owner_void`, `DELETE FROM write_off`, `DELETE FROM goodwill`, `DELETE FROM reissue`, `DELETE FROM extension`, `DELETE FROM care_run`, `DELETE FROM care_item`, `DELETE FROM voucher_event`, `DELETE FROM idempotency`, `DELETE FROM stock`,
		`TRUNCATE entry`,
	} {
		t.Run(sql, func(t *testing.T) {
			err := w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) error {
				_, err := tx.Exec(t.Context(), sql)
				return err
			})
			require.Equal(t, "42501", db.SQLState(err), "%v", err)
			require.NoError(t, w.InAsSuperuser(func(ctx context.Context, tx db.Tx) error {
				_, err := tx.Exec(ctx, sql)
				return err
			}), "the statement itself is right")
		})
	}
}
