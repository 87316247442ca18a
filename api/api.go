// Package api answers HTTP: pages, calls, pictures, webhooks and the socket. Fiber lives here and nowhere else.
package api

import (
	"context"
	"maps"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"welovevoucher/api/admin"
	"welovevoucher/api/agent"
	"welovevoucher/api/hook"
	"welovevoucher/api/owner"
	"welovevoucher/api/pages"
	"welovevoucher/api/public"
	"welovevoucher/api/rest"
	staffcalls "welovevoucher/api/staff"
	usercalls "welovevoucher/api/user"
	"welovevoucher/platform/access"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/realtime"
	"welovevoucher/platform/token"
	"welovevoucher/tenants"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/session"
)

// Deps has everything that the API needs.
type Deps struct {
	Log          *zap.Logger
	Services     *tenants.Services
	Dispatcher   *queue.Dispatcher
	Sockets      *realtime.Server
	PlatformHost string // without port
	PublicURL    string
	Proxies      []string
	Pages        pages.Config
	Health       map[string]func(context.Context) error // one check per part
	Drainer      *rest.Drainer
}

// New returns the app. It fails when an operation and the rights table do not match.
func New(p Deps) (*fiber.App, error) {
	app := rest.NewApp(rest.MiddlewareDeps{
		Log: p.Log, Orgs: p.Services.Orgs, Sessions: p.Services.Session, PlatformHost: p.PlatformHost, PublicURL: p.PublicURL, Proxies: p.Proxies,
		WithContext: p.Dispatcher.With, Drainer: p.Drainer,
	})
	app.All("/socket.io/*", p.Sockets.Handler(func(c fiber.Ctx) string { return rest.Address(c, p.Proxies) }))
	app.Get("/api/health", health(p.Health, p.Drainer))
	hook.Register(app, p.Services.Charge, p.Services.Orgs, p.Services.Push)
	operations, err := Operations(app, p.Services)
	if err != nil {
		return nil, err
	}
	if err := describe(app, operations); err != nil {
		return nil, err
	}
	p.Pages.Platform = p.PublicURL
	pages.Register(app, p.Services, p.Pages)
	return app, nil
}

// revalidate is how often an open socket's session is looked at again where no change was received.
const revalidate = time.Minute

// Sockets lets a session listen to its own room and to its audience's room, on the host of its own organisation; who is of the back
// office to the option lists besides that he may see. A socket is looked at again when sessions or rights of its person have changed.
func Sockets(s *tenants.Services, client redis.UniversalClient, platformHost string) *realtime.Server {
	sockets := realtime.New(client, func(ctx context.Context, plain, host string) ([]string, error) {
		who, err := s.Session.Find(ctx, plain)
		if err != nil {
			return nil, err
		}
		if name := org.CleanHost(host); name != platformHost {
			o, err := s.Orgs.ByHost(ctx, name)
			if err != nil {
				return nil, err
			}
			if o.ID != who.Org {
				return nil, fault.NoSession
			}
		}
		if who.Audience == token.Client {
			return nil, nil
		}
		rooms := []string{notice.SubjectRoom(who.Org, who.Audience, who.Subject), notice.AudienceRoom(who.Org, who.Audience)}
		if who.Audience != token.Owner && who.Audience != token.Staff {
			return rooms, nil
		}
		account, err := s.Staff.Account(ctx, who)
		if err != nil {
			return nil, err
		}
		modules, err := s.OptionModules(ctx, who.Org, account)
		if err != nil {
			return nil, err
		}
		for _, module := range modules {
			rooms = append(rooms, notice.ModuleRoom(who.Org, who.Audience, module))
		}
		return rooms, nil
	}, revalidate)
	s.DB.Subscribe(session.Topic, func(what string) {
		if ended, known := session.ReadEnded(what); known {
			sockets.Revalidate(notice.SubjectRoom(ended.Org, ended.Audience, ended.Subject))
			return
		}
		sockets.Revalidate(realtime.Everywhere)
	})
	s.DB.Subscribe(access.Topic, func(what string) {
		if org, err := uuid.Parse(what); err == nil {
			sockets.Revalidate(notice.AudienceRoom(org, token.Owner), notice.AudienceRoom(org, token.Staff)) // which events they may receive
			return
		}
		sockets.Revalidate(realtime.Everywhere)
	})
	return sockets
}

// Operations registers every call. It needs no database: the description of the API is made from it.
func Operations(app *fiber.App, s *tenants.Services) (*rest.API, error) {
	all := maps.Clone(rights)
	maps.Copy(all, owner.Rights())
	operations := rest.New(app, all, allow(s), rests(s), count(s))
	public.Register(operations, s)
	usercalls.Register(operations, s)
	staffcalls.Register(operations, s)
	agent.Register(operations, s)
	admin.Register(operations, s)
	owner.Register(operations, s)
	return operations, operations.Check()
}

// allow decides whether a session holds a letter of a module.
func allow(s *tenants.Services) func(ctx context.Context, who token.Session, module, letter string) error {
	return func(ctx context.Context, who token.Session, module, letter string) error {
		if who.Audience == token.Admin {
			a, err := s.Admins.Admin(ctx, who)
			if err != nil {
				return err
			}
			return orForbidden(access.AdminCan(a.Role, a.Permission, module, letter), nil)
		}
		account, err := s.Staff.Account(ctx, who)
		if err != nil {
			return err
		}
		return orForbidden(s.May(ctx, who.Org, account, module, letter))
	}
}

// rests refuses what stops while an organisation is suspended.
func rests(s *tenants.Services) func(ctx context.Context, id uuid.UUID) error {
	return func(ctx context.Context, id uuid.UUID) error {
		o, err := s.Orgs.ByID(ctx, id)
		if err == nil && o.State == org.Suspended {
			return org.ErrSuspended
		}
		return err
	}
}

// count counts a call under its limits.
func count(s *tenants.Services) func(ctx context.Context, uses ...ratelimit.Counter) error {
	return func(ctx context.Context, uses ...ratelimit.Counter) error { return s.Limits.Take(ctx, uses...) }
}

func orForbidden(can bool, err error) error {
	if err != nil || can {
		return err
	}
	return fault.NotAllowed
}

const healthPatience = 3 * time.Second

// health answers 200 only when every part answers, and no more once the process leaves: proxies then turn away from it.
func health(checks map[string]func(context.Context) error, drainer *rest.Drainer) fiber.Handler {
	return func(c fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.Context(), healthPatience)
		defer cancel()

		status, parts := http.StatusOK, map[string]string{}
		for name, check := range checks {
			parts[name] = "ok"
			if err := check(ctx); err != nil {
				status, parts[name] = http.StatusServiceUnavailable, "down"
				log.From(c.Context()).Warn("part is down", zap.String("part", name), zap.Error(err))
			}
		}
		if drainer.Draining() {
			status, parts["process"] = http.StatusServiceUnavailable, "leaving"
		}
		return c.Status(status).JSON(rest.Envelope[map[string]string]{
			Result: status == http.StatusOK, Code: status, Detail: parts, Message: http.StatusText(status),
		})
	}
}
