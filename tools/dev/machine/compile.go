//go:build unix

package machine

import (
	"cmp"
	"context"
	"os"
	"slices"

	"welovevoucher/tools/process"
)

// Compile runs `go build` without C, as for production, and without tables for a debugger. The compiler's processes end within seconds; left to collect garbage as a server would, they take a
// fifth longer for it.
func Compile(ctx context.Context, args ...string) error {
	env := append(os.Environ(), "GOGC="+cmp.Or(os.Getenv("GOGC"), "300"), "CGO_ENABLED=0")
	return process.Run(ctx, env, "go", slices.Concat([]string{"build", "-ldflags=-w"}, args)...)
}
