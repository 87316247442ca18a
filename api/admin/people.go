package admin

import (
	"context"
	"time"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/provisioning"
	"welovevoucher/tenants/staff"
)

func (c handlers) suspendCustomer(ctx context.Context, who token.Session, in overview.ByCustomer) (rest.Empty, error) {
	return rest.Empty{}, c.setCustomer(ctx, who, in, resource.Suspended)
}

func (c handlers) resumeCustomer(ctx context.Context, who token.Session, in overview.ByCustomer) (rest.Empty, error) {
	return rest.Empty{}, c.setCustomer(ctx, who, in, resource.Active)
}

func (c handlers) setCustomer(ctx context.Context, who token.Session, in overview.ByCustomer, status int16) error {
	if _, err := c.answering(ctx, in.Org); err != nil {
		return err
	}
	if err := c.Suspension.SetStatus(ctx, in.Org, actor(ctx, who), []uuid.UUID{in.ID}, status); err != nil {
		return err
	}
	return c.Overview.FollowCustomer(ctx, in)
}

// answering returns an organisation whose schema is there. It returns org.ErrNotFound or provisioning.ErrProvisioning.
func (c handlers) answering(ctx context.Context, id uuid.UUID) (org.Org, error) {
	o, err := c.Orgs.ByID(ctx, id)
	if err == nil && !o.Answers() {
		err = provisioning.ErrProvisioning
	}
	return o, err
}

// StaffInviteInput is an organisation, and who shall work in its office.
type StaffInviteInput struct {
	Org uuid.UUID `json:"org_id"`
	staff.PlatformInviteInput
}

// StaffLink is a link by which a person joins an organisation's office. It is shown once.
type StaffLink struct {
	URL       string    `json:"url" doc:"The part behind # stays in the browser"`
	ExpiresAt time.Time `json:"expires_at" doc:"UTC"`
}

func (c handlers) inviteStaff(ctx context.Context, who token.Session, in StaffInviteInput) (l StaffLink, err error) {
	home, err := c.answering(ctx, in.Org)
	if err != nil {
		return l, err
	}
	made, err := c.Staff.InviteByPlatform(ctx, in.Org, home.Unique, actor(ctx, who), in.PlatformInviteInput)
	if err != nil {
		return l, err
	}
	return StaffLink{URL: rest.From(ctx).OriginOf(home) + "/owner/register/staff#" + made.Token, ExpiresAt: made.ExpiresAt}, nil
}
