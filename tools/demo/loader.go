package demo

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Drawn for this project and exported once.
//
//go:embed pictures/*.jpg
var pictures embed.FS

type loader struct {
	Options
	base  *url.URL
	http  *http.Client
	admin string // token
}

func newLoader(ctx context.Context, o Options) (*loader, error) {
	base, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	// Names below localhost are this machine, whatever its resolver says.
	l := &loader{Options: o, base: base, http: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if host, port, err := net.SplitHostPort(address); err == nil && strings.HasSuffix(host, ".localhost") {
				address = net.JoinHostPort("localhost", port)
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}}}
	answer, err := l.signInAdmin(ctx)
	l.admin = answer.Token
	return l, err
}

// signedIn is the answer of a call that opens a session: its token stands beside the detail.
type signedIn struct{ Token string }

type created struct {
	ID uuid.UUID `json:"id"`
}

// site is where an organisation's pages are.
func (l *loader) site(unique string) string {
	return l.base.Scheme + "://" + unique + ".localhost:" + l.base.Port()
}

// organisation opens one and fills it. What is there already from an interrupted start is left alone.
func (l *loader) organisation(ctx context.Context, o organisation) error {
	id, err := l.open(ctx, o)
	if err != nil || id == uuid.Nil {
		return err
	}
	site := l.site(o.Unique)
	owner, err := post[signedIn](ctx, l, site, "/api/authen/owner/user", "", map[string]string{"username": ownerName, "password": ownerPassword})
	if err != nil {
		return err
	}
	s := shop{loader: l, site: site, token: owner.Token, o: o, org: id}
	return s.fill(ctx)
}

const webhookSecret = "ZGVtbyB3ZWJob29rIHNlY3JldCBvZiB3ZSBsb3ZlIHZvdWNoZXI="

// open lets the platform open an organisation, as an admin would. It returns no id when it is there already.
func (l *loader) open(ctx context.Context, o organisation) (uuid.UUID, error) {
	plans, err := post[struct{ Data []created }](ctx, l, l.BaseURL, "/api/admin/plan/list", l.admin, nil)
	if err != nil {
		return uuid.Nil, err
	}
	channel := map[string]any{
		"id": o.Channel, "secret": "channel-secret-" + o.Unique, "name": o.NameTH,
		"liff": []map[string]string{
			{"id": o.liff("user"), "endpoint": l.site(o.Unique) + "/welovevoucher/" + o.liff("user")},
			{"id": o.liff("agent"), "endpoint": l.site(o.Unique) + "/weloveagent/" + o.liff("agent")},
			{"id": o.liff("trade"), "endpoint": l.site(o.Unique) + "/tradeuser/" + o.liff("trade")},
			{"id": o.liff("transfer"), "endpoint": l.site(o.Unique) + "/transferuser/" + o.liff("transfer")},
		},
	}
	if err := l.control(ctx, l.LineURL+"/emulator/channels", channel); err != nil {
		return uuid.Nil, err
	}

	made, err := post[created](ctx, l, l.BaseURL, "/api/admin/organize/save", l.admin, map[string]any{
		"unique": o.Unique, "name_th": o.NameTH, "name_en": o.NameEN, "tagline_th": o.TaglineTH, "tagline_en": o.TaglineEN,
		"plan_id": plans.Data[len(plans.Data)-1].ID, "background_color_primary": o.Primary, "background_color_secondary": o.Secondary,
		"hosts":   []string{o.Unique + ".localhost"},
		"liff":    map[string]string{"liffuser": o.liff("user"), "liffagent": o.liff("agent"), "lifftrade": o.liff("trade"), "lifftransfer": o.liff("transfer")},
		"line":    map[string]string{"channel_id": o.Channel, "channel_secret": "channel-secret-" + o.Unique},
		"payment": o.keys(),
		"owner":   map[string]string{"username": ownerName, "name": "เจ้าของ " + o.NameTH, "password": ownerPassword},
	})
	if refused := (*refusal)(nil); errors.As(err, &refused) && refused.Fault == "input.invalid" && refused.has("org.unique_taken") {
		return uuid.Nil, nil
	}
	if err != nil {
		return uuid.Nil, err
	}

	if err := l.whenLive(ctx, made.ID); err != nil || !o.OwnKeys {
		return made.ID, err
	}
	connected, err := post[struct {
		WebhookURL string `json:"webhook_url"`
	}](ctx, l, l.BaseURL, "/api/admin/organize/connections", l.admin, made)
	if err != nil {
		return uuid.Nil, err
	}
	account := o.keys()
	account["webhook_url"] = connected.WebhookURL
	return made.ID, l.control(ctx, l.PayURL+"/emulator/endpoints", account)
}

// keys are those of the organisation's own gateway account; without one the platform's collects.
func (o organisation) keys() map[string]string {
	if !o.OwnKeys {
		return map[string]string{"public_key": "", "secret_key": "", "webhook_secret": ""}
	}
	return map[string]string{"public_key": "pkey_test_" + o.Unique, "secret_key": "skey_test_" + o.Unique, "webhook_secret": webhookSecret}
}

// whenLive waits for a worker to open an organisation.
func (l *loader) whenLive(ctx context.Context, id uuid.UUID) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		o, err := post[struct{ State string }](ctx, l, l.BaseURL, "/api/admin/organize/detail", l.admin, created{id})
		if err != nil {
			return err
		}
		if o.State == "live" {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("organisation %s did not go live: %w", id, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// refusal is an answer that is not the one asked for.
type refusal struct {
	Path   string
	Code   int
	Fault  string
	Fields []struct{ Path, Fault string }
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s: %d %s %v", r.Path, r.Code, r.Fault, r.Fields)
}

func (r *refusal) has(fault string) bool {
	for _, f := range r.Fields {
		if f.Fault == fault {
			return true
		}
	}
	return false
}

// post calls the platform's API; a path that moves money gets a fresh key.
func post[T any](ctx context.Context, l *loader, site, path, token string, body any) (detail T, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return detail, err
	}
	return send[T](ctx, l, site, path, token, "application/json", bytes.NewReader(text))
}

func send[T any](ctx context.Context, l *loader, site, path, token, kind string, body io.Reader) (detail T, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, site+path, body)
	if err != nil {
		return detail, err
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Idempotency-Key", uuid.NewString())
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := l.http.Do(req)
	if err != nil {
		return detail, err
	}
	defer res.Body.Close()
	answer := struct {
		Result bool
		Code   int
		Fault  string
		Fields []struct{ Path, Fault string }
		Token  string
		Detail json.RawMessage
	}{}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return detail, fmt.Errorf("%s: %w", path, err)
	}
	if !answer.Result {
		return detail, &refusal{Path: path, Code: answer.Code, Fault: answer.Fault, Fields: answer.Fields}
	}
	if in, opens := any(&detail).(*signedIn); opens {
		in.Token = answer.Token
		return detail, nil
	}
	return detail, json.Unmarshal(answer.Detail, &detail)
}

// control calls an emulator.
func (l *loader) control(ctx context.Context, address string, body any) error {
	_, err := l.controlAnswer(ctx, address, body)
	return err
}

func (l *loader) controlAnswer(ctx context.Context, address string, body any) (answer map[string]any, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := l.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("%s answered %d", address, res.StatusCode)
	}
	return answer, json.NewDecoder(res.Body).Decode(&answer)
}

// upload sends one of the demo's pictures and returns its id.
func (l *loader) upload(ctx context.Context, site, token, name string) (id uuid.UUID, err error) {
	picture, err := pictures.ReadFile("pictures/" + name + ".jpg")
	if err != nil {
		return id, err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("images", name+".jpg")
	if err != nil {
		return id, err
	}
	if _, err := part.Write(picture); err != nil {
		return id, err
	}
	if err := form.Close(); err != nil {
		return id, err
	}
	made, err := send[created](ctx, l, site, "/api/owner/upload/image", token, form.FormDataContentType(), &body)
	return made.ID, err
}
