package order_test

import (
	"math"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/tenanttest"
)

// A cart's bounds hold, whoever lets a cart through: nothing is priced, sold or issued beyond them.
func TestBounds(t *testing.T) {
	w := tenanttest.New(t)
	w.AddPaymentSystem()
	ann := w.Customer(5000_00)
	pkg := w.Package(tenanttest.Package{Price: 1000_00, Vouchers: 2})
	quoted := w.Quote(ann, pkg, 1)
	many := make([]order.Line, 31)
	for i := range many {
		many[i] = order.Line{Package: uuid.New(), Quantity: 1}
	}

	for what, test := range map[string]struct {
		lines []order.Line
		want  *fault.Fault
	}{
		"a quantity of zero":               {[]order.Line{{Package: pkg, Quantity: 0}}, fault.At("lines.0.quantity", fault.TooSmall)},
		"a negative quantity":              {[]order.Line{{Package: pkg, Quantity: -1}}, fault.At("lines.0.quantity", fault.TooSmall)},
		"the smallest integer":             {[]order.Line{{Package: pkg, Quantity: math.MinInt}}, fault.At("lines.0.quantity", fault.TooSmall)},
		"a quantity above the limit":       {[]order.Line{{Package: pkg, Quantity: 100}}, fault.At("lines.0.quantity", fault.TooBig)},
		"a quantity whose price overflows": {[]order.Line{{Package: pkg, Quantity: 4611686018427387904}}, fault.At("lines.0.quantity", fault.TooBig)},
		"the largest integer":              {[]order.Line{{Package: pkg, Quantity: math.MaxInt}}, fault.At("lines.0.quantity", fault.TooBig)},
		"one package twice":                {[]order.Line{{Package: pkg, Quantity: 1}, {Package: pkg, Quantity: 1}}, fault.At("lines.1.package_id", fault.Duplicate)},
		"no lines":                         {nil, fault.At("lines", fault.TooShort)},
		"more lines than a cart has":       {many, fault.At("lines", fault.TooLong)},
	} {
		t.Run(what, func(t *testing.T) {
			in := quoted
			in.Lines = test.lines
			_, err := w.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: test.lines})
			require.Equal(t, test.want, err)
			_, err = w.Order.Buy(t.Context(), ann, tenanttest.Key(), in)
			require.Equal(t, test.want, err)
			_, err = w.Order.Pay(t.Context(), ann, tenanttest.Key(), "", order.PayInput{BuyInput: in, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
			require.Equal(t, test.want, err)
		})
	}

	require.Zero(t, w.Count(`SELECT count(*) FROM orders`))
	require.Zero(t, w.Count(`SELECT count(*) FROM voucher`))
	w.MustBalance()
}

// Prices that each fit make no sum beyond what may move.
func TestBoundsOfTheSum(t *testing.T) {
	w := tenanttest.New(t)
	ann := w.Customer(0)
	pkg := w.Package(tenanttest.Package{Price: 1_000_000_000_000})

	_, err := w.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{{Package: pkg, Quantity: 10}}})
	require.NoError(t, err)
	_, err = w.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{{Package: pkg, Quantity: 11}}})
	require.Equal(t, fault.At("lines", fault.TooBig), err)
	_, err = w.Order.Quote(t.Context(), ann, order.QuoteInput{Lines: []order.Line{
		{Package: pkg, Quantity: 10}, {Package: w.Package(tenanttest.Package{Price: 1}), Quantity: 1},
	}})
	require.Equal(t, fault.At("lines", fault.TooBig), err)
}
