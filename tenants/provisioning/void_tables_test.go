package provisioning_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/api/owner"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/rollup"
)

// ownerSeed are the tables that stay as they are, with their columns of numbers, none of which selling changes. Declared tables
// with columns that a form writes stay as well.
var ownerSeed = map[string][]string{
	"account": nil, "agent": {"status"}, "audit_log": nil, "log_seal": {"lines"}, "catalog_revision": nil, "list_option": {"number"}, "member_draft": nil, "application": nil, "membership": {"status"}, "membership_term": {"anchor_day"}, "member_card": nil, "card_key": nil, "presence": {"step"}, "card_type_version": {"number", "length", "level", "least_age", "price_satang", "points_baht", "points_months"}, "consent": nil,
	"gateway_event": nil, "idempotency": nil, "ledger": nil, "link_visit": nil, "link_opener": nil, "link_day": {"opens", "openers"}, "link_minute": {"opens"}, "hold_look": nil, "product_word": nil, "package_part": {"position", "quantity"},
	"package_tag": nil, "payment_system": {"status"}, "picture": {"width", "height", "bytes"}, "discount_scope": {"position", "channel"}, "discount_count": {"uses", "budget_satang"}, "discount_code": {"uses", "status"}, "sale_link": nil,
	"payee": nil, "payee_draft": nil, "payee_picture": {"width", "height", "bytes"}, "payee_version": {"number"},
	"contact_message": nil, "contact_details": nil, "gift_setting": {"days"}, "wallet_setting": {"limit_satang"}, "payout_setting": {"minimum_satang"}, "payout_schedule": {"day"}, "approval_rule": {"above"}, "board_setting": {"cap_percent", "days", "royalty_basis_points"}, "push": {"tries"}, "push_person": nil, "push_setting": {"monthly_limit", "quota", "used", "uses_from_satang"}, "suspension": nil, "service_point_staff": nil, "staff_invitation": nil, "second_factor": {"used_step"}, "recovery_code": nil, "template_version": {"persons"}, "template_service_point": nil,
	"customer":            {"customer_type", "status"},
	"stock":               {"quantity"},
	"report_subscription": {"hour"},
	"report_job":          {"rows_done", "rows_total"}, // of files that are nobody's any more
	"rollup":              {"id"},
	"goose_db_version":    {"id", "version_id"},
}

// stays returns ownerSeed with the declared tables that forms write.
func stays() map[string][]string {
	all := maps.Clone(ownerSeed)
	for _, table := range owner.Tables() {
		columns, _ := table.Columns()
		for _, c := range columns {
			if c.Can&(resource.Write|resource.Once) != 0 {
				all[table.Relation()] = append(all[table.Relation()], strings.TrimPrefix(c.SQL, "r."), "status")
			}
		}
	}
	return all
}

// reset are the columns of kept tables that selling changes.
var reset = []string{"customer.debt_satang", "stock.sold", "discount_count.used", "discount_count.spent_satang", "discount_code.used"}

// openings are columns that are not kept of what was made with test keys: they open something, or people wrote them.
var openings = []string{
	"adjustment.reason", "charge.qr_url", "charge.authorize_url", "charge.failure", "charge.leased_until", "charge.card_digits", "charge.card_index", "remittance.leased_until", "remittance.reference", "bank_account.name", "bank_account.number", "bank_account.digits", "bank_account.account_index", "commission_hold.digits", "commission_hold.evidence", "commission_hold.reason", "use_session.secret", "use_session.typed_name",
	"gift.to_name", "gift.words", "gift.link_hash", "gift.digits", "gift.wrong_digits", "gift.paused_until", "objection.answer", "approval.title", "approval.input", "approval.note", "approval.answer", "refund.note", "refund_request.answer", "refund_request.words", "cashout.answer", "owner_freeze.reason", "owner_void.reason", "write_off.reason", "goodwill.reason", "point_adjustment.reason", "reissue.reason", "extension.reason", "care_run.reason", "payout.reason", "payout_result.reason", "payout_result.file_name",
	"settlement.reason", "tax_return.file", "tax_return.receipt", "tax_certificate.payer_name", "tax_certificate.payer_tax_id", "tax_certificate.payer_branch", "tax_certificate.payer_address", "tax_certificate.payee", "tax_certificate.reason",
}

// words are the columns of text that lie in the archive: none of them is about a person.
var words = []string{
	"account.kind", "transfer.kind", "transfer.memo_th", "transfer.memo_en", "seal.previous", "seal.hash", "charge.purpose", "charge.method", "charge.state",
	"charge.reference", "charge.gateway_id", "charge.dispute", "charge.gateway", "charge_event.kind", "charge_case.kind", "charge_case.outcome",
	"orders.number", "orders.state", "orders.quote_hash", "order_line.name_th", "order_line.name_en", "order_line.contents", "point_order.positions", "order_line.refund_rule", "order_line.rate_kind", "line_discount.payer", "voucher.code", "voucher.kind",
	"voucher.name_th", "voucher.name_en", "voucher.state", "voucher.transfer_rule", "voucher.expiry_rule", "voucher.vat_point", "voucher_event.event",
	"voucher_event.from_state", "voucher_event.to_state", "use_session.state", "commission.matures", "orders.matures", "gift.state", "gift.card",
	"offer.state", "resale.number", "reservation.state", "offer_report.reason", "message.kind", "message.held", "objection.state", "approval.kind", "approval.state", "approval.record_table", "refund.number", "reissue.old_code", "refund.reason", "care_run.task", "care_run.state", "care_item.fault", "refund_request.state", "refund_request.method", "remittance.state", "remittance.gateway_id", "remittance.failure", "bank_account.bank", "cashout.number", "cashout.state",
	"payout_run.number", "payout_run.kind", "payout_run.means", "payout_run.state", "payout_run.postponed", "payout_run.hash", "payout_run.file_hash", "payout.reference", "payout.state", "payout.left_out",
	"settlement.reference", "settlement.state", "commission_hold.signal", "commission_hold.state", "book_audit.rules", "payout_result.outcome", "payout_result.answer", "payout_result.file_hash",
	"tax_return.form", "tax_return.state", "tax_return.file_name", "tax_return.file_hash", "tax_certificate.number", "tax_certificate.state", "tax_certificate.form", "tax_certificate.income_code", "tax_series.name",
}

func emptied(t *testing.T) []string {
	t.Helper()
	list, found := strings.CutPrefix(provisioning.EmptyTestSales, "TRUNCATE ")
	require.True(t, found)
	return strings.Fields(strings.ReplaceAll(list, ",", " "))
}

// TestEveryTable: a table that a migration adds stays or goes with test sales, by its declaration or by the lists above.
func TestEveryTable(t *testing.T) {
	s := sellsWithTestKeys(t)
	s.fill(t, s.ann, 100_00)
	home, err := s.DB.Placement(t.Context(), s.Org)
	require.NoError(t, err)
	tables := s.owner(t, `SELECT relname::text FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'm', 'v', 'S') AND relname <> 'goose_db_version_id_seq'`, home.Schema)
	gone := emptied(t)
	kept := stays()
	for _, table := range tables {
		if slices.ContainsFunc(rollup.Recount(), func(sql string) bool { return sql == "DELETE FROM "+table }) {
			continue // counted anew
		}
		_, stay := kept[table]
		require.NotEqual(t, stay, slices.Contains(gone, table), "%s: does it stay, or go with what was sold with test keys? One line in ownerSeed in tenants/provisioning/void_tables_test.go, or a word in EmptyTestSales in tenants/provisioning/void.go", table)
	}
	require.Subset(t, tables, slices.Concat(slices.Collect(maps.Keys(kept)), gone), "is no table")

	numbers := s.owner(t, `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = $1 AND data_type IN ('smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision')`, home.Schema)
	for _, number := range numbers {
		table, column, _ := strings.Cut(number, ".")
		if unchanged, stay := kept[table]; stay {
			require.True(t, slices.Contains(unchanged, column) || slices.Contains(reset, number), "does selling change %s? If not: one word in ownerSeed in tenants/provisioning/void_tables_test.go, else in reset", number)
		}
	}

	s.switchCollector(t, s.live())
	archive := s.archives(t)[0]
	copied := []string{"account"}
	for _, table := range gone {
		if table != "outbox" && table != "former_customer" {
			copied = append(copied, table)
		}
	}
	require.ElementsMatch(t, copied, s.owner(t, `SELECT relname::text FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'`, archive))
	columns := func(schema string) []string {
		return s.owner(t, `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = $1 AND table_name = ANY ($2)`, schema, copied)
	}
	require.ElementsMatch(t, columns(home.Schema), slices.Concat(columns(archive), openings), "what a migration adds is copied, or named here")
	require.ElementsMatch(t, words, s.owner(t, `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = $1 AND data_type NOT IN ('uuid', 'smallint', 'integer', 'bigint', 'numeric', 'boolean', 'date', 'timestamp with time zone')`, archive))
	require.Empty(t, s.owner(t, `SELECT grantee::text FROM information_schema.table_privileges WHERE table_schema = $1 AND grantee <> grantor`, archive))
	require.NotRegexp(t, `(?i)\bcustomer\b`, provisioning.CopyTestSales, "people stay, where they can be erased")

	_, err = s.Schemas.ProvisionTenant(t.Context(), home)
	require.NoError(t, err, "migrations go on as if nothing lay beside it")
	all, err := org.NewDirectory(s.DB).ByID(t.Context(), s.Org)
	require.NoError(t, err)
	require.Equal(t, s.Org, all.ID)
}
