package user

import (
	"context"
	"errors"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/session"

	"welovevoucher/api/rest"
)

// quote lets ten codes of discounts an hour be wrong, and sixty of an address: more would be guessing. So do buy and payOrder, which would say as well
// whether a code is one.
func (c handlers) quote(ctx context.Context, who token.Session, in order.QuoteInput) (q order.Quote, err error) {
	err = c.guessing(ctx, who, in.Codes, func() (wrong int, err error) {
		q, err = c.Order.Quote(ctx, who, in)
		for _, l := range q.Lost {
			if l.Fault == discount.ErrUnknown.Code {
				wrong++
			}
		}
		return wrong, err
	})
	return q, err
}

func (c handlers) buy(ctx context.Context, who token.Session, key string, in order.BuyInput) (o order.Order, err error) {
	err = c.guessing(ctx, who, in.Codes, func() (int, error) {
		o, err = c.Order.Buy(ctx, who, key, in)
		return wrongIn(err, in.Codes), err
	})
	return o, err
}

func (c handlers) payOrder(ctx context.Context, who token.Session, key string, in order.PayInput) (o order.Order, err error) {
	err = c.guessing(ctx, who, in.Codes, func() (int, error) {
		o, err = c.Order.Pay(ctx, who, key, rest.From(ctx).Origin+session.OwnPath(in.Return), in)
		return wrongIn(err, in.Codes), err
	})
	return o, err
}

// wrongIn counts all codes of a purchase as wrong if one is: its answer names only the first.
func wrongIn(err error, codes []string) int {
	if errors.Is(err, discount.ErrUnknown) {
		return len(codes)
	}
	return 0
}

// guessing counts codes as wrong before use looks at them, and takes back those that are not. It returns discount.ErrTooManyTries with a ratelimit.Wait.
func (c handlers) guessing(ctx context.Context, who token.Session, codes []string, use func() (wrong int, err error)) error {
	counters := []ratelimit.Counter{
		ratelimit.DiscountCode.For(who.Org.String() + ":" + who.Subject.String()), ratelimit.DiscountCodeShared.ForAddress(who.Address),
	}
	for range codes {
		for _, counter := range counters {
			if err := c.Limits.Guess(ctx, counter); errors.Is(err, fault.RateLimited) {
				return discount.ErrTooManyTries.With(fault.From(err).Detail)
			} else if err != nil {
				return err
			}
		}
	}
	wrong, err := use()
	for range len(codes) - wrong {
		for _, counter := range counters {
			err = errors.Join(err, c.Limits.Right(ctx, counter))
		}
	}
	return err
}
