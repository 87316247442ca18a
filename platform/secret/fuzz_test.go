package secret

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// FuzzOpen: a value opens only as it was sealed, and only with its own AAD.
func FuzzOpen(f *testing.F) {
	box, err := New(bytes.Repeat([]byte{7}, 32))
	require.NoError(f, err)
	here := AAD{Org: uuid.UUID{1}, Column: "payment_system.secret", Row: uuid.UUID{2}}
	sealed, err := box.Seal(here, []byte("skey_test_1"))
	require.NoError(f, err)
	f.Add(sealed)
	f.Add(sealed[:len(sealed)-1])
	f.Add(append([]byte{2}, sealed[1:]...))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, text []byte) {
		plain, err := box.Open(here, text)
		if err != nil {
			require.ErrorIs(t, err, ErrOpen)
			return
		}
		require.Equal(t, "skey_test_1", string(plain), "nothing else was ever sealed with this key")
		_, err = box.Open(AAD{Org: uuid.UUID{3}, Column: here.Column, Row: here.Row}, text)
		require.ErrorIs(t, err, ErrOpen)
	})
}
