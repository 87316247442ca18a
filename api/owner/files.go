package owner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/report"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/otp"
	"welovevoucher/tenants/reports"
	"welovevoucher/tenants/staff"
)

// JobInput asks for a file of a report.
type JobInput struct {
	Report string         `json:"report" maxLength:"40"`
	Filter map[string]any `json:"filter" doc:"As the report's own call takes it"`
	Format string         `json:"format" enum:"csv,xlsx"`
}

// ReportInput names a report.
type ReportInput struct {
	Report string `json:"report" maxLength:"40"`
}

// ReadInput asks for the rows of a report.
type ReadInput struct {
	Filter map[string]any `json:"filter" doc:"What its description names, and from and to where it is of days"`
	After  string         `json:"after,omitempty" required:"false" maxLength:"100" doc:"Next of the page before"`
}

// Jobs are the files somebody asked for, latest first.
type Jobs struct {
	Data []report.Export `json:"data"`
}

func (o *handlers) registerJobs() {
	signedIn := rest.Right{Audiences: owners} // each call looks at the report's own module
	post(o, "/api/owner/report/describe", signedIn, "Filters, columns and chart of a report", o.describeReport)
	for _, r := range reports.All {
		post(o, "/api/owner/report/"+r.Name(), guard(r.Module(), access.See), r.Describe().EN+": rows, and sums over all of them",
			func(ctx context.Context, who token.Session, in ReadInput) (report.Screen, error) {
				filter, err := json.Marshal(in.Filter)
				if err != nil {
					return report.Screen{}, fmt.Errorf("filter of report %s: %w", r.Name(), err)
				}
				return o.Files.Screen(ctx, who.Org, r.Name(), filter, in.After)
			})
	}
	post(o, "/api/owner/report/job", rest.Right{Audiences: owners, Limit: ratelimit.Export}, "Have a file made", o.job)
	post(o, "/api/owner/report/job/get", signedIn, "How far a file is", func(ctx context.Context, who token.Session, in ByID) (report.Export, error) {
		return o.Files.Get(ctx, who.Org, who.Subject, in.ID)
	})
	post(o, "/api/owner/report/job/list", signedIn, "One's latest files", func(ctx context.Context, who token.Session, _ rest.Empty) (Jobs, error) {
		jobs, err := o.Files.List(ctx, who.Org, who.Subject)
		return Jobs{jobs}, err
	})
	post(o, "/api/owner/report/job/cancel", signedIn, "Stop making a file", func(ctx context.Context, who token.Session, in ByID) (report.Export, error) {
		return o.Files.Cancel(ctx, who.Org, who.Subject, in.ID)
	})
	post(o, "/api/owner/report/subscription/code", rest.Right{Audiences: owners, Limit: ratelimit.Export}, "Send a code to an address that shall get a report", o.sendReportCode)
	post(o, "/api/owner/report/subscription/save", signedIn, "Get a report by e-mail at an address that the code came to", o.subscribe)
	post(o, "/api/owner/report/subscription/list", signedIn, "Reports that one gets by e-mail; who may change accounts sees everybody's", o.subscriptions)
	post(o, "/api/owner/report/subscription/remove", signedIn, "Stop sending a report by e-mail", o.unsubscribe)
	const path = "/api/owner/report/file/{id}"
	o.rights[path] = signedIn
	if o.api != nil {
		rest.GetFile(o.api, path, "A finished file", maps.Values(report.ContentTypes), o.file)
	}
}

func (o *handlers) job(ctx context.Context, who token.Session, in JobInput) (report.Export, error) {
	filter, err := json.Marshal(in.Filter)
	if err != nil {
		return report.Export{}, fmt.Errorf("filter of a report: %w", err)
	}
	return o.askReport(ctx, who, report.Request{Report: in.Report, Filter: filter, Format: in.Format})
}

func (o *handlers) describeReport(ctx context.Context, who token.Session, in ReportInput) (report.Description, error) {
	if err := o.mayRead(ctx, who, in.Report); err != nil {
		return report.Description{}, err
	}
	return o.Files.Describe(ctx, who.Org, in.Report)
}

// askReport enqueues a file. It needs the right to see the report.
func (o *handlers) askReport(ctx context.Context, who token.Session, ask report.Request) (report.Export, error) {
	if err := o.mayRead(ctx, who, ask.Report); err != nil {
		return report.Export{}, err
	}
	ask.Lang = rest.From(ctx).Lang
	return o.Files.Enqueue(ctx, who.Org, who.Subject, ask)
}

// EmailInput is an address.
type EmailInput struct {
	Email string `json:"email" minLength:"6" maxLength:"254"`
}

// Subscriptions are reports that are sent by e-mail, the oldest first.
type Subscriptions struct {
	Data []reports.Subscription `json:"data"`
}

func (o *handlers) sendReportCode(ctx context.Context, who token.Session, in EmailInput) (otp.Sent, error) {
	return o.Subscriptions.SendCode(ctx, who, in.Email, rest.From(ctx).Lang)
}

func (o *handlers) subscribe(ctx context.Context, who token.Session, in reports.SubscribeInput) (reports.Subscription, error) {
	if err := o.mayRead(ctx, who, in.Report); err != nil {
		return reports.Subscription{}, err
	}
	return o.Subscriptions.Subscribe(ctx, who, actor(ctx, who), in, rest.From(ctx).Lang)
}

func (o *handlers) subscriptions(ctx context.Context, who token.Session, _ rest.Empty) (Subscriptions, error) {
	all, err := o.changesAccounts(ctx, who)
	if err != nil {
		return Subscriptions{}, err
	}
	list, err := o.Subscriptions.List(ctx, who, all)
	return Subscriptions{list}, err
}

func (o *handlers) unsubscribe(ctx context.Context, who token.Session, in ByID) (rest.Empty, error) {
	return rest.Empty{}, o.Subscriptions.Remove(ctx, who, actor(ctx, who), in.ID)
}

// changesAccounts reports whether somebody may change accounts, and so see what they get by e-mail. What an account gets ends with it.
func (o *handlers) changesAccounts(ctx context.Context, who token.Session) (bool, error) {
	err := o.need(ctx, who, staff.Accounts.Module(), access.Change)
	if errors.Is(err, fault.NotAllowed) {
		return false, nil
	}
	return err == nil, err
}

func (o *handlers) mayRead(ctx context.Context, who token.Session, name string) error {
	module, err := o.Files.Module(name)
	if err != nil {
		return err
	}
	return o.need(ctx, who, module, access.See)
}

// file returns a file to the account that asked for it, if it may still see the report.
func (o *handlers) file(ctx context.Context, who token.Session, id uuid.UUID) (rest.File, error) {
	job, err := o.Files.Get(ctx, who.Org, who.Subject, id)
	if err != nil {
		return rest.File{}, err
	}
	if err := o.mayRead(ctx, who, job.Report); err != nil {
		return rest.File{}, err
	}
	found, err := o.Files.File(ctx, who.Org, who.Subject, id)
	if err != nil {
		return rest.File{}, err
	}
	body, object, err := o.Objects.Get(ctx, found.Key)
	if errors.Is(err, blob.ErrMissing) {
		return rest.File{}, report.ErrNotReady
	}
	if err != nil {
		return rest.File{}, fmt.Errorf("file of report %s: %w", id, err)
	}
	return rest.File{Name: found.Name, ContentType: found.ContentType, Size: object.Size, Body: body}, nil
}

// PictureForm is an upload, and the part of it to keep.
type PictureForm struct {
	Picture huma.FormFile `form:"images" required:"true" doc:"JPEG, PNG or WebP, at most 8 MB"`
	X       int           `form:"x" required:"false" doc:"Left edge of the part to keep, in pixels as seen"`
	Y       int           `form:"y" required:"false"`
	W       int           `form:"w" required:"false" doc:"0: keep all"`
	H       int           `form:"h" required:"false"`
}

func (o *handlers) registerUpload() {
	const path = "/api/owner/upload/image"
	o.rights[path] = rest.Right{Audiences: owners}
	if o.api != nil {
		rest.PostForm(o.api, path, "Upload a picture", o.upload)
	}
}

// pictured are the modules whose rows have pictures: who may add to or change one of them may upload.
var pictured = []string{"salepackage", "vouchertype", "giftvoucher", "setting"}

func (o *handlers) upload(ctx context.Context, who token.Session, in PictureForm) (catalog.Picture, error) {
	defer in.Picture.Close()
	if err := o.needAny(ctx, who, pictured, access.Add+access.Change); err != nil {
		return catalog.Picture{}, err
	}
	return o.Pictures.Add(ctx, who.Org, actor(ctx, who), in.Picture, catalog.Crop{X: in.X, Y: in.Y, W: in.W, H: in.H})
}
