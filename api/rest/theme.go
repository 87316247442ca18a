package rest

import (
	"context"

	"welovevoucher/platform/theme"
	"welovevoucher/platform/token"
)

// Theme answers the theme of two colours, whoever asks.
func Theme(_ context.Context, _ token.Session, in theme.Colours) (theme.Theme, error) {
	return theme.Of(in), nil
}
