// Package workers does what must happen after a commit, and what the clock asks for.
package workers

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/realtime"
	"welovevoucher/platform/report"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/approval"
	"welovevoucher/tenants/care"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/hold"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/points"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/push"
	"welovevoucher/tenants/receipt"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/settlement"
	"welovevoucher/tenants/signin"
	"welovevoucher/tenants/voucher"
	"welovevoucher/tenants/withholding"
)

// RegisterNotices registers the handlers of notices.
func RegisterNotices(mux *queue.Mux, s *tenants.Services, socket *realtime.Publisher) {
	queue.HandleInline(mux, func(ctx context.Context, org uuid.UUID, jobs []notice.Job) error {
		events := make([]realtime.Event, 0, len(jobs)+1)
		for _, job := range jobs {
			events = append(events, realtime.Event{Room: notice.SubjectRoom(org, job.Audience, job.Subject), Name: realtime.CommandPrint, Payload: job.Event})
		}
		if slices.ContainsFunc(jobs, ofOverview) {
			events = append(events, realtime.Event{Room: notice.AudienceRoom(org, token.Owner), Name: realtime.OptionUpdate, Payload: notice.TableUpdate{Table: "dashboard"}})
		}
		return socket.Emit(ctx, events...)
	})
	queue.HandleInline(mux, func(ctx context.Context, org uuid.UUID, jobs []notice.TableUpdate) error {
		told := map[string]bool{}
		var events []realtime.Event
		for _, job := range jobs {
			if told[job.Table] {
				continue
			}
			told[job.Table] = true
			more, err := updates(ctx, s, org, job)
			if err != nil {
				return err
			}
			events = append(events, more...)
		}
		return socket.Emit(ctx, events...)
	})
}

// updates are the events for open screens of a table that has changed: its list, where it is an option list, goes to those who
// may see it; the rest of the back office receives the table's name alone.
func updates(ctx context.Context, s *tenants.Services, org uuid.UUID, job notice.TableUpdate) ([]realtime.Event, error) {
	rows, module, err := s.OfficeOptions(ctx, org, job.Table)
	if err != nil {
		return nil, err
	}
	var events []realtime.Event
	for _, audience := range []token.Audience{token.Owner, token.Staff} {
		everybody := realtime.Event{Room: notice.AudienceRoom(org, audience), Name: realtime.OptionUpdate, Payload: job}
		if rows != nil {
			everybody.Except = notice.ModuleRoom(org, audience, module)
			events = append(events, realtime.Event{Room: everybody.Except, Name: realtime.OptionUpdate, Payload: notice.Options{Table: job.Table, Data: rows}})
		}
		events = append(events, everybody)
	}
	options, known, err := s.ShopOptions(ctx, org, job.Table)
	if err != nil || !known {
		return events, err
	}
	for _, audience := range []token.Audience{token.User, token.Agent} {
		event := realtime.Event{Room: notice.AudienceRoom(org, audience), Name: realtime.OptionUpdate, Payload: job}
		if options != nil {
			event.Payload = notice.Options{Table: job.Table, Data: options}
		}
		events = append(events, event)
	}
	return events, nil
}

// RegisterJobs registers the handler of every job.
func RegisterJobs(mux *queue.Mux, s *tenants.Services, socket *realtime.Publisher) {
	RegisterNotices(mux, s, socket)
	queue.HandleLong(mux, s.Files.Make)
	queue.HandleExternal(mux, s.Files.Forget)
	queue.HandleExternal(mux, func(ctx context.Context, _, _ uuid.UUID, job provisioning.Job) error {
		return s.Provisioning.Run(ctx, job.Org)
	})
	queue.HandleExternal(mux, func(ctx context.Context, _, _ uuid.UUID, job provisioning.SettlePaymentJob) error {
		return s.Provisioning.SettlePayment(ctx, job.Org)
	})
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, job charge.CheckJob) error {
		return s.Charge.Check(ctx, org, job.Charge)
	})
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, job charge.GatewayEventJob) error {
		return s.Charge.HandleGatewayEvent(ctx, org, job)
	})
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, job charge.RemitJob) error {
		return s.Charge.Remit(ctx, org, job)
	})
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ remitAgain) error { return charge.RemitAgain(ctx, tx) })
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, _ pollEvents) error { return s.Charge.PollEvents(ctx, org) })
	queue.HandleExternal(mux, func(ctx context.Context, _, _ uuid.UUID, _ pollPlatformEvents) error {
		return s.Charge.PollPlatformEvents(ctx)
	})
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ endDue) error {
		if err := s.Voucher.EndDue(ctx, org); err != nil {
			return err
		}
		return s.Objection.UndoDue(ctx, org)
	})
	queue.SkipUnless[endDue](mux, voucher.AnyDue)
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ matureCommissions) error {
		return commission.MatureDue(ctx, s.DB, org)
	})
	queue.SkipUnless[matureCommissions](mux, commission.AnyDue)
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ grantPoints) error { return points.GrantDue(ctx, s.DB, org) })
	queue.SkipUnless[grantPoints](mux, points.AnyDue)
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ lapsePoints) error { return points.LapseDue(ctx, s.DB, org) })
	queue.SkipUnless[lapsePoints](mux, points.AnyOver)
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ payout.WorkJob) error { return s.Payout.Work(ctx, org) })
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ workPayouts) error { return s.Payout.Work(ctx, org) })
	queue.SkipUnless[workPayouts](mux, payout.AnyToDo)
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ issueCertificates) error {
		return s.Withholding.Issue(ctx, org)
	})
	queue.SkipUnless[issueCertificates](mux, withholding.AnyDue)
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ draftPayouts) error {
		return s.Payout.DraftScheduled(ctx, org)
	})
	queue.SkipUnless[draftPayouts](mux, payout.AnyScheduled)
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ findHolds) error { return s.Hold.Find(ctx, org) })
	queue.SkipUnless[findHolds](mux, hold.AnyDue)
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ markLatePayouts) error { return s.Payout.MarkLate(ctx, org) })
	queue.SkipUnless[markLatePayouts](mux, payout.AnyUnanswered)
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ expireVouchers) error {
		return s.Voucher.ExpireAllVouchers(ctx, org)
	})
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ rollup.Facts) error {
		if err := rollup.Follow(ctx, s.DB, org); err != nil {
			return err
		}
		return s.Overview.FollowDays(ctx, org)
	})
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ followOverview) error { return s.Overview.Follow(ctx, org) })
	queue.HandleLong(mux, func(ctx context.Context, org, _ uuid.UUID, _ buildOverview) error { return s.Overview.Build(ctx, org) })
	queue.HandleLong(mux, func(ctx context.Context, _, _ uuid.UUID, _ overview.BuildJob) error { return s.Overview.BuildAll(ctx) })
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ decideCases) error { return refund.Decide(ctx, s.DB, org) })
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, job charge.SettleJob) error {
		return refund.Settle(ctx, tx, job.Customer, true)
	})
	queue.HandleLong(mux, func(ctx context.Context, org, _ uuid.UUID, job care.RunJob) error { return s.Care.Do(ctx, org, job) })
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ lapseApprovals) error { return approval.Lapse(ctx, tx) })
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ lapseApplications) error { return s.Applications.Lapse(ctx, tx) })
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ endMembers) error { return s.Member.EndDue(ctx, tx) })
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, _ deletePictures) error {
		return s.Album.DeleteDropped(ctx, org)
	})
	queue.SkipUnless[deletePictures](mux, payee.AnyDropped)
	queue.HandleParts(mux, func(ctx context.Context, _ uuid.UUID, _ settlement.WorkJob) error { return s.Settlement.Work(ctx) })
	queue.HandleParts(mux, func(ctx context.Context, _ uuid.UUID, _ workSettlements) error { return s.Settlement.Work(ctx) })
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, job settlement.AccountJob) error {
		return s.Settlement.Follow(ctx, org, job)
	})
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ forgetFormer) error { return customer.ForgetFormer(ctx, tx) })
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ forgetWords) error { return gift.ForgetWords(ctx, tx) })
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ forgetMessages) error { return message.ForgetOld(ctx, tx) })
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ remind) error { return message.Remind(ctx, s.DB, org) })
	queue.HandleParts(mux, func(ctx context.Context, org uuid.UUID, _ gatherPushes) error { return s.Push.Gather(ctx, org) })
	queue.SkipUnless[gatherPushes](mux, push.AnyToPush)
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, job push.SendJob) error { return s.Push.Send(ctx, org, job) })
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, _ countPushes) error { return s.Push.Count(ctx, org) })
	queue.SkipUnless[countPushes](mux, push.Sends)
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ forgetPushes) error { return push.ForgetOld(ctx, tx) })
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, job receipt.SendJob) error {
		return s.Receipt.Deliver(ctx, org, job)
	})
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, job signin.ForgottenJob) error {
		return s.SignIn.MailForgotten(ctx, org, job)
	})
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ dueReports) error { return reports.EnqueueDue(ctx, tx) })
	queue.SkipUnless[dueReports](mux, reports.AnyDue)
	queue.HandleExternal(mux, func(ctx context.Context, org, _ uuid.UUID, job reports.MailJob) error {
		return s.Subscriptions.Deliver(ctx, org, job)
	})
	queue.HandleTx(mux, func(ctx context.Context, tx db.Tx, _ sealDays) error {
		if err := ledger.SealDays(ctx, tx); err != nil {
			return err
		}
		return auditlog.SealDays(ctx, tx)
	})
	queue.HandleExternal(mux, func(ctx context.Context, _, _ uuid.UUID, _ sealPlatformLog) error {
		return s.DB.InPlatform(ctx, func(tx db.Tx) error { return auditlog.SealDays(ctx, tx) })
	})
	queue.HandleLong(mux, func(ctx context.Context, org, _ uuid.UUID, _ auditBooks) error { return order.LogAudit(ctx, s.DB, org) })
	queue.HandleExternal(mux, func(ctx context.Context, _, _ uuid.UUID, _ sweepSessions) error {
		if err := s.Admins.SweepSignIns(ctx); err != nil {
			return err
		}
		return s.Session.Sweep(ctx)
	})
	queue.HandleExternal(mux, func(ctx context.Context, _, _ uuid.UUID, _ fillSchemaPool) error {
		return s.Provisioning.FillSchemaPool(ctx)
	})
	queue.HandleExternal(mux, func(ctx context.Context, _, _ uuid.UUID, _ verifyHosts) error {
		return s.Provisioning.VerifyPendingHosts(ctx)
	})
}

// ofOverview reports whether a customer's event belongs to the owner's overview as well: a use, a sale, money that came
// in. The owner is notified from here, once for all that came together, so that a sale writes nothing more for it.
func ofOverview(job notice.Job) bool {
	return job.Audience == token.User && slices.Contains([]string{"use", "wallet", "order"}, job.Event.Topic)
}

// RegisterSchedule is what the clock asks for. One process at a time holds it.
func RegisterSchedule(schedule *queue.Schedule) {
	schedule.EveryOrg(30*time.Second, endDue{})
	schedule.EveryOrg(30*time.Second, matureCommissions{})
	schedule.EveryOrg(30*time.Second, grantPoints{})
	schedule.EveryOrg(10*time.Minute, lapsePoints{})
	schedule.EveryOrg(time.Minute, workPayouts{})
	schedule.EveryOrg(time.Minute, issueCertificates{})
	schedule.EveryOrg(10*time.Minute, draftPayouts{})
	schedule.EveryOrg(10*time.Minute, findHolds{})
	schedule.EveryOrg(time.Hour, markLatePayouts{})
	schedule.EveryOrg(15*time.Minute, expireVouchers{})
	schedule.EveryOrg(time.Hour, decideCases{})
	schedule.EveryOrg(time.Hour, lapseApprovals{})
	schedule.EveryOrg(time.Hour, lapseApplications{})
	schedule.EveryOrg(10*time.Minute, endMembers{})
	schedule.EveryOrg(time.Minute, deletePictures{})
	schedule.EveryOrg(time.Hour, sealDays{})
	schedule.Every(time.Hour, sealPlatformLog{})
	schedule.EveryOrg(24*time.Hour, auditBooks{})
	schedule.EveryOrg(5*time.Minute, followOverview{})
	schedule.EveryOrg(24*time.Hour, buildOverview{})
	schedule.EveryOrg(time.Hour, remitAgain{})
	schedule.EveryOrg(6*time.Hour, pollEvents{})
	schedule.Every(6*time.Hour, pollPlatformEvents{})
	schedule.EveryOrg(24*time.Hour, forgetFormer{})
	schedule.EveryOrg(24*time.Hour, forgetWords{})
	schedule.EveryOrg(24*time.Hour, forgetMessages{})
	schedule.EveryOrg(time.Hour, remind{})
	schedule.EveryOrg(30*time.Second, gatherPushes{})
	schedule.EveryOrg(time.Hour, countPushes{})
	schedule.EveryOrg(24*time.Hour, forgetPushes{})
	schedule.EveryOrg(24*time.Hour, report.PurgeJob{})
	schedule.EveryOrg(15*time.Minute, dueReports{})
	schedule.Every(24*time.Hour, sweepSessions{})
	schedule.Every(10*time.Minute, fillSchemaPool{})
	schedule.Every(time.Minute, workSettlements{})
	schedule.Every(10*time.Minute, verifyHosts{})
}

type (
	pollEvents         struct{}
	pollPlatformEvents struct{}
	remitAgain         struct{}
	endDue             struct{}
	matureCommissions  struct{}
	grantPoints        struct{}
	lapsePoints        struct{}
	workPayouts        struct{}
	issueCertificates  struct{}
	draftPayouts       struct{}
	findHolds          struct{}
	markLatePayouts    struct{}
	expireVouchers     struct{}
	lapseApprovals     struct{}
	lapseApplications  struct{}
	endMembers         struct{}
	deletePictures     struct{}
	decideCases        struct{}
	forgetFormer       struct{}
	forgetWords        struct{}
	forgetMessages     struct{}
	remind             struct{}
	dueReports         struct{}
	gatherPushes       struct{}
	countPushes        struct{}
	forgetPushes       struct{}
	sealDays           struct{}
	sealPlatformLog    struct{}
	auditBooks         struct{}
	followOverview     struct{}
	buildOverview      struct{}
	sweepSessions      struct{}
	fillSchemaPool     struct{}
	workSettlements    struct{}
	verifyHosts        struct{}
)

// Kinds are stored in outbox rows, so they keep their first names: wallet.* are of charge and ledger, onboard.* of provisioning.

func (remitAgain) Kind() string         { return "charge.remit_again" }
func (pollEvents) Kind() string         { return "wallet.look_back" }
func (pollPlatformEvents) Kind() string { return "wallet.look_back_platform" }
func (endDue) Kind() string             { return "voucher.expire_uses" }
func (matureCommissions) Kind() string  { return "commission.mature" }
func (grantPoints) Kind() string        { return "points.grant" }
func (lapsePoints) Kind() string        { return "points.lapse" }
func (workPayouts) Kind() string        { return "payout.work_due" }
func (issueCertificates) Kind() string  { return "withholding.issue" }
func (draftPayouts) Kind() string       { return "payout.draft_scheduled" }
func (findHolds) Kind() string          { return "commission.find_holds" }
func (markLatePayouts) Kind() string    { return "payout.mark_late" }
func (expireVouchers) Kind() string     { return "voucher.expire" }
func (lapseApprovals) Kind() string     { return "approval.lapse" }
func (lapseApplications) Kind() string  { return "agent.lapse" }
func (endMembers) Kind() string         { return "member.end_due" }
func (deletePictures) Kind() string     { return "payee.delete_pictures" }
func (decideCases) Kind() string        { return "refund.decide" }
func (sealPlatformLog) Kind() string    { return "auditlog.seal_platform" }
func (forgetFormer) Kind() string       { return "customer.forget_former" }
func (forgetWords) Kind() string        { return "gift.forget_words" }
func (forgetMessages) Kind() string     { return "message.forget_old" }
func (remind) Kind() string             { return "message.remind" }
func (dueReports) Kind() string         { return "report.due" }
func (gatherPushes) Kind() string       { return "push.gather" }
func (countPushes) Kind() string        { return "push.count" }
func (forgetPushes) Kind() string       { return "push.forget_old" }
func (sealDays) Kind() string           { return "wallet.seal" }
func (auditBooks) Kind() string         { return "ledger.audit" }
func (followOverview) Kind() string     { return "overview.follow" }
func (buildOverview) Kind() string      { return "overview.build_org" }
func (sweepSessions) Kind() string      { return "session.sweep" }
func (fillSchemaPool) Kind() string     { return "onboard.spare_schemas" }
func (workSettlements) Kind() string    { return "settlement.work_due" }
func (verifyHosts) Kind() string        { return "onboard.verify_hosts" }

// Run relays, works and keeps the timetable until ctx is done and each has finished what it had in hand.
func Run(ctx context.Context, relay *queue.Relay, server *queue.Server, schedule *queue.Schedule) error {
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	beside.Go(func() { relay.Run(ctx) })
	beside.Go(func() { schedule.Run(ctx) })
	if err := server.Run(ctx); err != nil {
		return fmt.Errorf("workers: %w", err)
	}
	return nil
}
