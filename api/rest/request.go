package rest

import (
	"context"
	"io"
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
)

// Request has what the middleware knows of a request. It travels in the context.
type Request struct {
	ID      string
	IP      string
	Lang    string   // th or en
	Org     *org.Org // the organisation whose host this is; nil on the platform's own
	Browser string   // secret cookie that binds a login to its browser
	Origin  string   // scheme and host, for links back to us: a name that is known to be ours, and our own port, whatever the browser said
	Bearer  string

	find  func(ctx context.Context, plain string) (token.Session, error)
	param func(name string) string
	send  func(body io.Reader, size int) error // streams an answer that is no envelope
}

// Param is a parameter of the path.
func (r *Request) Param(name string) string { return r.param(name) }

type requestKey struct{}

// From returns the request of a context; it panics outside of one, which only a wiring mistake can cause.
func From(ctx context.Context) *Request { return ctx.Value(requestKey{}).(*Request) }

// Session finds the caller's session. It returns fault.NoSession when there is none, or when it belongs to another
// organisation than the host.
func (r *Request) Session(ctx context.Context) (token.Session, error) {
	if r.Bearer == "" {
		return token.Session{}, fault.NoSession
	}
	who, err := r.find(ctx, r.Bearer)
	if err != nil {
		return who, err
	}
	if r.Org != nil && who.Audience != token.Admin && who.Org != r.Org.ID {
		return token.Session{}, fault.NoSession
	}
	who.Address = r.IP
	return who, nil
}

// OrgID is the host's organisation, or uuid.Nil on the platform's own host.
func (r *Request) OrgID() uuid.UUID {
	if r.Org == nil {
		return uuid.Nil
	}
	return r.Org.ID
}

// OriginOf is where an organisation's pages are: on its own host, else on the platform's.
func (r *Request) OriginOf(o org.Org) string {
	scheme, host, _ := strings.Cut(r.Origin, "://")
	if o.Host == "" {
		return r.Origin
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		return scheme + "://" + o.Host + host[i:]
	}
	return scheme + "://" + o.Host
}

// BrowserCookie is the cookie that binds a login to the browser that began it. Over https its name lets no other host
// below ours write it; http, which only localhost speaks, knows no such names.
func BrowserCookie(c fiber.Ctx) string {
	if c.Scheme() == "https" {
		return "__Host-browser"
	}
	return "browser"
}

func newRequest(c fiber.Ctx, host *org.Org, origin string, proxies []string, find func(context.Context, string) (token.Session, error)) *Request {
	lang := c.Cookies("lang")
	if lang != "en" {
		lang = "th"
	}
	bearer, _ := strings.CutPrefix(c.Get(fiber.HeaderAuthorization), "Bearer ")
	return &Request{
		ID: c.GetRespHeader(fiber.HeaderXRequestID), IP: Address(c, proxies), Lang: lang, Org: host,
		Browser: c.Cookies(BrowserCookie(c)), Origin: origin, Bearer: bearer, find: find,
		param: func(name string) string { return c.Params(name) },
		send:  func(body io.Reader, size int) error { return c.SendStream(body, size) },
	}
}

// Address is where a request comes from: behind our proxies the last address that is none of theirs. What stands
// before it in X-Forwarded-For is the client's own word, and would let him pass for anybody in the rate limits.
func Address(c fiber.Ctx, proxies []string) string {
	direct := c.RequestCtx().RemoteIP().String()
	if len(proxies) == 0 || !c.IsProxyTrusted() {
		return direct
	}
	hops := strings.Split(c.Get(fiber.HeaderXForwardedFor), ",")
	for _, hop := range slices.Backward(hops) {
		ip, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			return direct
		}
		if !slices.ContainsFunc(proxies, func(p string) bool { return within(ip, p) }) {
			return ip.String()
		}
	}
	return direct
}

// within reports whether ip is the address, or inside the network, that text names.
func within(ip netip.Addr, text string) bool {
	if network, err := netip.ParsePrefix(text); err == nil {
		return network.Contains(ip)
	}
	one, err := netip.ParseAddr(text)
	return err == nil && one == ip
}
