package owner_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/api/owner"
	"welovevoucher/platform/access"
	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/objection"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/wallet"
)

// TestModules: the module of each call is declared, with its names and its place on the page of rights.
func TestModules(t *testing.T) {
	declared, placed := map[string]access.Module{}, map[string]string{}
	for _, m := range access.Modules() {
		declared[m.Name] = m
		if m.Group == "" {
			continue
		}
		place := fmt.Sprintf("%s %d", m.Group, m.Place)
		require.Empty(t, placed[place], "%s stands at the place of another module: give it a Place of its own", m.Name)
		require.Positive(t, m.Place, "%s has no Place", m.Name)
		placed[place] = m.Name
	}
	for path, right := range owner.Rights() {
		if right.Module == "" {
			continue
		}
		m := declared[right.Module]
		require.NotContains(t, []string{m.Name, m.Group, m.TH, m.EN}, "", "%s asks for %q: declare it by access.NewModule beside its table, with Group, TH and EN (CONTRIBUTING.md, A table of the back office)", path, right.Module)
	}
}

// rows are of tables in which the simplest values are no row, or none that the table shows.
var rows = []string{
	`INSERT INTO approval (id, kind, state, record_table, record_id, input, asked_by, asked_at, due_at)
		SELECT gen_random_uuid(), 'rule', 'waiting', 'approval_rule', gen_random_uuid(), '{}', id, now(), now() + interval '3 days' FROM staff LIMIT 1`,
	`INSERT INTO charge_case (id, charge_id, kind, amount_satang, opened_at, due_at) SELECT gen_random_uuid(), id, 'refund', 100, now(), now() + interval '7 days' FROM charge LIMIT 1`,
	`INSERT INTO bank_account (id, customer_id, bank, digits, named_at) SELECT gen_random_uuid(), id, '004', '', now() FROM customer LIMIT 1`,
	`INSERT INTO cashout (id, number, customer_id, state, amount_satang, asked_at, due_at) SELECT gen_random_uuid(), 'W000000001', id, 'asked', 100, now(), now() + interval '15 days' FROM customer LIMIT 1`,
	`INSERT INTO refund (id, number, order_id, customer_id, reason, note, amount_satang, made_at) SELECT gen_random_uuid(), 'R000000001', id, customer_id, 'payer', '', 100, now() FROM orders WHERE paid_at IS NOT NULL LIMIT 1`,
	`INSERT INTO remittance (id, refund_id, customer_id, charge_id, amount_satang, state, made_at, account_id, due_at)
		SELECT gen_random_uuid(), f.id, f.customer_id, (SELECT id FROM charge LIMIT 1), 100, 'approved', now(), (SELECT id FROM bank_account LIMIT 1), now() FROM refund f LIMIT 1`,
	`INSERT INTO payout_run (id, number, kind, means, state, up_to, pay_day, minimum_satang, hash, drafted_at, drafted_by, computed_at)
		SELECT gen_random_uuid(), 'PO0001', 'agent', 'file', 'draft', '2026-01-01', '2026-01-05', 1, '', now(), id, now() FROM staff LIMIT 1`,
	`INSERT INTO payout (id, run_id, payee_id, position, reference, state, left_out, lines, gross_satang, taxable_satang, withheld_satang, net_satang, tax_year)
		SELECT gen_random_uuid(), r.id, a.id, 1, 'PO0001-00001', 'left_out', 'owes', 1, 1, 0, 0, 1, 2026 FROM payout_run r, agent a LIMIT 1`,
	`INSERT INTO commission_hold (id, payee_id, signal, evidence, state, held_at, ends_at) SELECT gen_random_uuid(), id, 'same_account', '', 'held', now(), now() + interval '30 days' FROM agent LIMIT 1`,
	`INSERT INTO tax_return (id, form, month, sequence, state, certificates, paid_satang, withheld_satang, file_name, file, file_hash, made_at, made_by)
		SELECT gen_random_uuid(), 'PND53', '2026-01-01', 0, 'made', 1, 100, 3, 'PND53.txt', '', '', now(), id FROM staff LIMIT 1`,
	`INSERT INTO tax_certificate (id, number, payout_id, payee_id, state, form, income_code, rate_basis_points, paid_on, income_satang, withheld_satang, payer_name, payer_tax_id, payer_branch, payer_address, payee, issued_at)
		SELECT gen_random_uuid(), 'WT00000-6901-000001', id, payee_id, 'issued', 'PND53', '40(2)', 300, '2026-01-01', 100, 3, '', '', '', '', '', now() FROM payout LIMIT 1`,
	`WITH y AS (INSERT INTO payee (id, kind, created_at) VALUES ('01990000-0000-7000-8000-0000000000aa', 'partner', now()) RETURNING id)
		INSERT INTO partner (id, name_th, name_en, status, created_at, updated_at) SELECT id, 'ก', 'a', 5, now(), now() FROM y`,
	`INSERT INTO contact_message (id, name, email, subject, text, key, request_hash, created_at) VALUES (gen_random_uuid(), 'ก', 'a@b.example', 'ก', 'ก', 'k', '', now())`,
	`INSERT INTO permission (id, name_th, name_en, modules, status, created_at, updated_at) VALUES (gen_random_uuid(), 'ก', 'a', '{"tags": "v"}', 5, now(), now())`,
	`INSERT INTO definestatus (id, table_name, number, name_th, name_en, color, status, created_at, updated_at) VALUES (gen_random_uuid(), 'staff', 5, 'ก', 'a', 'ok', 5, now(), now())`,
	`INSERT INTO list_option (id, list, name_th, name_en, status, created_at, updated_at)
		SELECT gen_random_uuid(), list, 'ก', 'a', 5, now(), now() FROM unnest('{qrtype,timeslot,service,size,accesscontrol,privilege}'::text[]) list`,
	`WITH kind AS (INSERT INTO card_type (id, name_th, name_en, position, version, status, created_at, updated_at) VALUES (gen_random_uuid(), 'ก', 'a', 1, 1, 5, now(), now()) RETURNING id)
		INSERT INTO card_type_version (id, card_type_id, number, validity, length, approval, level, least_age, asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address, asks_nationality, asks_receipt, created_at)
		SELECT id, id, 1, 'months', 12, 'first', 1, 0, 'required', 'off', 'off', 'off', 'off', 'off', 'off', now() FROM kind`,
	`WITH sent AS (INSERT INTO application (id, customer_id, version_id, kind, state, identity_digits, mobile_digits, sent_at, decided_at)
			SELECT gen_random_uuid(), c.id, v.id, 'first', 'granted', '', '', now(), now() FROM (SELECT id FROM customer LIMIT 1) c, card_type_version v RETURNING id, customer_id, version_id),
		had AS (INSERT INTO membership (id, customer_id, state, name, since, created_at, updated_at) SELECT gen_random_uuid(), customer_id, 'active', 'ก', current_date, now(), now() FROM sent RETURNING id),
		runs AS (INSERT INTO membership_term (id, membership_id, version_id, application_id, starts_on, ends_on, anchor_day, state)
			SELECT gen_random_uuid(), had.id, sent.version_id, sent.id, current_date, current_date, 1, 'running' FROM sent, had)
		INSERT INTO member_card (id, membership_id, number, made_at) SELECT gen_random_uuid(), id, 'RLM00482216', now() FROM had`,
	`INSERT INTO consent_version (id, document, purpose, audience, version, title_th, title_en, body_th, body_en, status, created_at, updated_at)
		SELECT gen_random_uuid(), kind, 'member', 'agent', '1', 'ก', 'a', 'ก', 'a', 2, now(), now() FROM unnest('{pdpa,terms}'::text[]) kind`,
}

// TestEveryColumn sends every statement that a declared table can make to Postgres, over rows that are there.
func TestEveryColumn(t *testing.T) {
	w := tenanttest.New(t)
	point := w.ServicePoint()
	pkg := w.Package(tenanttest.Package{Price: 500_00, Only: []uuid.UUID{point}, Transfers: 1})
	w.Package(tenanttest.Package{Price: 300_00, GiftValue: 300_00})
	seller := w.Agent(w.Customer(0), 1000)
	w.SpecialRate(seller, pkg, false, 1500)
	ann := w.Customer(5000_00)
	w.Visit(ann, seller, pkg)
	w.Discount(tenanttest.Discount{Value: 1_00, Codes: []string{"ABCD"}})
	reduced := w.Quote(ann, pkg, 1, "ABCD")
	_, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), reduced)
	require.NoError(t, err)
	bought := w.MustBuy(ann, pkg)
	w.MustRedeem(ann, bought.ID, 1, w.Staff(), point)
	uses, err := w.Voucher.History(t.Context(), ann, nil)
	require.NoError(t, err)
	_, err = w.Objection.Object(t.Context(), ann, tenanttest.Key(), objection.Input{Use: uses[0].ID})
	require.NoError(t, err)
	_, err = w.Gift.Give(t.Context(), ann, tenanttest.Key(), gift.Input{Voucher: w.MustBuy(ann, pkg).ID, Items: 1, Card: "love"})
	require.NoError(t, err)
	w.OpenBoard(200)
	w.VerifyMobile(ann)
	_, err = w.Board.Offer(t.Context(), ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: w.MustBuy(ann, pkg).ID, Items: 1}, Price: 1_00})
	require.NoError(t, err)
	asked, err := w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(ann, w.Package(tenanttest.Package{Price: 500_00}), 1))
	require.NoError(t, err)
	_, err = w.Refund.MakeRequest(t.Context(), ann, tenanttest.Key(), refund.OwnInput{
		Choice: refund.Choice{Order: asked.ID, Parts: []refund.Part{{Voucher: asked.Vouchers[0].ID, Items: 1}}}, Amount: 500_00,
	})
	require.NoError(t, err)
	w.AddPaymentSystem()
	_, err = w.Wallet.StartTopUp(t.Context(), ann, tenanttest.Key(), "", wallet.TopUpInput{Amount: 100_00, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
	require.NoError(t, err)
	w.In(func(ctx context.Context, tx db.Tx) error {
		for _, sql := range rows {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	})

	for _, table := range owner.Tables() {
		t.Run(table.Name(), func(t *testing.T) { tryTable(t, w, table) })
	}
}

func tryTable(t *testing.T, w *tenanttest.World, table resource.Declared) {
	t.Helper()
	list := func(q resource.Query) (page resource.Page[any]) {
		require.NoError(t, w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) (err error) {
			page, err = table.ListAny(t.Context(), tx, q)
			return err
		}), "%+v", q)
		return page
	}
	if list(resource.Query{}).Total == 0 {
		addRow(t, w, table.Relation())
	}
	require.NotEmpty(t, list(resource.Query{}).Data, "%s shows no row: add one that it shows to rows in api/owner/table_test.go", table.Name())

	columns, _ := table.Columns()
	for _, c := range columns {
		list(resource.Query{Select: []string{c.Name}})
		if c.Can&resource.Filter != 0 {
			list(resource.Query{Filter: map[string]any{c.Name: nil}})
		}
		if c.Can&resource.Sort == 0 && table.AtMost() == 0 {
			continue
		}
		if c.Can&resource.Sort == 0 {
			require.NotContains(t, []string{"name_th", "name_en"}, c.Name, "lists are sorted by it: resource.Sort in the Def of %s", table.Name())
			continue
		}
		for _, sort := range []string{c.Name, "-" + c.Name} {
			for page := list(resource.Query{Sort: sort, Limit: 1}); page.Next != nil; {
				page = list(resource.Query{Sort: sort, Limit: 1, After: *page.Next})
			}
		}
	}
	if table.Finds() {
		list(resource.Query{Search: "ก a"})
	}
	n := 0
	require.NoError(t, w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) error {
		return table.ExportAny(t.Context(), tx, resource.Query{}, func(row any) error {
			n++
			_, err := table.DetailAny(t.Context(), tx, reflect.ValueOf(row).FieldByName("ID").Interface().(uuid.UUID))
			return err
		})
	}))
	require.EqualValues(t, list(resource.Query{}).Total, n)
}

// TestReferences: Save refuses a deleted row wherever a foreign key leads to a table whose deleted rows stay.
func TestReferences(t *testing.T) {
	const references = `SELECT a.attname::text, k.confrelid::regclass::text FROM pg_constraint k
		JOIN pg_attribute a ON k.conrelid = a.attrelid AND k.conkey = ARRAY[a.attnum] WHERE k.contype = 'f' AND k.conrelid = $1::regclass`
	w := tenanttest.New(t)
	staying := map[string]bool{}
	for _, table := range owner.Tables() {
		staying[table.Relation()] = staying[table.Relation()] || table.HasStatus()
	}
	found := 0
	for _, table := range owner.Tables() {
		columns, _ := table.Columns()
		require.NoError(t, w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) error {
			rows, err := tx.Query(t.Context(), references, table.Relation())
			if err != nil {
				return err
			}
			var name, to string
			_, err = pgx.ForEachRow(rows, []any{&name, &to}, func() error {
				for _, c := range columns {
					if c.Can&(resource.Write|resource.Once) != 0 && staying[to] && (c.SQL == "r."+name || c.SQL == "" && c.Name == name) {
						found++
						require.Equal(t, to, c.RefersTo, "column %s of %s: say RefersTo, or rows may refer to deleted ones", c.Name, table.Name())
					}
				}
				return nil
			})
			return err
		}))
	}
	require.Positive(t, found)
}

// addRow adds a row in which every column that must be filled has the simplest value of its type, or names a row of the table that
// it references.
func addRow(t *testing.T, w *tenanttest.World, relation string) {
	t.Helper()
	const columns = `SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), coalesce(k.confrelid::regclass::text, '')
		FROM pg_attribute a LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum]
		WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND a.attnotnull AND NOT a.atthasdef AND NOT a.attisdropped`
	simplest := map[string]string{
		"uuid": "gen_random_uuid()", "text": "'ก'", "smallint": "5", "integer": "1", "bigint": "1", "boolean": "false", "jsonb": "'{}'",
		"date": "current_date", "timestamp with time zone": "now()",
	}
	require.NoError(t, w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) error {
		rows, err := tx.Query(t.Context(), columns, relation)
		if err != nil {
			return err
		}
		names, values := []string{}, []string{}
		var name, kind, references string
		_, err = pgx.ForEachRow(rows, []any{&name, &kind, &references}, func() error {
			value := simplest[kind]
			if references != "" {
				value = "(SELECT id FROM " + references + " LIMIT 1)"
			}
			names, values = append(names, name), append(values, value)
			return nil
		})
		if err != nil {
			return err
		}
		_, err = tx.Exec(t.Context(), "INSERT INTO "+relation+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(values, ", ")+")")
		return err
	}), "no simplest row of %s: add a row to rows in api/owner/table_test.go", relation)
}
