package announcement_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/announcement"
)

// platform is an admin, and two organisations that are on different plans.
type platform struct {
	*dbtest.Server
	*announcement.Service
	admin auditlog.Actor
	orgs  [2]uuid.UUID
	plans [2]uuid.UUID
}

func open(t *testing.T) *platform {
	t.Helper()
	s := dbtest.Open(t)
	p := &platform{Server: s, Service: announcement.New(s.DB), admin: auditlog.Actor{Kind: token.Admin, ID: db.NewID()}}
	for i := range p.orgs {
		p.orgs[i] = db.NewID()
		s.List(t, p.orgs[i], db.Placement{Node: db.MainNode, Schema: dbtest.NewSchemaName()}, 1)
	}
	require.NoError(t, s.DB.InPlatform(t.Context(), func(tx db.Tx) error {
		for i := range p.orgs {
			if err := tx.QueryRow(t.Context(), `SELECT plan_id FROM organisation WHERE id = $1`, p.orgs[i]).Scan(&p.plans[i]); err != nil {
				return err
			}
		}
		_, err := tx.Exec(t.Context(), `INSERT INTO admin (id, username, name, role, status, created_at) VALUES ($1, $2, 'Ann', 'superadmin', 5, $3)`,
			p.admin.ID, p.admin.ID.String(), tx.Now)
		return err
	}))
	return p
}

// news are shown from now on for a day.
func (p *platform) news(plans ...uuid.UUID) announcement.Content {
	now := p.Clock.Now()
	return announcement.Content{
		Kind: "news", TitleTH: "ข่าว", TitleEN: "News", TextTH: "มีข่าว", TextEN: "There is news", From: now, Until: now.Add(24 * time.Hour), Plans: plans,
	}
}

func (p *platform) add(t *testing.T, in announcement.Content) uuid.UUID {
	t.Helper()
	id, err := p.Add(t.Context(), p.admin, in)
	require.NoError(t, err)
	return id
}

// shown are the ids that an organisation's office shows.
func (p *platform) shown(t *testing.T, org uuid.UUID) []uuid.UUID {
	t.Helper()
	list, err := p.Shown(t.Context(), org)
	require.NoError(t, err)
	return db.Column(list, func(n announcement.Notice) uuid.UUID { return n.ID })
}

func (p *platform) kept(t *testing.T, id uuid.UUID) announcement.Announcement {
	t.Helper()
	list, err := p.Service.List(t.Context(), nil, 100)
	require.NoError(t, err)
	for _, a := range list {
		if a.ID == id {
			return a
		}
	}
	require.Fail(t, "this announcement is not listed")
	return announcement.Announcement{}
}

// TestShown: offices show an announcement between its times, to the plans that it is for, what is important first.
func TestShown(t *testing.T) {
	p := open(t)
	news, planned, important := p.news(), p.news(p.plans[0]), p.news(p.plans[0])
	planned.From = planned.From.Add(time.Hour)
	important.Kind = "important"
	toAll, later, first := p.add(t, news), p.add(t, planned), p.add(t, important)
	require.Equal(t, []uuid.UUID{first, toAll}, p.shown(t, p.orgs[0]))
	require.Equal(t, []uuid.UUID{toAll}, p.shown(t, p.orgs[1]))
	require.Equal(t, "planned", p.kept(t, later).State)
	require.Equal(t, "Ann", p.kept(t, later).AddedBy)

	p.Clock.Advance(time.Hour)
	require.Equal(t, []uuid.UUID{first, later, toAll}, p.shown(t, p.orgs[0]))
	require.NoError(t, p.Withdraw(t.Context(), p.admin, first))
	require.Equal(t, []uuid.UUID{later, toAll}, p.shown(t, p.orgs[0]))
	require.Equal(t, "withdrawn", p.kept(t, first).State)

	p.Clock.Advance(23 * time.Hour)
	require.Empty(t, p.shown(t, p.orgs[0]))
	require.Equal(t, "over", p.kept(t, toAll).State)
}

// TestSave: a change reaches offices at once and is in the audit log; what is over, or was changed meanwhile, is left as it is.
func TestSave(t *testing.T) {
	p := open(t)
	id := p.add(t, p.news(p.plans[0]))
	as := p.kept(t, id)
	p.Clock.Advance(time.Minute)
	change := announcement.Change{ID: id, UpdatedAt: as.UpdatedAt, Content: as.Content}
	change.TitleEN, change.Plans = " Other news ", []uuid.UUID{p.plans[1], p.plans[1]}
	require.NoError(t, p.Save(t.Context(), p.admin, change))
	require.Empty(t, p.shown(t, p.orgs[0]))
	list, err := p.Shown(t.Context(), p.orgs[1])
	require.NoError(t, err)
	require.Equal(t, "Other news", list[0].TitleEN)
	require.True(t, list[0].UpdatedAt.After(as.UpdatedAt), "so that an office shows it again")
	require.Equal(t, []uuid.UUID{p.plans[1]}, p.kept(t, id).Plans)

	require.Equal(t, resource.ErrChangedMeanwhile, p.Save(t.Context(), p.admin, change))
	change.UpdatedAt = p.kept(t, id).UpdatedAt
	require.NoError(t, p.Withdraw(t.Context(), p.admin, id))
	require.Equal(t, announcement.ErrEnded, p.Save(t.Context(), p.admin, change))
	require.Equal(t, announcement.ErrEnded, p.Withdraw(t.Context(), p.admin, id))
	require.Equal(t, fault.Missing, p.Withdraw(t.Context(), p.admin, db.NewID()))

	other := p.add(t, p.news())
	change = announcement.Change{ID: other, UpdatedAt: p.kept(t, other).UpdatedAt, Content: p.news()}
	p.Clock.Advance(24 * time.Hour)
	require.Equal(t, announcement.ErrEnded, p.Save(t.Context(), p.admin, change), "nobody makes what is over begin again")

	var actions []string
	require.NoError(t, p.DB.ReadInPlatform(t.Context(), func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT array_agg(action ORDER BY id) FROM audit_log WHERE object = $1 AND actor_id = $2`, "announcement/"+id.String(), p.admin.ID).Scan(&actions)
	}))
	require.Equal(t, []string{"add", "change", "withdraw"}, actions)
}

func TestRefused(t *testing.T) {
	p := open(t)
	now := p.Clock.Now()
	for name, c := range map[string]struct {
		change func(*announcement.Content)
		want   error
	}{
		"space is no title":        {func(c *announcement.Content) { c.TitleTH = " " }, fault.At("title_th", fault.Required)},
		"an end before its start":  {func(c *announcement.Content) { c.Until = c.From }, fault.At("until", announcement.ErrNotAfter)},
		"an end that is over":      {func(c *announcement.Content) { c.From, c.Until = now.Add(-2*time.Hour), now }, fault.At("until", announcement.ErrPastTime)},
		"an end in two years":      {func(c *announcement.Content) { c.Until = now.AddDate(2, 0, 0) }, fault.At("until", announcement.ErrFarTime)},
		"a beginning of years ago": {func(c *announcement.Content) { c.From = now.AddDate(-2, 0, 0) }, fault.At("from", announcement.ErrFarTime)},
		"a plan that is not there": {func(c *announcement.Content) { c.Plans = []uuid.UUID{db.NewID()} }, fault.At("plans", fault.NotInList)},
	} {
		in := p.news()
		in.TitleEN = "Refused"
		c.change(&in)
		_, err := p.Add(t.Context(), p.admin, in)
		require.Equal(t, c.want, err, name)
	}
	list, err := p.Service.List(t.Context(), nil, 1000)
	require.NoError(t, err)
	for _, a := range list {
		require.NotEqual(t, "Refused", a.TitleEN, "nothing of it is kept")
	}
}

// TestList: pages follow each other without a gap.
func TestList(t *testing.T) {
	p := open(t)
	made := []uuid.UUID{p.add(t, p.news()), p.add(t, p.news()), p.add(t, p.news())}
	first, err := p.Service.List(t.Context(), nil, 2)
	require.NoError(t, err)
	require.Equal(t, made[2], first[0].ID)
	require.Equal(t, made[1], first[1].ID)
	next, err := p.Service.List(t.Context(), &first[1].ID, 2)
	require.NoError(t, err)
	require.Equal(t, made[0], next[0].ID)
}
