// Package rest is the form of every call: one envelope, one rights table, one way to register an operation.
//
// A route is three hops from its SQL: Post here names path and use case; the use case is one transaction; its
// SQL stands in the same package.
package rest

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/ratelimit"
	"welovevoucher/platform/strictjson"
	"welovevoucher/platform/token"
)

// Right says which audiences may call an operation. An empty Module asks for the audience alone.
type Right struct {
	Audiences    []token.Audience // none: everybody, without a token
	Module       string
	Letter       string // v see, i add, u change, s change status; a approve (admins). Of several, any admits and the call decides
	Stops        bool   // while the organisation is suspended: what sells, gives, offers or takes money, and the ways there
	NeedsConsent bool   // only for who has agreed to what is asked for after signing in; the use case holds it, by consent.Requirements.Check
	// Limit is how often one person may call, or one address where nobody is signed in. Every call counts under ratelimit.PerToken
	// beside it; where no token is asked for, PerAddress stands in for an empty one, and counts this operation alone.
	Limit ratelimit.Limit
	// Shared is a limit of all browsers of one address together: with it, who is not signed in counts under Limit by his browser, if he
	// has its cookie, and by his address otherwise.
	Shared ratelimit.Limit
}

// Rights names, for each path, who may call it.
type Rights map[string]Right

// API registers operations.
type API struct {
	huma   huma.API
	rights Rights
	allow  func(ctx context.Context, who token.Session, module, letter string) error
	rests  func(ctx context.Context, org uuid.UUID) error
	count  func(ctx context.Context, uses ...ratelimit.Counter) error
	used   map[string]bool
}

// New puts an API onto a Fiber app. allow decides about modules and letters; it returns fault.NotAllowed. rests returns org.ErrSuspended of a
// suspended organisation. count counts a call under all of its limits; it returns fault.RateLimited.
func New(app *fiber.App, rights Rights, allow func(ctx context.Context, who token.Session, module, letter string) error,
	rests func(ctx context.Context, org uuid.UUID) error,
	count func(ctx context.Context, uses ...ratelimit.Counter) error,
) *API {
	huma.NewErrorWithContext = func(_ huma.Context, status int, msg string, errs ...error) huma.StatusError {
		return refuseInput(status, msg, errs...)
	}
	huma.NewError = refuseInput
	huma.DefaultArrayNullable = false
	huma.ValidateStrictCasing = true

	cfg := huma.DefaultConfig("We Love Voucher", "1")
	cfg.CreateHooks = nil
	// huma reads a body twice: into a map, which it holds against the schema, and into the input. Both read the same.
	cfg.Formats = map[string]huma.Format{"application/json": {Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: strictjson.Unmarshal}}
	cfg.DocsPath, cfg.OpenAPIPath, cfg.SchemasPath = "", "", ""
	cfg.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	cfg.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "an opaque token; its prefix names the audience"},
	}
	return &API{huma: huma.NewAPI(cfg, adapter{app}), rights: rights, allow: allow, rests: rests, count: count, used: map[string]bool{}}
}

// OpenAPI is the description of every registered operation.
func (a *API) OpenAPI() *huma.OpenAPI {
	document := *a.huma.OpenAPI()
	components := *document.Components
	describeIDs(components.Schemas)
	components.Schemas = withNulls(components.Schemas)
	document.Components = &components
	return &document
}

// Check completes the schemas that bodies are checked against. It fails when the rights table and the operations differ; the server
// does not start then.
func (a *API) Check() error {
	describeIDs(a.huma.OpenAPI().Components.Schemas)
	for path := range a.rights {
		if !a.used[path] {
			return fmt.Errorf("rest: the rights table names %s, which is no operation", path)
		}
	}
	return nil
}

// Letters returns, for each module, the letters that some operation of one of the audiences asks for, in the order of letters: a right beyond
// these does nothing.
func (a *API) Letters(letters string, of ...token.Audience) map[string]string {
	found := map[string]string{}
	for path := range a.used {
		right := a.rights[path]
		if right.Module == "" || !slices.ContainsFunc(right.Audiences, func(one token.Audience) bool { return slices.Contains(of, one) }) {
			continue
		}
		asked := found[right.Module] + right.Letter
		found[right.Module] = strings.Map(func(letter rune) rune {
			if strings.ContainsRune(asked, letter) {
				return letter
			}
			return -1
		}, letters)
	}
	return found
}

// Calls returns the rights of the operations that one audience alone may call and that ask for a letter of a module.
func (a *API) Calls(of token.Audience) Rights {
	found := Rights{}
	for path := range a.used {
		if right := a.rights[path]; right.Module != "" && slices.Equal(right.Audiences, []token.Audience{of}) {
			found[path] = right
		}
	}
	return found
}

// Empty is the input of calls without a body, and the answer of calls that have nothing to say.
type Empty struct{}

// Words is the message of a call's answer; empty where the specification has no text for this one.
type Words[Out any] func(out Out) string

// Says is one text for every answer.
func Says[Out any](text string) Words[Out] { return func(Out) string { return text } }

// Post registers a call: its path, one sentence about it, the use case behind it, and the words of its success.
func Post[In, Out any](a *API, path, summary string, use func(ctx context.Context, who token.Session, in In) (Out, error), words ...Words[Out]) {
	op := answering[Out](a, path, summary)
	if reflect.TypeFor[In]() == reflect.TypeFor[Empty]() {
		huma.Register(a.huma, op, func(ctx context.Context, _ *Empty) (*answer, error) {
			var in In
			return run(ctx, op, words, func(ctx context.Context, who token.Session) (Out, error) { return use(ctx, who, in) })
		})
		return
	}
	huma.Register(a.huma, op, func(ctx context.Context, req *body[In]) (*answer, error) {
		return run(ctx, op, words, func(ctx context.Context, who token.Session) (Out, error) { return use(ctx, who, req.Body) })
	})
}

// PostForOrg registers a call whose path ends in the name of an organisation: its unique or a liffId.
func PostForOrg[In, Out any](a *API, path, summary string, use func(ctx context.Context, who token.Session, org string, in In) (Out, error)) {
	op := answering[Out](a, path, summary)
	name := path[strings.IndexByte(path, '{')+1 : strings.IndexByte(path, '}')]
	op.Parameters = []*huma.Param{{
		Name: name, In: "path", Required: true, Schema: &huma.Schema{Type: "string"},
		Description: "An organisation's unique or liffId",
	}}
	huma.Register(a.huma, op, func(ctx context.Context, req *body[In]) (*answer, error) {
		return run(ctx, op, nil, func(ctx context.Context, who token.Session) (Out, error) {
			return use(ctx, who, From(ctx).Param(name), req.Body)
		})
	})
}

// PostKeyed registers a call that moves money or rights: it needs an Idempotency-Key header, and a Limit of its own.
func PostKeyed[In, Out any](a *API, path, summary string, use func(ctx context.Context, who token.Session, key string, in In) (Out, error), words ...Words[Out]) {
	if a.rights[path].Limit.Name == "" {
		panic("rest: " + path + " moves money or rights and has no limit")
	}
	op := answering[Out](a, path, summary)
	huma.Register(a.huma, op, func(ctx context.Context, req *keyed[In]) (*answer, error) {
		return run(ctx, op, words, func(ctx context.Context, who token.Session) (Out, error) { return use(ctx, who, req.Key, req.Body) })
	})
}

// PostForm registers an upload: a multipart form read into In, whose fields follow huma's rules for forms.
func PostForm[In, Out any](a *API, path, summary string, use func(ctx context.Context, who token.Session, in In) (Out, error)) {
	op := answering[Out](a, path, summary)
	op.MaxBodyBytes = MaxUpload
	huma.Register(a.huma, op, func(ctx context.Context, req *form[In]) (*answer, error) {
		return run(ctx, op, nil, func(ctx context.Context, who token.Session) (Out, error) { return use(ctx, who, *req.RawBody.Data()) })
	})
}

// MaxUpload bounds an upload in bytes; a picture may have 8 MB, its form a little more.
const MaxUpload = 9 << 20

// maxJSON bounds a JSON body in bytes.
const maxJSON = 1 << 20

type (
	body[In any] struct{ Body In }

	keyed[In any] struct {
		Key  string `header:"Idempotency-Key" required:"true" minLength:"8" maxLength:"200" doc:"One effect per key, for ever"`
		Body In
	}

	form[In any] struct{ RawBody huma.MultipartFormFiles[In] }

	// answer holds an Envelope of any kind: huma's registration is compiled anew for each type that it is given.
	answer struct{ Body any }
)

// answering is what is known of a call before its input: who may call it, and that an Envelope of Out is its answer.
func answering[Out any](a *API, path, summary string) huma.Operation {
	op := a.operation(path, summary)
	schema := a.huma.OpenAPI().Components.Schemas.Schema(envelopeType[Out](), true, op.OperationID+"Response")
	op.Responses = map[string]*huma.Response{"200": {Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}}
	return op
}

func (a *API) operation(path, summary string) huma.Operation {
	right, ok := a.rights[path]
	if !ok {
		panic("rest: " + path + " has no entry in the rights table")
	}
	a.used[path] = true

	op := huma.Operation{
		OperationID:  strings.NewReplacer("/api/", "", "/", "-", "{", "", "}", "").Replace(path),
		Method:       http.MethodPost,
		Path:         path,
		Summary:      summary,
		Tags:         []string{strings.Split(path, "/")[2]},
		MaxBodyBytes: maxJSON,
		Middlewares:  huma.Middlewares{a.guard(path, right)},
	}
	if len(right.Audiences) > 0 {
		op.Security = []map[string][]string{{"bearer": {}}}
		op.Extensions = map[string]any{"x-audiences": right.Audiences, "x-module": right.Module, "x-letter": right.Letter}
		if right.NeedsConsent {
			op.Extensions["x-needs-consent"] = true
		}
		if right.Stops {
			op.Extensions["x-stops-while-suspended"] = true
		}
	}
	return op
}

// run calls the use case in a span of its own: what came before it was the admission.
func run[Out any](ctx context.Context, op huma.Operation, words []Words[Out], use func(ctx context.Context, who token.Session) (Out, error)) (*answer, error) {
	who, _ := ctx.Value(sessionKey{}).(token.Session)
	ctx, span := tracer.Start(ctx, op.OperationID)
	defer span.End()
	out, err := use(ctx, who)
	if err != nil {
		return nil, refuse(ctx, err)
	}
	message := success
	for _, say := range words {
		if text := say(out); text != "" {
			message = text
		}
	}
	return &answer{envelope(out, message)}, nil
}

type sessionKey struct{}

// guard runs before a body is looked at, so that a stranger learns nothing about what it should hold.
func (a *API) guard(path string, right Right) func(huma.Context, func(huma.Context)) {
	return func(c huma.Context, next func(huma.Context)) {
		who, err := a.authorize(c.Context(), right)
		if err == nil && right.Stops {
			err = a.rests(c.Context(), who.Org)
		}
		if err == nil {
			err = a.limitRate(c.Context(), path, right, who)
		}
		if err != nil {
			write(c, refuse(c.Context(), err))
			return
		}
		next(huma.WithValue(c, sessionKey{}, who))
	}
}

func write(c huma.Context, r *ErrorEnvelope) {
	c.SetHeader("Content-Type", "application/json")
	c.SetStatus(r.Code)
	if err := json.NewEncoder(c.BodyWriter()).Encode(r); err != nil {
		log.From(c.Context()).Warn("write a refusal", zap.Error(err))
	}
}

// authorize lets a request pass when its session is of the right audience and holds the right letter.
func (a *API) authorize(ctx context.Context, right Right) (token.Session, error) {
	if len(right.Audiences) == 0 {
		return token.Session{}, nil
	}
	who, err := From(ctx).Session(ctx)
	if err != nil {
		return who, err
	}
	if !slices.Contains(right.Audiences, who.Audience) {
		return who, fault.NoSession
	}
	if right.Module == "" {
		return who, nil
	}
	for _, letter := range right.Letter {
		if err = a.allow(ctx, who, right.Module, string(letter)); !errors.Is(err, fault.NotAllowed) {
			break
		}
	}
	return who, err
}

// limitRate refuses who calls more often than the operation's limit, or than anybody may. PerAddress counts each operation by itself: who
// spends his address's calls of one does not keep those behind it from signing in by another.
func (a *API) limitRate(ctx context.Context, path string, right Right, who token.Session) error {
	if len(right.Audiences) == 0 {
		if right.Limit.Name == "" || right.Limit == ratelimit.PerAddress {
			right.Limit = ratelimit.PerAddress
			right.Limit.Name += ":" + path
		}
		return a.count(ctx, ofVisitor(ctx, right)...)
	}
	uses := []ratelimit.Counter{ratelimit.PerToken.For(hex.EncodeToString(who.Hash))}
	switch {
	case right.Limit.Name == "":
	case who.Subject == uuid.Nil:
		uses = append(uses, ofVisitor(ctx, right)...)
	default:
		uses = append(uses, right.Limit.For(who.Org.String()+":"+who.Subject.String()))
	}
	return a.count(ctx, uses...)
}

// ofVisitor returns the counters of who is not signed in: of his browser and of all browsers of his address, where the right has a
// limit for these and he has the cookie; else of his address.
func ofVisitor(ctx context.Context, right Right) []ratelimit.Counter {
	address, browser := From(ctx).IP, From(ctx).Browser
	if browser == "" || right.Shared.Name == "" {
		return []ratelimit.Counter{right.Limit.ForAddress(address)}
	}
	return []ratelimit.Counter{right.Limit.For("browser:" + hex.EncodeToString(token.Hash(browser))), right.Shared.ForAddress(address)}
}

// refuse logs what is broken, once, and hides it from the client.
func refuse(ctx context.Context, err error) *ErrorEnvelope {
	r := ErrorResponse(err)
	if r.Code >= http.StatusInternalServerError {
		log.From(ctx).Error("call failed", zap.Error(err))
	}
	return r
}
