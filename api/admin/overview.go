package admin

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/overview"
)

func (c handlers) overview(ctx context.Context, _ token.Session, in overview.Span) (overview.Overview, error) {
	return c.Overview.Overview(ctx, in)
}

func (c handlers) rank(ctx context.Context, _ token.Session, in overview.RankInput) (overview.RankPage, error) {
	return c.Overview.Rank(ctx, in)
}

func (c handlers) buildOverview(ctx context.Context, who token.Session, _ rest.Empty) (rest.Empty, error) {
	return rest.Empty{}, c.Overview.EnqueueBuild(ctx, actor(ctx, who))
}

func (c handlers) jobs(ctx context.Context, _ token.Session, in overview.JobInput) (overview.JobPage, error) {
	return c.Overview.Jobs(ctx, in)
}

func (c handlers) lookAtJobs(ctx context.Context, _ token.Session, in ID) (rest.Empty, error) {
	return rest.Empty{}, c.Overview.Look(ctx, in.ID)
}

func (c handlers) runAgain(ctx context.Context, who token.Session, in overview.ByJob) (rest.Empty, error) {
	return rest.Empty{}, c.Overview.RunAgain(ctx, actor(ctx, who), in)
}

func (c handlers) stopJob(ctx context.Context, who token.Session, in overview.ByJob) (rest.Empty, error) {
	return rest.Empty{}, c.Overview.Stop(ctx, actor(ctx, who), in)
}

func (c handlers) customers(ctx context.Context, _ token.Session, in overview.CustomerInput) (overview.CustomerPage, error) {
	return c.Overview.Customers(ctx, in)
}

func (c handlers) customer(ctx context.Context, who token.Session, in overview.ByCustomer) (overview.CustomerRecord, error) {
	return c.Overview.Customer(ctx, actor(ctx, who), in)
}

func (c handlers) customerFile(ctx context.Context, who token.Session, in overview.CustomerFilter) (overview.File, error) {
	return c.Overview.CustomerFile(ctx, actor(ctx, who), rest.From(ctx).Lang, in)
}

func (c handlers) wallets(ctx context.Context, _ token.Session, in overview.WalletInput) (overview.WalletPage, error) {
	return c.Overview.Wallets(ctx, in)
}

func (c handlers) wallet(ctx context.Context, who token.Session, in overview.ByCustomer) (overview.WalletRecord, error) {
	return c.Overview.Wallet(ctx, actor(ctx, who), in)
}

func (c handlers) walletFile(ctx context.Context, who token.Session, in overview.WalletFilter) (overview.File, error) {
	return c.Overview.WalletFile(ctx, actor(ctx, who), rest.From(ctx).Lang, in)
}

func (c handlers) deposits(ctx context.Context, _ token.Session, in overview.DepositInput) (overview.DepositPage, error) {
	return c.Overview.Deposits(ctx, in)
}

func (c handlers) deposit(ctx context.Context, who token.Session, in overview.ByDeposit) (overview.DepositRecord, error) {
	return c.Overview.Deposit(ctx, actor(ctx, who), in)
}

func (c handlers) depositFile(ctx context.Context, who token.Session, in overview.DepositFilter) (overview.File, error) {
	return c.Overview.DepositFile(ctx, actor(ctx, who), rest.From(ctx).Lang, in)
}

func (c handlers) vouchers(ctx context.Context, _ token.Session, in overview.VoucherInput) (overview.VoucherPage, error) {
	return c.Overview.Vouchers(ctx, in)
}

func (c handlers) voucher(ctx context.Context, who token.Session, in overview.ByVoucher) (overview.VoucherRecord, error) {
	return c.Overview.Voucher(ctx, actor(ctx, who), in)
}

func (c handlers) voucherFile(ctx context.Context, who token.Session, in overview.VoucherFilter) (overview.File, error) {
	return c.Overview.VoucherFile(ctx, actor(ctx, who), rest.From(ctx).Lang, in)
}

func (c handlers) paymentSystems(ctx context.Context, _ token.Session, in overview.PaymentSystemInput) (p overview.PaymentSystems, err error) {
	p, err = c.Overview.PaymentSystems(ctx, in)
	p.PlatformAccount = c.Provisioning.PlatformAccount()
	return p, err
}

func (c handlers) staff(ctx context.Context, _ token.Session, in overview.StaffInput) (overview.StaffPage, error) {
	return c.Overview.Staff(ctx, in)
}

func (c handlers) staffFile(ctx context.Context, who token.Session, in overview.StaffFilter) (overview.File, error) {
	return c.Overview.StaffFile(ctx, actor(ctx, who), rest.From(ctx).Lang, in)
}
