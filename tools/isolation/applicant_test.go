package isolation

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/payee"
	"welovevoucher/tools/harness"
)

// form is what an applicant fills in; each has a card, a number and an account of its own.
func (s *shop) form() map[string]any {
	n := counter.Add(1)
	return map[string]any{
		"kind": "person", "firstname": s.canary, "lastname": "x", "company_name": "", "tax_id": "", "branch": "", "vat_registered": false, "resident": true,
		"idcard": fmt.Sprintf("AA%07d", n), "birthdate": "1993-08-02", "mobilenumber": freshMobile(), "emailaddress": "guest@mail.example", "address": s.canary, "subdistrict": "x",
		"district": "x", "province": "x", "postcode": "50180", "nationality": "TH", "referercode": "", "bank": "004", "account_number": fmt.Sprintf("%010d", n), "account_name": s.canary + " x",
	}
}

// applicant is a customer who is signed in to the agents' app and no agent.
func (s *shop) applicant() *person {
	s.T.Helper()
	customer := s.customer(fresh("applicant"))
	p := &person{Browser: s.Browser(s.Host), kind: token.Agent, id: customer.id, name: customer.name}
	p.Token = harness.SignIn(s.Browser(s.Host), "/api/authen/agent/"+s.Unique+"/line", map[string]any{"LINETOKEN": s.IDToken(customer.name, s.Channel)}).Token
	s.accept(p, "agent")
	return p
}

// idle takes back what somebody has sent, so that he can fill a form in.
func (s *shop) idle(who *person) {
	s.T.Helper()
	if sent := harness.MustPost[agent.Application](who.Browser, "/api/agent/register/get", "", nil).Sent; sent != nil && sent.State == "pending" {
		harness.MustPost[any](who.Browser, "/api/agent/register/takeback", "", nil)
	}
}

// fillIn has somebody fill a form in.
func (s *shop) fillIn(who *person) {
	s.T.Helper()
	s.idle(who)
	require.NoError(s.T, s.ForgetLimits())
	harness.MustPost[any](who.Browser, "/api/agent/register/save", "", s.form())
}

// codeOf is the code that somebody was sent to the number in his form.
func (s *shop) codeOf(who *person) string {
	s.T.Helper()
	s.fillIn(who)
	draft := harness.MustPost[agent.Application](who.Browser, "/api/agent/register/get", "", nil).Draft
	harness.MustPost[any](who.Browser, "/api/agent/register/code", "", nil)
	return s.Code("+66" + draft.Form.Mobile[1:])
}

// picturesOf are somebody's pictures; to the office, those of somebody who has sent a form.
func (s *shop) picturesOf(who *person) payee.Pictures {
	s.T.Helper()
	if who.kind == token.Agent {
		s.ready(who)
		return harness.MustPost[agent.Application](who.Browser, "/api/agent/register/get", "", nil).Draft.Pictures
	}
	applicant := s.applicant()
	s.sent(applicant)
	return harness.MustPost[agent.Application](applicant.Browser, "/api/agent/register/get", "", nil).Sent.Pictures
}

// ready is a form that can be sent.
func (s *shop) ready(who *person) {
	s.T.Helper()
	code := s.codeOf(who)
	harness.MustPost[any](who.Browser, "/api/agent/register/verify", "", map[string]any{"code": code})
	for _, kind := range []string{payee.IDCardPicture, payee.BankPicture} {
		var text bytes.Buffer
		form := multipart.NewWriter(&text)
		file, err := form.CreateFormFile("images", "x.png")
		require.NoError(s.T, err)
		require.NoError(s.T, png.Encode(file, image.NewGray(image.Rect(0, 0, 64, 48))))
		require.NoError(s.T, form.WriteField("kind", kind))
		require.NoError(s.T, form.Close())
		r := who.Send(http.MethodPost, "/api/agent/register/picture", form.FormDataContentType(), bytes.NewReader(text.Bytes()))
		require.True(s.T, r.Result, r.Fault)
	}
}

// sent is a form that waits.
func (s *shop) sent(who *person) uuid.UUID {
	s.T.Helper()
	s.ready(who)
	return harness.MustPost[agent.Application](who.Browser, "/api/agent/register/send", "", nil).Sent.ID
}

// recruiter is the code of somebody who sells here.
func (s *shop) recruiter() string {
	s.T.Helper()
	p := s.applicant()
	harness.MustPost[any](s.owner.Browser, "/api/owner/agent/approve", "", map[string]any{"customer_id": p.id, "agent_type_id": s.rows["agenttype"]})
	return harness.MustPost[struct {
		Code string `json:"referercode"`
	}](p.Browser, "/api/agent/profile/agent", "", nil).Code
}

// seller is an agent whom no other call needs.
func (s *shop) seller() (id uuid.UUID) {
	s.T.Helper()
	customer := s.customer(fresh("seller")).id
	harness.MustPost[any](s.owner.Browser, "/api/owner/agent/approve", "", map[string]any{"customer_id": customer, "agent_type_id": s.rows["agenttype"]})
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM agent WHERE customer_id = $1`, customer).Scan(&id)
	})
	return id
}
