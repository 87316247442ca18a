package admin

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/provisioning"
)

// Offer is what the platform does for a new organisation.
type Offer struct {
	PlatformAccount bool `json:"platform_account" doc:"It collects the money of an organisation without gateway keys of its own"`
}

func (c handlers) options(context.Context, token.Session, rest.Empty) (Offer, error) {
	return Offer{c.Provisioning.PlatformAccount()}, nil
}

// Connections are an organisation's, and what is to be set where they lead.
type Connections struct {
	provisioning.Connections
	WebhookURL string   `json:"webhook_url" doc:"What to give to the gateway of its own account; empty where the platform's collects"`
	Callbacks  []string `json:"callbacks" doc:"What to give to its LINE Login channel"`
}

// audiences are the areas that people return to from LINE.
var audiences = []string{"user", "welovevoucher", "weloveagent", "owner", "staff", "register"}

func (c handlers) connections(ctx context.Context, _ token.Session, in ID) (out Connections, err error) {
	o, err := c.Orgs.ByID(ctx, in.ID)
	if err != nil {
		return out, err
	}
	if out.Connections, err = c.Provisioning.Connections(ctx, in.ID); err != nil {
		return out, err
	}
	if out.Payment.Collector == payment.CollectorOrganisation {
		out.WebhookURL = rest.From(ctx).Origin + "/api/hook/" + out.Payment.Endpoint
	}
	for _, audience := range audiences {
		out.Callbacks = append(out.Callbacks, rest.From(ctx).OriginOf(o)+"/logincallback/"+audience)
	}
	return out, nil
}

// LineInput is an organisation and its LINE Login channel to be.
type LineInput struct {
	ID uuid.UUID `json:"id"`
	provisioning.LineChange
}

func (c handlers) saveLine(ctx context.Context, who token.Session, in LineInput) (Connections, error) {
	if err := c.Provisioning.SaveLine(ctx, in.ID, actor(ctx, who), in.LineChange); err != nil {
		return Connections{}, err
	}
	return c.connections(ctx, who, ID{in.ID})
}

// PaymentInput is an organisation and who collects its money from now on.
type PaymentInput struct {
	ID uuid.UUID `json:"id"`
	provisioning.PaymentChange
}

func (c handlers) savePayment(ctx context.Context, who token.Session, in PaymentInput) (Connections, error) {
	if err := c.Provisioning.SavePayment(ctx, in.ID, actor(ctx, who), in.PaymentChange); err != nil {
		return Connections{}, err
	}
	return c.connections(ctx, who, ID{in.ID})
}

// HostInput names an address of an organisation.
type HostInput struct {
	ID   uuid.UUID `json:"id"`
	Host string    `json:"host" minLength:"1" maxLength:"253"`
}

func (c handlers) addHost(ctx context.Context, who token.Session, in HostInput) (Connections, error) {
	if err := c.Provisioning.AddHost(ctx, in.ID, actor(ctx, who), in.Host); err != nil {
		return Connections{}, err
	}
	return c.connections(ctx, who, ID{in.ID})
}

func (c handlers) verifyHost(ctx context.Context, who token.Session, in HostInput) (Connections, error) {
	if err := c.Provisioning.VerifyHost(ctx, in.ID, actor(ctx, who), in.Host); err != nil {
		return Connections{}, err
	}
	return c.connections(ctx, who, ID{in.ID})
}

func (c handlers) canonicalHost(ctx context.Context, who token.Session, in HostInput) (Connections, error) {
	if err := c.Provisioning.CanonicalHost(ctx, in.ID, actor(ctx, who), in.Host); err != nil {
		return Connections{}, err
	}
	return c.connections(ctx, who, ID{in.ID})
}

func (c handlers) removeHost(ctx context.Context, who token.Session, in HostInput) (Connections, error) {
	if err := c.Provisioning.RemoveHost(ctx, in.ID, actor(ctx, who), in.Host); err != nil {
		return Connections{}, err
	}
	return c.connections(ctx, who, ID{in.ID})
}
