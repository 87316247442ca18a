package admin

import (
	"bytes"
	"context"
	"errors"

	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/reports"
)

// Record is what is known of an organisation.
type Record struct {
	org.Record
	Figures *reports.Dashboard `json:"figures,omitempty" required:"false" doc:"Of the last thirty days; none until it is open"`
}

const figureDays = 30

func (c handlers) record(ctx context.Context, _ token.Session, in ID) (r Record, err error) {
	if r.Record, err = c.Org.Record(ctx, in.ID); err != nil || r.Health == nil {
		return r, err
	}
	figures, err := c.Reports.Dashboard(ctx, in.ID, figureDays, reports.Visible{Sales: true, Uses: true, Customers: true, Money: true})
	r.Figures = &figures
	return r, err
}

// ChangeInput is what an admin may change of an organisation's record.
type ChangeInput struct {
	ID         uuid.UUID `json:"id"`
	NameTH     string    `json:"name_th" minLength:"1" maxLength:"80"`
	NameEN     string    `json:"name_en" minLength:"1" maxLength:"80"`
	TaglineTH  string    `json:"tagline_th" maxLength:"120"`
	TaglineEN  string    `json:"tagline_en" maxLength:"120"`
	Primary    string    `json:"background_color_primary" pattern:"^#[0-9a-f]{6}$"`
	Secondary  string    `json:"background_color_secondary" pattern:"^#[0-9a-f]{6}$"`
	Logo       []byte    `json:"logo,omitempty" maxLength:"900000" doc:"A square picture in base64; none keeps the one that is there"`
	RemoveLogo bool      `json:"remove_logo,omitempty" doc:"It is its first letter from now on"`
}

func (c handlers) change(ctx context.Context, who token.Session, in ChangeInput) (Detail, error) {
	if _, err := c.answering(ctx, in.ID); err != nil {
		return Detail{}, err
	}
	var added *uuid.UUID
	if len(in.Logo) > 0 {
		picture, err := c.Pictures.Add(ctx, in.ID, actor(ctx, who), bytes.NewReader(in.Logo), catalog.Crop{})
		if refused := (*fault.Fault)(nil); errors.As(err, &refused) {
			return Detail{}, fault.At("logo", refused)
		}
		if err != nil {
			return Detail{}, err
		}
		added = &picture.ID
	}
	_, err := c.Org.ChangeSettings(ctx, in.ID, actor(ctx, who), func(s org.Settings) org.Settings {
		s.NameTH, s.NameEN, s.TaglineTH, s.TaglineEN, s.Primary, s.Secondary = in.NameTH, in.NameEN, in.TaglineTH, in.TaglineEN, in.Primary, in.Secondary
		if added != nil || in.RemoveLogo {
			s.Logo = added
		}
		return s
	})
	if err != nil {
		return Detail{}, err
	}
	return c.detail(ctx, who, ID{in.ID})
}

// PlanInput is an organisation and its plan from now on.
type PlanInput struct {
	ID   uuid.UUID `json:"id"`
	Plan uuid.UUID `json:"plan_id"`
}

func (c handlers) changePlan(ctx context.Context, who token.Session, in PlanInput) (Detail, error) {
	if err := c.Org.ChangePlan(ctx, in.ID, actor(ctx, who), in.Plan); err != nil {
		return Detail{}, err
	}
	return c.detail(ctx, who, ID{in.ID})
}

// SuspendInput is an organisation, and why it is suspended.
type SuspendInput struct {
	ID     uuid.UUID `json:"id"`
	Reason string    `json:"reason" minLength:"1" maxLength:"500" doc:"For the platform's own people; customers do not read it"`
}

func (c handlers) suspend(ctx context.Context, who token.Session, in SuspendInput) (Detail, error) {
	if err := c.Provisioning.Suspend(ctx, in.ID, actor(ctx, who), in.Reason); err != nil {
		return Detail{}, err
	}
	return c.detail(ctx, who, ID{in.ID})
}

func (c handlers) resume(ctx context.Context, who token.Session, in ID) (Detail, error) {
	if err := c.Provisioning.Resume(ctx, in.ID, actor(ctx, who)); err != nil {
		return Detail{}, err
	}
	return c.detail(ctx, who, ID{in.ID})
}
