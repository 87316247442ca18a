package owner

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/payout"
)

// registerPayouts registers the runs by which commission is paid out.
func (o *handlers) registerPayouts() {
	runs := payout.Runs
	registerListed(o, runs)
	registerListed(o, payout.Payouts)
	post(o, "/api/owner/story/payoutrun", guard(runs.Module(), access.See), "A run of payouts, its sums and steps", o.payoutRun)
	post(o, "/api/owner/story/payout", guard(runs.Module(), access.See), "One payee's payout, and what it is made of", o.payout)
	post(o, "/api/owner/payoutrun/next", guard(runs.Module(), access.See), "What the next run could pay, and when", func(ctx context.Context, who token.Session, _ rest.Empty) (payout.Next, error) {
		return o.Payout.Next(ctx, who.Org)
	})
	post(o, "/api/owner/payoutsetting/get", guard(runs.Module(), access.See), "What drafts of runs are made with, and when they are made by themselves", func(ctx context.Context, who token.Session, _ rest.Empty) (payout.Settings, error) {
		return o.Payout.Settings(ctx, who.Org)
	})
	post(o, "/api/owner/payoutsetting/save", guard(runs.Module(), access.Add), "Change what drafts of runs are made with", o.savePayoutSetting)
	post(o, "/api/owner/payoutschedule/add", guard(runs.Module(), access.Add), "Have runs drafted by themselves on a day of each week or month", o.addPayoutSchedule)
	post(o, "/api/owner/payoutschedule/switch", guard(runs.Module(), access.Add), "Turn a schedule on or off", o.switchPayoutSchedule)
	post(o, "/api/owner/payoutrun/draft", guard(runs.Module(), access.Add), "Draft a run: a job collects what can be paid out", o.draftRun)
	post(o, "/api/owner/payoutrun/recompute", guard(runs.Module(), access.Add), "Put a new draft in the place of one", o.recomputeRun)
	post(o, "/api/owner/payoutrun/cancel", guard(runs.Module(), access.Add), "Cancel a draft", o.cancelRun)
	post(o, "/api/owner/payout/postpone", guard(runs.Module(), access.Add), "Leave a payee of a draft to the next run", o.postponePayout)
	postKeyed(o, "/api/owner/payoutrun/propose", guard(runs.Module(), access.Change), "Ask a second person to approve a draft", o.proposeRun)
	post(o, "/api/owner/payoutrun/withdraw", guard(runs.Module(), access.Status), "Take back an approved run whose file nobody has made", o.withdrawRun)
	post(o, "/api/owner/payoutrun/export", guard(runs.Module(), access.Change), "The bank's file of a run that is booked; from then on it counts as handed over", o.exportRun)
	post(o, "/api/owner/payoutrun/result", guard(runs.Module(), access.Change), "Read the bank's answer to a run", o.readResult)
	post(o, "/api/owner/payout/say", guard(runs.Module(), access.Change), "Write down that a payout was paid, failed, or came back", o.sayOfPayout)
}

func (o *handlers) payoutRun(ctx context.Context, who token.Session, in ByID) (payout.RunStory, error) {
	return o.Payout.Run(ctx, who.Org, in.ID)
}

func (o *handlers) payout(ctx context.Context, who token.Session, in ByID) (payout.Story, error) {
	return o.Payout.Payout(ctx, who.Org, in.ID)
}

func (o *handlers) savePayoutSetting(ctx context.Context, who token.Session, in payout.Setting) (payout.Settings, error) {
	if err := o.Payout.SaveSetting(ctx, who.Org, actor(ctx, who), in); err != nil {
		return payout.Settings{}, err
	}
	return o.Payout.Settings(ctx, who.Org)
}

func (o *handlers) addPayoutSchedule(ctx context.Context, who token.Session, in payout.Rhythm) (payout.Settings, error) {
	if err := o.Payout.AddSchedule(ctx, who.Org, actor(ctx, who), in); err != nil {
		return payout.Settings{}, err
	}
	return o.Payout.Settings(ctx, who.Org)
}

func (o *handlers) switchPayoutSchedule(ctx context.Context, who token.Session, in payout.Switch) (payout.Settings, error) {
	if err := o.Payout.SwitchSchedule(ctx, who.Org, actor(ctx, who), in); err != nil {
		return payout.Settings{}, err
	}
	return o.Payout.Settings(ctx, who.Org)
}

func (o *handlers) draftRun(ctx context.Context, who token.Session, in payout.DraftInput) (payout.ByRun, error) {
	return o.Payout.Draft(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) recomputeRun(ctx context.Context, who token.Session, in payout.ByRun) (payout.ByRun, error) {
	return o.Payout.Recompute(ctx, who.Org, actor(ctx, who), in.ID)
}

func (o *handlers) cancelRun(ctx context.Context, who token.Session, in payout.ByRun) (payout.RunStory, error) {
	if err := o.Payout.Cancel(ctx, who.Org, actor(ctx, who), in.ID); err != nil {
		return payout.RunStory{}, err
	}
	return o.Payout.Run(ctx, who.Org, in.ID)
}

func (o *handlers) postponePayout(ctx context.Context, who token.Session, in payout.ByPayout) (payout.Story, error) {
	if err := o.Payout.Postpone(ctx, who.Org, actor(ctx, who), in.ID); err != nil {
		return payout.Story{}, err
	}
	return o.Payout.Payout(ctx, who.Org, in.ID)
}

func (o *handlers) proposeRun(ctx context.Context, who token.Session, key string, in payout.Proposal) (payout.Asked, error) {
	return o.Payout.Propose(ctx, who.Org, actor(ctx, who), key, in)
}

func (o *handlers) withdrawRun(ctx context.Context, who token.Session, in payout.Withdrawal) (payout.RunStory, error) {
	if err := o.Payout.Withdraw(ctx, who.Org, actor(ctx, who), in); err != nil {
		return payout.RunStory{}, err
	}
	return o.Payout.Run(ctx, who.Org, in.ID)
}

func (o *handlers) exportRun(ctx context.Context, who token.Session, in payout.ByRun) (payout.File, error) {
	return o.Payout.Export(ctx, who.Org, actor(ctx, who), in.ID)
}

func (o *handlers) readResult(ctx context.Context, who token.Session, in payout.ResultFile) (bankfile.ReadResult, error) {
	return o.Payout.ReadFile(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) sayOfPayout(ctx context.Context, who token.Session, in payout.Said) (payout.Story, error) {
	if err := o.Payout.Say(ctx, who.Org, actor(ctx, who), in); err != nil {
		return payout.Story{}, err
	}
	return o.Payout.Payout(ctx, who.Org, in.ID)
}
