package discount_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
)

// office is a back office with a package for 500 baht.
type office struct {
	*tenanttest.World
	t       *testing.T
	service *discount.Service
	who     auditlog.Actor
	pkg     uuid.UUID
}

func newOffice(t *testing.T) office {
	t.Helper()
	w := tenanttest.New(t)
	return office{w, t, discount.New(w.DB), auditlog.Actor{Kind: token.Owner, ID: w.Staff().Subject}, w.Package(tenanttest.Package{Price: 500_00})}
}

// hundred takes 100 baht off by a code.
func hundred(change ...func(*discount.Row)) discount.Row {
	r := discount.Row{
		NameTH: "ลดร้อย", NameEN: "Hundred off", How: discount.OneCode, Class: discount.OnCart, Kind: discount.Baht, Value: 100_00,
		Payer: discount.Organisation, Stack: discount.Alone, Code: "hundred-1",
	}
	for _, f := range change {
		f(&r)
	}
	return r
}

func (o office) save(r discount.Row) (saved discount.Row, err error) {
	err = o.DB.InOrg(o.t.Context(), o.Org, func(tx db.Tx) error {
		saved, err = discount.Discounts.Save(o.t.Context(), tx, o.who, r)
		return err
	})
	return saved, err
}

func (o office) mustSave(r discount.Row) discount.Row {
	o.t.Helper()
	saved, err := o.save(r)
	require.NoError(o.t, err)
	return saved
}

func (o office) activate(id uuid.UUID) error {
	return o.DB.InOrg(o.t.Context(), o.Org, func(tx db.Tx) error {
		return discount.Discounts.SetStatus(o.t.Context(), tx, o.who, []uuid.UUID{id}, 5)
	})
}

// at returns the fault of a field.
func at(t *testing.T, err error, path string) string {
	t.Helper()
	for _, f := range fault.From(err).Fields {
		if f.Path == path {
			return f.Fault
		}
	}
	require.Fail(t, "no such field", "%s: %v", path, err)
	return ""
}

func TestSave(t *testing.T) {
	o := newOffice(t)
	ann := o.Customer(2000_00)

	t.Run("a discount is given once it is active, by its code as people type it", func(t *testing.T) {
		saved := o.mustSave(hundred())
		require.EqualValues(t, 2, saved.Status)
		_, err := o.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{{Package: o.pkg, Quantity: 1}}, Codes: []string{"HUNDRED1"}})
		require.NoError(t, err)
		require.NoError(t, o.activate(saved.ID))
		q, err := o.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{{Package: o.pkg, Quantity: 1}}, Codes: []string{" hundred 1"}})
		require.NoError(t, err)
		require.Equal(t, money.Amount(400_00), q.Total)
	})
	t.Run("another code ends the one before; one of another discount is refused", func(t *testing.T) {
		first := o.mustSave(hundred(func(r *discount.Row) { r.Code = "FIRSTCODE" }))
		require.NoError(t, o.activate(first.ID))
		_, err := o.save(hundred(func(r *discount.Row) { r.Code = "first code" }))
		require.Equal(t, fault.Duplicate.Code, at(t, err, "code"))
		first = o.mustSave(hundred(func(r *discount.Row) {
			r.Base, r.Code = first.Base, "NEXTCODE"
			r.UpdatedAt = o.detail(first.ID).UpdatedAt
		}))
		require.Equal(t, "NEXTCODE", o.detail(first.ID).Code)
		q, err := o.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{{Package: o.pkg, Quantity: 1}}, Codes: []string{"FIRSTCODE"}})
		require.NoError(t, err)
		require.Equal(t, discount.ErrUnknown.Code, q.Lost[0].Fault)
	})
	t.Run("an organisation does not let the platform pay", func(t *testing.T) {
		_, err := o.save(hundred(func(r *discount.Row) { r.Payer, r.Code = discount.Platform, "PLATFORM" }))
		require.Equal(t, fault.NotInList.Code, at(t, err, "payer"))

		paid := o.Discount(tenanttest.Discount{Code: "GIVEN", Value: 10_00, Payer: "platform"})
		row := o.detail(paid)
		row.Value = 500_00
		_, err = o.save(row)
		require.Equal(t, discount.ErrPlatforms.Code, at(t, err, "payer"), "nor more of what it pays")
		row.Value, row.NameEN = 10_00, "Another name"
		o.mustSave(row)
	})
	t.Run("limits are not below what is used", func(t *testing.T) {
		id := o.Discount(tenanttest.Discount{Code: "LIMITS", Value: 10_00, Stack: "alone"})
		for range 2 {
			_, err := o.Order.Buy(t.Context(), ann, tenanttest.Key(), o.Quote(ann, o.pkg, 1, "LIMITS"))
			require.NoError(t, err)
		}
		row, one, less := o.detail(id), int32(1), money.Amount(19_99)
		require.EqualValues(t, 2, row.Used)
		row.Uses = &one
		_, err := o.save(row)
		require.Equal(t, fault.TooSmall.Code, at(t, err, "uses"))
		row.Uses, row.Budget = nil, &less
		_, err = o.save(row)
		require.Equal(t, fault.TooSmall.Code, at(t, err, "budget_satang"))
	})
	t.Run("what makes no sense is refused at its field", func(t *testing.T) {
		for path, change := range map[string]func(*discount.Row){
			"value":    func(r *discount.Row) { r.Kind, r.Value = discount.Percent, 10_001 },
			"code":     func(r *discount.Row) { r.Code = "A-B" },
			"packages": func(r *discount.Row) { r.Packages, r.Code = []uuid.UUID{uuid.New()}, "PACKAGES" },
		} {
			_, err := o.save(hundred(change))
			at(t, err, path)
		}
		none := o.mustSave(hundred(func(r *discount.Row) { r.Value, r.Code = 0, "NOTHING" }))
		require.Equal(t, fault.TooSmall.Code, at(t, o.activate(none.ID), "value"))
	})
	o.MustBalance()
}

func (o office) detail(id uuid.UUID) (row discount.Row) {
	o.t.Helper()
	require.NoError(o.t, o.DB.InOrg(o.t.Context(), o.Org, func(tx db.Tx) (err error) {
		row, err = discount.Discounts.Detail(o.t.Context(), tx, id)
		return err
	}))
	return row
}

func TestMakeCodes(t *testing.T) {
	o := newOffice(t)
	many := o.mustSave(hundred(func(r *discount.Row) { r.How, r.Code = discount.ManyCodes, "" }))
	once, key := int32(1), tenanttest.Key()
	in := discount.MakeInput{Discount: many.ID, Number: 50, Uses: &once}
	for range 2 {
		made, err := o.service.MakeCodes(t.Context(), o.Org, o.who, key, in)
		require.NoError(t, err)
		require.Equal(t, 50, made.Number)
	}
	require.EqualValues(t, 50, o.Count(`SELECT count(DISTINCT code) FROM discount_code WHERE length(code) = 10 AND code !~ '[IO01]'`), "the same key makes them once")
	in.Number = 51
	_, err := o.service.MakeCodes(t.Context(), o.Org, o.who, key, in)
	require.ErrorIs(t, err, idempotency.ErrReused)
	single := o.mustSave(hundred())
	_, err = o.service.MakeCodes(t.Context(), o.Org, o.who, tenanttest.Key(), discount.MakeInput{Discount: single.ID, Number: 1})
	require.ErrorIs(t, err, discount.ErrNoCodes)
	_, err = o.service.MakeCodes(t.Context(), o.Org, o.who, tenanttest.Key(), discount.MakeInput{Discount: uuid.New(), Number: 1})
	require.ErrorIs(t, err, fault.Missing)
}

// TestTry: the tester says what the market says.
func TestTry(t *testing.T) {
	o := newOffice(t)
	ann := o.Customer(2000_00)
	o.Discount(tenanttest.Discount{Value: 60_00, Stack: "alone"})
	in := discount.TryInput{Discount: new(hundred()), Lines: []discount.TryLine{{Package: o.pkg, Quantity: 2}}, First: true, Channel: 2}

	t.Run("not saved, it wins over what is active, which says so", func(t *testing.T) {
		got, err := o.service.Try(t.Context(), o.Org, 300, in)
		require.NoError(t, err)
		require.Equal(t, []money.Amount{1000_00, 900_00, 27_00, 0, 873_00}, []money.Amount{got.Full, got.Total, got.Fee, got.Commission, got.Share})
		require.Len(t, got.Lost, 1)
		require.Equal(t, discount.ErrNotTogether.Code, got.Lost[0].Fault)
		require.Equal(t, "Hundred off", got.Lost[0].OtherEN)
		require.Zero(t, o.Count(`SELECT count(*) FROM discount WHERE name_en = 'Hundred off'`))
	})
	t.Run("a smaller one loses", func(t *testing.T) {
		smaller := in
		smaller.Discount = new(hundred(func(r *discount.Row) { r.Value = 50_00 }))
		got, err := o.service.Try(t.Context(), o.Org, 300, smaller)
		require.NoError(t, err)
		require.Equal(t, money.Amount(940_00), got.Total)
		require.Equal(t, "Hundred off", got.Lost[0].NameEN)
	})
	t.Run("used as often as one customer may, or of another channel, it says why", func(t *testing.T) {
		one := int32(1)
		used := in
		used.Discount, used.UsedEach = new(hundred(func(r *discount.Row) { r.UsesEach = &one })), 1
		got, err := o.service.Try(t.Context(), o.Org, 300, used)
		require.NoError(t, err)
		require.Equal(t, discount.ErrYoursUsed.Code, got.Lost[0].Fault)
		other := in
		other.Discount = new(hundred(func(r *discount.Row) { r.Channels = []int32{1} }))
		got, err = o.service.Try(t.Context(), o.Org, 300, other)
		require.NoError(t, err)
		require.Equal(t, discount.ErrChannel.Code, got.Lost[0].Fault)
	})
	t.Run("saved and active, the market charges what was tried", func(t *testing.T) {
		saved := o.mustSave(*in.Discount)
		require.NoError(t, o.activate(saved.ID))
		in.Discount = new(o.detail(saved.ID))
		got, err := o.service.Try(t.Context(), o.Org, 300, in)
		require.NoError(t, err)
		q, err := o.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{{Package: o.pkg, Quantity: 2}}, Codes: []string{strings.ToLower(in.Discount.Code)}})
		require.NoError(t, err)
		require.Equal(t, q.Total, got.Total)
	})
	t.Run("what there is not is refused at its field", func(t *testing.T) {
		wrong := in
		wrong.Lines = []discount.TryLine{{Package: uuid.New(), Quantity: 1}}
		_, err := o.service.Try(t.Context(), o.Org, 300, wrong)
		require.Equal(t, fault.NotInList.Code, at(t, err, "lines.0.package_id"))
	})
}
