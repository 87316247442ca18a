package admin

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/settlement"
)

// SettlementRuns are runs that pay organisations.
type SettlementRuns struct {
	Data []settlement.RunRow `json:"data"`
}

func (c handlers) settlementRuns(ctx context.Context, _ token.Session, _ rest.Empty) (SettlementRuns, error) {
	list, err := c.Settlement.Runs(ctx)
	return SettlementRuns{list}, err
}

func (c handlers) settlementRun(ctx context.Context, _ token.Session, in settlement.ByRun) (settlement.RunDetail, error) {
	return c.Settlement.Run(ctx, in)
}

func (c handlers) draftSettlement(ctx context.Context, who token.Session, in settlement.DraftInput) (settlement.ByRun, error) {
	return c.Settlement.Draft(ctx, actor(ctx, who), in)
}

func (c handlers) cancelSettlement(ctx context.Context, who token.Session, in settlement.ByRun) (rest.Empty, error) {
	return rest.Empty{}, c.Settlement.Cancel(ctx, actor(ctx, who), in)
}

func (c handlers) approveSettlement(ctx context.Context, who token.Session, in settlement.Approval) (rest.Empty, error) {
	return rest.Empty{}, c.Settlement.Approve(ctx, who, actor(ctx, who), in)
}

func (c handlers) withdrawSettlement(ctx context.Context, who token.Session, in settlement.Withdrawal) (rest.Empty, error) {
	return rest.Empty{}, c.Settlement.Withdraw(ctx, actor(ctx, who), in)
}

func (c handlers) exportSettlement(ctx context.Context, who token.Session, in settlement.ByRun) (settlement.File, error) {
	return c.Settlement.Export(ctx, actor(ctx, who), in)
}

func (c handlers) readSettlement(ctx context.Context, who token.Session, in settlement.ResultFile) (bankfile.ReadResult, error) {
	return c.Settlement.ReadFile(ctx, actor(ctx, who), in)
}

func (c handlers) saySettlement(ctx context.Context, who token.Session, in settlement.Said) (rest.Empty, error) {
	return rest.Empty{}, c.Settlement.Say(ctx, actor(ctx, who), in)
}
