// Package admin holds the calls of the platform's own people.
package admin

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/theme"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/signin"
)

type handlers struct{ *tenants.Services }

// Register puts the admins' calls onto the API.
func Register(a *rest.API, s *tenants.Services) {
	c := handlers{s}
	rest.Post(a, "/api/admin/theme", "All colours of pages of two", rest.Theme)
	rest.Post(a, "/api/admin/line/link", "Sign in by LINE from now on: where the browser goes for that", c.linkLINE)
	rest.Post(a, "/api/admin/line/unlink", "No longer sign in by LINE", c.unlinkLINE)
	rest.Post(a, "/api/admin/organize/list", "Organisations, newest first", c.list)
	rest.Post(a, "/api/admin/organize/detail", "One organisation, and how far its opening is", c.detail)
	rest.Post(a, "/api/admin/organize/save", "Open an organisation", c.create)
	rest.Post(a, "/api/admin/organize/retry", "Go on with an opening that broke", c.retry)
	rest.Post(a, "/api/admin/organize/options", "What the platform does for a new organisation", c.options)
	rest.Post(a, "/api/admin/organize/connections", "How an organisation stands with LINE, its gateway and the DNS", c.connections)
	rest.Post(a, "/api/admin/organize/line/save", "Connect an organisation to LINE", c.saveLine)
	rest.Post(a, "/api/admin/organize/payment/save", "Choose who collects an organisation's money", c.savePayment)
	rest.Post(a, "/api/admin/organize/host/add", "Write an address of an organisation down", c.addHost)
	rest.Post(a, "/api/admin/organize/host/verify", "Look for an address's DNS record now", c.verifyHost)
	rest.Post(a, "/api/admin/organize/host/canonical", "Make an address the one that links lead to", c.canonicalHost)
	rest.Post(a, "/api/admin/organize/host/remove", "Take an address away", c.removeHost)
	rest.Post(a, "/api/admin/plan/list", "Plans that an organisation can be on", c.plans)
	rest.Post(a, "/api/admin/contactus/list", "What visitors have written to the platform, newest first", c.messages)
	rest.Post(a, "/api/admin/contactus/detail", "One message", c.message)
	rest.Post(a, "/api/admin/contactus/answer", "Write down that a message was answered, or was not", c.answer)
	rest.Post(a, "/api/admin/bankholiday/list", "Bank holidays of a year; none: no payout of that year can be proposed", c.holidays)
	rest.Post(a, "/api/admin/bankholiday/save", "Add a bank holiday, or change what is written of it", c.saveHoliday)
	rest.Post(a, "/api/admin/bankholiday/remove", "Remove a bank holiday", c.removeHoliday)
}

// Login is LINE's page to go to.
type Login struct {
	URL string `json:"url"`
}

func (c handlers) linkLINE(ctx context.Context, who token.Session, _ rest.Empty) (Login, error) {
	req := rest.From(ctx)
	url, err := c.SignIn.StartLink(ctx, who, signin.Start{
		Return: "/advwsadmin/organize_list", Redirect: req.Origin + "/logincallback/advwsadmin", Lang: req.Lang, Browser: req.Browser,
	})
	return Login{url}, err
}

func (c handlers) unlinkLINE(ctx context.Context, who token.Session, _ rest.Empty) (rest.Empty, error) {
	if err := c.Admins.UnlinkLINE(ctx, actor(ctx, who)); err != nil {
		return rest.Empty{}, err
	}
	return rest.Empty{}, c.Session.RevokeElsewhere(ctx, who) // whoever came in by that LINE account
}

func actor(ctx context.Context, who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: rest.From(ctx).ID}
}

// Organisation is one as an admin sees it.
type Organisation struct {
	ID        uuid.UUID `json:"id"`
	Unique    string    `json:"unique"`
	NameTH    string    `json:"name_th"`
	NameEN    string    `json:"name_en"`
	State     org.State `json:"state" enum:"provisioning,live,suspended"`
	Primary   string    `json:"background_color_primary"`
	Secondary string    `json:"background_color_secondary"`
	OnPrimary string    `json:"text_on_primary" doc:"The colour of text on the primary one"`
	Host      string    `json:"host"`
	URL       string    `json:"url" doc:"Where its site is, or will be"`
	Liff      org.Liff  `json:"liff"`
	Plan      uuid.UUID `json:"plan_id"`
	CreatedAt string    `json:"created_at" format:"date-time"`
}

// ListInput searches organisations.
type ListInput struct {
	Search string     `json:"search,omitempty" maxLength:"80"`
	Limit  int        `json:"limit,omitempty" minimum:"0" maximum:"200"`
	After  *uuid.UUID `json:"after,omitempty"`
}

// List is a page of organisations.
type List struct {
	Data  []Organisation `json:"data"`
	Next  *uuid.UUID     `json:"next" nullable:"true"`
	Total int64          `json:"total"`
}

func (c handlers) list(ctx context.Context, _ token.Session, in ListInput) (List, error) {
	page, err := c.Orgs.List(ctx, in.Search, in.Limit, in.After)
	list := List{Data: make([]Organisation, len(page.Data)), Next: page.Next, Total: page.Total}
	for i, o := range page.Data {
		list.Data[i] = show(ctx, o)
	}
	return list, err
}

func show(ctx context.Context, o org.Org) Organisation {
	return Organisation{
		ID: o.ID, Unique: o.Unique, NameTH: o.NameTH, NameEN: o.NameEN, State: o.State, Primary: o.Primary, Secondary: o.Secondary,
		OnPrimary: theme.TextOn(o.Primary), Host: o.Host, URL: rest.From(ctx).OriginOf(o), Liff: o.Liff, Plan: o.Plan, CreatedAt: o.CreatedAt.Format("2006-01-02T15:04:05Z07:00"),
	}
}

// ID names an organisation.
type ID struct {
	ID uuid.UUID `json:"id"`
}

// Detail is an organisation and its steps.
type Detail struct {
	Organisation
	Steps []provisioning.Step `json:"steps"`
	Logo  *string             `json:"logo_url" doc:"The picture itself, in a data URL: its own address is on the organisation's host"`
}

func (c handlers) detail(ctx context.Context, _ token.Session, in ID) (d Detail, err error) {
	o, err := c.Orgs.ByID(ctx, in.ID)
	if err != nil {
		return d, err
	}
	d.Organisation = show(ctx, o)
	if d.Steps, err = c.Provisioning.Steps(ctx, in.ID); err != nil {
		return d, err
	}
	d.Logo, err = c.logo(ctx, o)
	return d, err
}

// logo is nil where there is none.
func (c handlers) logo(ctx context.Context, o org.Org) (*string, error) {
	if o.Logo == uuid.Nil {
		return nil, nil
	}
	object, _, err := c.Objects.Get(ctx, catalog.PictureKey(o.ID, o.Logo, catalog.PictureWidths[0]))
	if errors.Is(err, blob.ErrMissing) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("logo of %s: %w", o.ID, err)
	}
	defer object.Close()
	picture, err := io.ReadAll(object)
	if err != nil {
		return nil, fmt.Errorf("logo of %s: %w", o.ID, err)
	}
	url := "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(picture)
	return &url, nil
}

func (c handlers) create(ctx context.Context, who token.Session, in provisioning.NewOrg) (ID, error) {
	id, err := c.Provisioning.Create(ctx, actor(ctx, who), in)
	return ID{id}, err
}

func (c handlers) retry(ctx context.Context, who token.Session, in ID) (rest.Empty, error) {
	return rest.Empty{}, c.Provisioning.Retry(ctx, in.ID, actor(ctx, who))
}

// Plans is what can be chosen.
type Plans struct {
	Data []org.Plan `json:"data"`
}

func (c handlers) plans(ctx context.Context, _ token.Session, _ rest.Empty) (Plans, error) {
	plans, err := c.Orgs.Plans(ctx)
	return Plans{plans}, err
}
