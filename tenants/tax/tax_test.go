package tax_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/tax"
)

var (
	person    = tax.Class{Resident: true}
	company   = tax.Class{Company: true, Resident: true}
	foreigner = tax.Class{}
)

func day(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

func read(t *testing.T, s *dbtest.Server) tax.Rules {
	t.Helper()
	rules, err := tax.Read(t.Context(), s.DB)
	require.NoError(t, err)
	return rules
}

func ruleOf(t *testing.T, rules tax.Rules, c tax.Class) tax.Rule {
	t.Helper()
	rule, err := rules.Of(c, day("2026-12-16"))
	require.NoError(t, err)
	return rule
}

// inPlatform runs a statement as the API does.
func inPlatform(t *testing.T, s *dbtest.Server, sql string, args ...any) error {
	t.Helper()
	return s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		_, err := tx.Exec(t.Context(), sql, args...)
		return err
	})
}

func TestRulesOfTheMigration(t *testing.T) {
	rules := read(t, dbtest.Open(t))
	for class, want := range map[tax.Class]tax.Rule{
		person:    {Form: tax.PND1, IncomeCode: "402I", Method: tax.PITYear},
		foreigner: {Form: tax.PND1, IncomeCode: "402E", Method: tax.Rate, BasisPoints: 1500},
		company:   {Form: tax.PND53, IncomeCode: "40(2)", Method: tax.Rate, BasisPoints: 300},
	} {
		got := ruleOf(t, rules, class)
		require.NotEqual(t, uuid.Nil, got.ID)
		require.Equal(t, []any{want.Form, want.IncomeCode, want.Method, want.BasisPoints}, []any{got.Form, got.IncomeCode, got.Method, got.BasisPoints})
		_, err := rules.Of(class, day("2026-01-01"))
		require.NoError(t, err)
		_, err = rules.Of(class, day("2025-12-31"))
		require.ErrorIs(t, err, tax.ErrNoRule, "before its first day")
	}
	_, err := rules.Of(tax.Class{Company: true}, day("2026-12-16"))
	require.ErrorIs(t, err, tax.ErrNoRule, "of companies abroad nothing is known")
}

func TestWithoutVAT(t *testing.T) {
	rules := read(t, dbtest.Open(t))
	for gross, vat := range map[money.Amount]money.Amount{
		999_00: 65_36, 930_06: 60_85, 310_01: 20_28, 7: 0, 8: 1, 0: 0, 500_00: 500_00 - 467_29, 1_000_00: 1_000_00 - 934_58, 107: 7,
	} {
		base, err := rules.WithoutVAT(gross, day("2027-09-30"))
		require.NoError(t, err)
		require.Equal(t, gross-vat, base)
		base, err = rules.WithoutVAT(-gross, day("2026-01-01"))
		require.NoError(t, err)
		require.Equal(t, vat-gross, base, "what is taken back has the VAT that it had")
	}
	for _, outside := range []string{"2025-12-31", "2027-10-01"} {
		_, err := rules.WithoutVAT(100, day(outside))
		require.ErrorIs(t, err, tax.ErrNoRule, outside)
	}
}

// TestWithholdByRate: of companies and of persons abroad, each payment by itself.
func TestWithholdByRate(t *testing.T) {
	rules := read(t, dbtest.Open(t))
	co, abroad := ruleOf(t, rules, company), ruleOf(t, rules, foreigner)
	year := tax.Year{Taxable: 5_000_000_00, Withheld: 1}
	require.Equal(t, money.Amount(14_02), co.Withhold(year, 467_29))
	require.Equal(t, money.Amount(28_04), co.Withhold(year, 934_58))
	require.Equal(t, money.Amount(75_00), abroad.Withhold(tax.Year{}, 500_00))
	require.Equal(t, money.Amount(1), co.Withhold(tax.Year{}, 17), "0.51 satang")
	require.Equal(t, money.Amount(2), abroad.Withhold(tax.Year{}, 10), "1.5 satang")
	for _, x := range []money.Amount{0, -1, -500_00} {
		require.Zero(t, co.Withhold(year, x))
	}
}

// TestWithholdByYear has the figures of the Revenue Department's table on incomes of a whole year, and those of one payee in December.
func TestWithholdByYear(t *testing.T) {
	rule := ruleOf(t, read(t, dbtest.Open(t)), person)
	for income, want := range map[money.Amount]money.Amount{
		0: 0, 1: 0, 120_000_00: 0, 310_000_00: 0, 310_000_10: 1, 360_000_00: 2_500_00, 460_000_00: 7_500_00, 600_000_00: 21_500_00, 660_000_00: 27_500_00,
		1_200_000_00: 125_000_00, 2_160_000_00: 365_000_00, 5_160_000_00: 1_265_000_00, 6_160_000_00: 1_615_000_00,
	} {
		require.Equal(t, want, rule.Withhold(tax.Year{}, income), "%d", income)
	}

	t.Run("30,000 a month", func(t *testing.T) {
		var year tax.Year
		var withheld []money.Amount
		for range 12 {
			w := rule.Withhold(year, 30_000_00)
			withheld = append(withheld, w)
			year.Taxable, year.Withheld = year.Taxable+30_000_00, year.Withheld+w
		}
		require.Equal(t, []money.Amount{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1_000_00, 1_500_00}, withheld)
	})

	t.Run("320,000.00 and 500.00 so far", func(t *testing.T) {
		year := tax.Year{Taxable: 320_000_00, Withheld: 500_00}
		require.Equal(t, money.Amount(51_75), rule.Withhold(year, 1_034_90), "551.745 is rounded once")
		year = tax.Year{Taxable: 321_034_90, Withheld: 551_75}
		require.Equal(t, money.Amount(21_89), rule.Withhold(year, 500_00-62_01))
	})

	t.Run("never below 0 nor above what is paid", func(t *testing.T) {
		require.Zero(t, rule.Withhold(tax.Year{Taxable: 400_000_00, Withheld: 9_000_00}, 1_000_00), "too much was withheld before")
		require.Equal(t, money.Amount(10_00), rule.Withhold(tax.Year{Taxable: 900_000_00}, 10_00), "too little was withheld before")
		require.Zero(t, rule.Withhold(tax.Year{Taxable: -1_000_00}, 500_00))
		require.Zero(t, rule.Withhold(tax.Year{Taxable: 900_000_00}, -10_00))
	})
}

// TestAnySplitOfAYear: what is withheld in a year is the tax on its sum, however it was paid; on the greatest sum of any time where something was taken back,
// because what was withheld is not given back.
func TestAnySplitOfAYear(t *testing.T) {
	rule := ruleOf(t, read(t, dbtest.Open(t)), person)
	t.Run("of payments", rapid.MakeCheck(func(t *rapid.T) {
		var year tax.Year
		var greatest money.Amount
		for _, x := range rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(-200_000_00, 2_000_000_00), rapid.Int64Range(-5, 50)), 1, 24).Draw(t, "payments") {
			w := rule.Withhold(year, money.Amount(x))
			require.GreaterOrEqual(t, w, money.Amount(0))
			require.LessOrEqual(t, w, max(0, money.Amount(x)))
			year.Taxable, year.Withheld = year.Taxable+money.Amount(x), year.Withheld+w
			greatest = max(greatest, year.Taxable)
			require.Equal(t, rule.Withhold(tax.Year{}, greatest), year.Withheld)
		}
	}))
}

// TestLaterRules: of several rules that hold on a day the one counts that began last, and a rule ends with its last day.
func TestLaterRules(t *testing.T) {
	s := dbtest.OpenOwn(t)
	const add = `INSERT INTO tax_rule (id, kind, company, resident, method, rate_basis_points, form, income_code, first_day, last_day, law, source)
		VALUES ($1, 'withholding', true, true, 'rate', 100, 'PND53', '40(2)', '2027-01-01', '2027-12-31', 'law', 'source')`
	require.NoError(t, inPlatform(t, s, add, db.NewID()))
	rules := read(t, s)
	for on, want := range map[string]int64{"2026-12-31": 300, "2027-01-01": 100, "2027-12-31": 100, "2028-01-01": 300} {
		rule, err := rules.Of(company, day(on))
		require.NoError(t, err)
		require.Equal(t, want, rule.BasisPoints, on)
	}
	require.Equal(t, "23505", db.SQLState(inPlatform(t, s, add, db.NewID())), "two that begin on one day")

	require.NoError(t, inPlatform(t, s, `UPDATE tax_rule SET last_day = '2027-12-31' WHERE company AND first_day = '2026-01-01'`))
	_, err := read(t, s).Of(company, day("2028-01-01"))
	require.ErrorIs(t, err, tax.ErrNoRule)
}

// TestRulesStay: of a rule only its last day changes, and a rule that says how it is counted twice or not at all is refused.
func TestRulesStay(t *testing.T) {
	s := dbtest.OpenOwn(t)
	for _, sql := range []string{`UPDATE tax_rule SET rate_basis_points = 0`, `UPDATE tax_rule SET first_day = '2020-01-01'`, `DELETE FROM tax_rule`} {
		require.Equal(t, "42501", db.SQLState(inPlatform(t, s, sql)), sql)
	}
	for _, columns := range []string{
		`(id, kind, method, first_day, law, source) VALUES ($1, 'vat', 'rate', '2030-01-01', '', '')`,
		`(id, kind, method, first_day, law, source) VALUES ($1, 'vat', 'pit_year', '2030-01-01', '', '')`,
		`(id, kind, method, rate_basis_points, company, first_day, law, source) VALUES ($1, 'vat', 'rate', 700, true, '2030-01-01', '', '')`,
		`(id, kind, method, rate_basis_points, first_day, law, source) VALUES ($1, 'withholding', 'rate', 300, '2030-01-01', '', '')`,
		`(id, kind, method, rate_basis_points, first_day, last_day, law, source) VALUES ($1, 'vat', 'rate', 700, '2030-01-02', '2030-01-01', '', '')`,
		`(id, kind, company, resident, form, income_code, method, expense_basis_points, expense_max_satang, allowance_satang, bracket_from_satang, bracket_basis_points,
			first_day, law, source) VALUES ($1, 'withholding', false, true, 'PND1', '402I', 'pit_year', 0, 0, 0, '{0,1}', '{0}', '2030-01-01', '', '')`,
	} {
		require.Equal(t, "23514", db.SQLState(inPlatform(t, s, `INSERT INTO tax_rule `+columns, db.NewID())), columns)
	}
	_, err := tax.Read(t.Context(), s.DB)
	require.NoError(t, err)
}
