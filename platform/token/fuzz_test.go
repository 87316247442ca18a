package token

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzKindOf: a token has the audience of its own prefix, or none.
func FuzzKindOf(f *testing.F) {
	for kind := range prefixes {
		plain, _ := New(kind)
		f.Add(plain)
		f.Add(plain + "A")
	}
	f.Add("us_")
	f.Add("ก")
	f.Fuzz(func(t *testing.T, plain string) {
		kind := AudienceOf(plain)
		if kind == "" {
			return
		}
		require.Equal(t, prefixes[kind], plain[:len(prefixes[kind])])
		require.Len(t, plain, len(prefixes[kind])+43)
	})
}
