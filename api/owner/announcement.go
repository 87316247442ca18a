package owner

import (
	"context"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/announcement"
)

// Announcements are what the platform announces to the office now.
type Announcements struct {
	Data []announcement.Notice `json:"data"`
}

func (o *handlers) announcements(ctx context.Context, who token.Session, _ rest.Empty) (Announcements, error) {
	list, err := o.Announcement.Shown(ctx, who.Org)
	return Announcements{list}, err
}
