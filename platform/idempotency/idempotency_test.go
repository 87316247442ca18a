package idempotency_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/idempotency"
)

// TestKey: an invalid key is refused before the database is asked, in Once and in a batch.
func TestKey(t *testing.T) {
	for name, value := range map[string]string{
		"none": "", "too short": "1234567", "too long": strings.Repeat("k", 201),
		"a zero byte": "1234567\x00", "no UTF-8": "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8", "half of a letter": "12345678\xe0\xb8",
	} {
		t.Run(name, func(t *testing.T) {
			key := idempotency.Key{Actor: uuid.New(), Operation: "order.confirm", Value: value}
			_, err := idempotency.NewCall(key, nil)
			require.ErrorIs(t, err, idempotency.ErrMissing)
			_, err = idempotency.Once(t.Context(), nil, uuid.New(), key, nil, nil, nil)
			require.ErrorIs(t, err, idempotency.ErrMissing)
		})
	}
	for name, value := range map[string]string{"the shortest": "12345678", "the longest": strings.Repeat("k", 200), "Thai": "กุญแจ"} {
		t.Run(name, func(t *testing.T) {
			_, err := idempotency.NewCall(idempotency.Key{Value: value}, nil)
			require.NoError(t, err)
		})
	}
}
