package access_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/access"
)

// TestPlace: a module stands where it says, however early the package that declares it is initialised.
func TestPlace(t *testing.T) {
	for _, m := range []access.Module{
		{Name: "late", Group: "b", Place: 20}, {Name: "other", Group: "a", Place: 30}, {Name: "soon", Group: "b", Place: 10}, {Name: "between", Group: "b", Place: 15},
	} {
		access.NewModule(m)
	}
	require.Equal(t, []string{"other", "soon", "between", "late"}, access.ModuleNames())
}
