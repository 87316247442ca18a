package payment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/omise/omise-go"
	"github.com/omise/omise-go/operations"

	"welovevoucher/platform/money"
)

// Live reports whether a public key belongs to the mode that moves real money.
func Live(publicKey string) bool { return !strings.HasPrefix(publicKey, "pkey_test_") }

// trial is the amount of the source that VerifyKeys makes and nobody charges.
const trial = 100 * money.Baht

// VerifyKeys implements Gateway. It reads the account with the secret key. No call returns an account's public key, so it makes a
// source with the public key and reads it with the secret one: that of another account is not found. A source moves no money.
func (o *Omise) VerifyKeys(ctx context.Context) error {
	if Live(o.keys.Public) != o.live() {
		return fmt.Errorf("Omise keys: one is for tests: %w", ErrPair)
	}
	var account omise.Account
	err := o.do(ctx, func(c *omise.Client) error { return c.Do(&account, &operations.RetrieveAccount{}) })
	switch {
	case errors.Is(err, ErrRefused), errors.Is(err, ErrUnknownCharge):
		return fmt.Errorf("Omise account: %w", ErrKeys)
	case err != nil:
		return fmt.Errorf("Omise account: %w", err)
	case account.Live != o.live():
		return fmt.Errorf("Omise account: of the other mode: %w", ErrKeys)
	}

	var made, found omise.Source
	err = o.do(ctx, func(c *omise.Client) error {
		return c.Do(&made, &operations.CreateSource{Type: "promptpay", Amount: int64(trial), Currency: "thb"})
	})
	if err == nil {
		err = o.do(ctx, func(c *omise.Client) error { return c.Do(&found, &operations.RetrieveSource{SourceID: made.ID}) })
	}
	switch {
	case errors.Is(err, ErrRefused), errors.Is(err, ErrUnknownCharge):
		return fmt.Errorf("Omise public key: %w", ErrPair)
	case err != nil:
		return fmt.Errorf("Omise public key: %w", err)
	}
	return nil
}
