package admin

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
)

func (c handlers) log(ctx context.Context, _ token.Session, in org.LogInput) (org.LogPage, error) {
	return c.Org.Log(ctx, in)
}

func (c handlers) logFile(ctx context.Context, who token.Session, in org.LogFilter) (org.LogFile, error) {
	return c.Org.LogFile(ctx, actor(ctx, who), rest.From(ctx).Lang, in)
}
