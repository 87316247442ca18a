package owner

import (
	"context"
	"time"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/staff"
)

// Invitation is a link to hand to one person. It is shown once.
type Invitation struct {
	Account   uuid.UUID `json:"staff_id"`
	URL       string    `json:"url" doc:"To be sent, or shown as a QR; the part behind # stays in the browser"`
	ExpiresAt time.Time `json:"expires_at"`
}

// invite needs i for a new account and u for one that exists; either lets the call in, the account decides.
func (o *handlers) invite(ctx context.Context, who token.Session, in staff.InviteInput) (Invitation, error) {
	letter := access.Change
	if in.Account == nil {
		letter = access.Add
	}
	if err := o.need(ctx, who, staff.Accounts.Module(), letter); err != nil {
		return Invitation{}, err
	}
	home, err := o.Orgs.ByID(ctx, who.Org)
	if err != nil {
		return Invitation{}, err
	}
	made, err := o.Staff.Invite(ctx, who.Org, home.Unique, actor(ctx, who), in)
	if err != nil {
		return Invitation{}, err
	}
	url := rest.From(ctx).OriginOf(home) + "/owner/register/staff#" + made.Token
	return Invitation{Account: made.Account, URL: url, ExpiresAt: made.ExpiresAt}, nil
}

func (o *handlers) revoke(ctx context.Context, who token.Session, in ByID) (rest.Empty, error) {
	return rest.Empty{}, o.Staff.RevokeInvitation(ctx, who.Org, actor(ctx, who), in.ID)
}

func (o *handlers) dropFactor(ctx context.Context, who token.Session, in ByID) (rest.Empty, error) {
	return rest.Empty{}, o.Staff.DropSecondFactor(ctx, who.Org, actor(ctx, who), in.ID)
}
