// Package agent holds the calls of people who sell for commission.
package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/api/wire"
	"welovevoucher/platform/money"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/payout"
)

type handlers struct{ *tenants.Services }

// Register puts the agents' calls onto the API.
func Register(a *rest.API, s *tenants.Services) {
	c := handlers{s}
	rest.Post(a, "/api/agent/profile/agent", "The agent's own profile", c.profile)
	rest.Post(a, "/api/agent/get/pdpa", "Active texts on agents' personal data", c.texts("pdpa"))
	rest.Post(a, "/api/agent/get/termsandconditions", "Active terms for agents", c.texts("terms"))
	rest.Post(a, "/api/agent/consent/open", "What is still to be accepted after signing in", c.openConsents)
	rest.Post(a, "/api/agent/consent/accept", "Accept everything that is open after signing in", c.accept)
	rest.Post(a, "/api/agent/get/salepackage", "What can be sold, and what it earns", c.packages)
	rest.Post(a, "/api/agent/get/customer", "His own customers: who bought through him, or opened his link last", pageOf(s.Agent.CustomersOf))
	rest.Post(a, "/api/agent/get/agent", "The agents he may see: himself", pageOf(s.Agent.AgentsOf))
	rest.Post(a, "/api/agent/get/agenttype", "The agent types he may see: his own", pageOf(s.Agent.TypesOf))
	rest.Post(a, "/api/agent/link/create", "The agent's link to a package", c.link)
	rest.Post(a, "/api/agent/link/list", "His links, and who opened them and bought in the last thirty days", c.linkUses)
	rest.Post(a, "/api/agent/recruit/list", "Whom he recruited, and what he earns of what they sell", c.recruits)
	rest.Post(a, "/api/agent/history", "What his links sold", c.history,
		func(h agent.History) string { return wire.If(len(h.Data) == 0, wire.NoHistory) })
	rest.Post(a, "/api/agent/summary", "What he has earned", c.summary)
	rest.Post(a, "/api/agent/payout/list", "What he was paid, or was to be", c.payouts)
	rest.Post(a, "/api/agent/payout/next", "When commission is paid out next", c.nextPayout)
	rest.Post(a, "/api/agent/payout/detail", "One payout, and what it is made of", c.payout)
	pdfs := slices.Values([]string{"application/pdf"})
	rest.GetFile(a, "/api/agent/payout/slip/{id}", "The slip of a payout that was paid", pdfs, c.slip)
	rest.GetFile(a, "/api/agent/payout/certificate/{id}", "The certificate of what was withheld of a payout", pdfs, c.certificate)
	registerApplications(a, c)
}

func (c handlers) profile(ctx context.Context, who token.Session, _ rest.Empty) (wire.Profile, error) {
	p, err := c.Customer.Profile(ctx, who)
	return wire.CustomerProfile(p), err
}

func pageOf[T any](list func(ctx context.Context, who token.Session, q resource.Query) (resource.Page[T], error)) func(context.Context, token.Session, rest.Query) (rest.Page[T], error) {
	return func(ctx context.Context, who token.Session, q rest.Query) (rest.Page[T], error) {
		page, err := list(ctx, who, q.Resource())
		return rest.PageOf(page), err
	}
}

// Texts are texts to be accepted.
type Texts struct {
	Data []consent.Text `json:"data"`
}

func (c handlers) texts(kind string) func(context.Context, token.Session, rest.Empty) (Texts, error) {
	return func(ctx context.Context, who token.Session, _ rest.Empty) (Texts, error) {
		texts, err := c.Consent.Active(ctx, who.Org, "agent", kind)
		return Texts{texts}, err
	}
}

func (c handlers) openConsents(ctx context.Context, who token.Session, _ rest.Empty) (Texts, error) {
	texts, err := c.Consent.OpenFor(ctx, who)
	return Texts{texts}, err
}

func (c handlers) accept(ctx context.Context, who token.Session, in consent.AcceptInput) (rest.Empty, error) {
	return rest.Empty{}, c.Consent.Accept(ctx, who, in)
}

func (c handlers) recruits(ctx context.Context, who token.Session, _ rest.Empty) (agent.Recruits, error) {
	return c.Agent.Recruits(ctx, who)
}

func (c handlers) payouts(ctx context.Context, who token.Session, in After) (payout.OwnPage, error) {
	return c.Payout.OwnPayouts(ctx, who, in.After)
}

func (c handlers) nextPayout(ctx context.Context, who token.Session, _ rest.Empty) (payout.OwnNext, error) {
	return c.Payout.OwnNext(ctx, who)
}

func (c handlers) payout(ctx context.Context, who token.Session, in payout.ByPayout) (payout.OwnStory, error) {
	return c.Payout.OwnPayout(ctx, who, in.ID)
}

func (c handlers) slip(ctx context.Context, who token.Session, id uuid.UUID) (rest.File, error) {
	name, file, err := c.Payout.OwnSlip(ctx, who.Org, who.Subject, id)
	return rest.FileOf("application/pdf", name, file, err)
}

func (c handlers) certificate(ctx context.Context, who token.Session, id uuid.UUID) (rest.File, error) {
	name, file, err := c.Withholding.OwnCertificate(ctx, who.Org, who.Subject, id)
	return rest.FileOf("application/pdf", name, file, err)
}

// Card is a package with the commission that its sale would earn.
type Card struct {
	catalog.PackageCard
	Commission money.Amount `json:"commission_satang" doc:"Of one piece without a discount"`
}

// Page is a page of cards.
type Page struct {
	Data  []Card  `json:"data"`
	Next  *string `json:"next"`
	Total int64   `json:"total"`
}

func (c handlers) packages(ctx context.Context, who token.Session, in catalog.MarketInput) (Page, error) {
	o, err := c.Orgs.ByID(ctx, who.Org)
	if err != nil {
		return Page{}, err
	}
	found, err := c.Catalog.Market(ctx, who.Org, in)
	if err != nil {
		return Page{}, err
	}
	prices := make(map[uuid.UUID]money.Amount, len(found.Data))
	for _, card := range found.Data {
		prices[card.ID] = card.Price
	}
	commissions, err := c.Agent.Commissions(ctx, who, o.FeeBasisPoints, prices)
	if err != nil {
		return Page{}, err
	}
	page := Page{Data: make([]Card, len(found.Data)), Next: found.Next, Total: found.Total}
	for i, card := range found.Data {
		page.Data[i] = Card{PackageCard: card, Commission: commissions[card.ID]}
	}
	return page, nil
}

// LinkInput names a package.
type LinkInput struct {
	Package uuid.UUID `json:"package_id"`
}

// Link is ready to be copied, shown as a QR, or shared in LINE.
type Link struct {
	agent.Link
	URL string `json:"url"`
}

func (c handlers) link(ctx context.Context, who token.Session, in LinkInput) (Link, error) {
	o, err := c.Orgs.ByID(ctx, who.Org)
	if err != nil {
		return Link{}, err
	}
	l, err := c.Agent.Link(ctx, who, in.Package)
	if err != nil {
		return Link{}, err
	}
	path := "/user/market"
	if o.Liff.User != "" {
		path = "/welovevoucher/" + o.Liff.User + "/market"
	}
	return Link{Link: l, URL: fmt.Sprintf("%s%s/%s?link=%s", rest.From(ctx).OriginOf(o), path, l.Package, l.Code)}, nil
}

// After continues a list behind its last id.
type After struct {
	After *uuid.UUID `json:"after,omitempty"`
}

func (c handlers) history(ctx context.Context, who token.Session, in After) (agent.History, error) {
	return c.Agent.History(ctx, who, in.After)
}

func (c handlers) linkUses(ctx context.Context, who token.Session, _ rest.Empty) (agent.LinkUses, error) {
	return c.Agent.LinkUses(ctx, who)
}

func (c handlers) summary(ctx context.Context, who token.Session, _ rest.Empty) (agent.Summary, error) {
	return c.Agent.Summary(ctx, who)
}
