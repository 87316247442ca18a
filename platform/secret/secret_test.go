package secret_test

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/secret"
)

func TestSeal(t *testing.T) {
	box := mustBox(t, 1)
	at := secret.AAD{Org: uuid.New(), Column: "payment_system.secret_key", Row: uuid.New()}
	sealed, err := box.Seal(at, []byte("skey_test"))
	require.NoError(t, err)

	t.Run("a sealed value opens with its own AAD", func(t *testing.T) {
		plain, err := box.Open(at, sealed)
		require.NoError(t, err)
		require.Equal(t, "skey_test", string(plain))
	})

	t.Run("a sealed value shows nothing of its text, and is never the same twice", func(t *testing.T) {
		again, err := box.Seal(at, []byte("skey_test"))
		require.NoError(t, err)
		require.NotEqual(t, sealed, again)
		require.NotContains(t, string(sealed), "skey")
	})

	t.Run("a sealed value does not open with another AAD or key, or changed", func(t *testing.T) {
		for _, other := range []secret.AAD{
			{Org: uuid.New(), Column: at.Column, Row: at.Row},
			{Org: at.Org, Column: "payment_system.webhook_secret", Row: at.Row},
			{Org: at.Org, Column: at.Column, Row: uuid.New()},
		} {
			_, err := box.Open(other, sealed)
			require.ErrorIs(t, err, secret.ErrOpen)
		}
		for i := range sealed {
			changed := bytes.Clone(sealed)
			changed[i] ^= 1
			_, err := box.Open(at, changed)
			require.ErrorIs(t, err, secret.ErrOpen)
		}
		_, err := mustBox(t, 2).Open(at, sealed)
		require.ErrorIs(t, err, secret.ErrOpen)
		_, err = box.Open(at, nil)
		require.ErrorIs(t, err, secret.ErrOpen)
	})
}

func TestIndex(t *testing.T) {
	box, org := mustBox(t, 1), uuid.New()
	index := func(org uuid.UUID, column, value string) string {
		i, err := box.Index(org, column, value)
		require.NoError(t, err)
		return string(i)
	}

	again := index(org, "customer.mobile", "0812345678")
	require.Equal(t, again, index(org, "customer.mobile", "0812345678"))
	require.NotEqual(t, index(org, "customer.mobile", "0812345678"), index(uuid.New(), "customer.mobile", "0812345678"))
	require.NotEqual(t, index(org, "customer.mobile", "0812345678"), index(org, "customer.phone", "0812345678"))
}

func TestPasswords(t *testing.T) {
	p, err := secret.NewPasswords(mustBox(t, 1))
	require.NoError(t, err)
	hash, err := p.Hash(t.Context(), "lamai2026")
	require.NoError(t, err)

	for password, want := range map[string]bool{"lamai2026": true, "lamai2027": false, "": false} {
		same, err := p.Matches(t.Context(), password, hash)
		require.NoError(t, err)
		require.Equal(t, want, same)
	}

	t.Run("an empty hash, of an account that does not exist, matches no password", func(t *testing.T) {
		same, err := p.Matches(t.Context(), "no such account", "")
		require.NoError(t, err)
		require.False(t, same)
	})

	t.Run("a hash matches nothing under another master key", func(t *testing.T) {
		other, err := secret.NewPasswords(mustBox(t, 2))
		require.NoError(t, err)
		same, err := other.Matches(t.Context(), "lamai2026", hash)
		require.NoError(t, err)
		require.False(t, same)
	})
}

func mustBox(t *testing.T, seed byte) *secret.Box {
	t.Helper()
	box, err := secret.New(bytes.Repeat([]byte{seed}, 32))
	require.NoError(t, err)
	return box
}
