package admin

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/announcement"
)

// AnnouncementPage asks for a page of announcements.
type AnnouncementPage struct {
	After *uuid.UUID `json:"after,omitempty" required:"false"`
}

// Announcements are a page of announcements, and the plans whose organisations one may be for.
type Announcements struct {
	Data  []announcement.Announcement `json:"data"`
	Next  *uuid.UUID                  `json:"next" nullable:"true"`
	Plans []AnnouncedPlan             `json:"plans"`
}

// AnnouncedPlan is a plan by its names.
type AnnouncedPlan struct {
	ID            uuid.UUID `json:"id"`
	NameTH        string    `json:"name_th"`
	NameEN        string    `json:"name_en"`
	Organisations int64     `json:"organisations" doc:"How many are on it"`
}

const announcementsAPage = 50

func (c handlers) announcements(ctx context.Context, _ token.Session, in AnnouncementPage) (list Announcements, err error) {
	list.Data, err = c.Announcement.List(ctx, in.After, announcementsAPage+1)
	if err != nil {
		return list, err
	}
	if len(list.Data) > announcementsAPage {
		list.Data = list.Data[:announcementsAPage]
		list.Next = &list.Data[announcementsAPage-1].ID
	}
	plans, err := c.Orgs.Plans(ctx)
	list.Plans = []AnnouncedPlan{}
	for _, p := range plans {
		list.Plans = append(list.Plans, AnnouncedPlan{p.ID, p.NameTH, p.NameEN, p.Organisations})
	}
	return list, err
}

func (c handlers) announce(ctx context.Context, who token.Session, in announcement.Content) (ID, error) {
	id, err := c.Announcement.Add(ctx, actor(ctx, who), in)
	return ID{id}, err
}

func (c handlers) changeAnnouncement(ctx context.Context, who token.Session, in announcement.Change) (rest.Empty, error) {
	return rest.Empty{}, c.Announcement.Save(ctx, actor(ctx, who), in)
}

func (c handlers) withdrawAnnouncement(ctx context.Context, who token.Session, in ID) (rest.Empty, error) {
	return rest.Empty{}, c.Announcement.Withdraw(ctx, actor(ctx, who), in.ID)
}
