package agent

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/sms"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/otp"
	"welovevoucher/tenants/payee"
)

// mobilePurpose is the purpose of codes by which an applicant proves that the number in his form is his.
const mobilePurpose = otp.Purpose("agent")

// registerApplications registers the calls by which a customer becomes an agent.
func registerApplications(a *rest.API, c handlers) {
	rest.Post(a, "/api/agent/register/get", "What he is as an agent, what he is filling in, and what he has sent", c.application)
	rest.Post(a, "/api/agent/register/begin", "Open the form, with what is known of him", c.begin)
	rest.Post(a, "/api/agent/register/save", "Keep what is filled in, right or not", c.save)
	rest.Post(a, "/api/agent/register/recruiter", "Who has a code of those who sell here", c.recruiter)
	rest.Post(a, "/api/agent/register/code", "Send a code to the number in his form", c.requestCode)
	rest.Post(a, "/api/agent/register/verify", "Prove by the code that the number is his", c.verifyCode)
	rest.Post(a, "/api/agent/register/send", "Send the form to the organisation", c.send)
	rest.Post(a, "/api/agent/register/takeback", "Open the form again that waits", c.takeBack)
	rest.Post(a, "/api/agent/register/leave", "Stop selling, or applying", c.leave)
	rest.PostForm(a, "/api/agent/register/picture", "Keep a picture of the ID card or the bank book with the form, encrypted", c.addPicture)
	rest.GetFile(a, "/api/agent/register/picture/{id}", "A picture of his own", slices.Values([]string{"image/jpeg"}), c.picture)
}

func by(ctx context.Context, who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: who.Audience, ID: who.Subject, Request: rest.From(ctx).ID}
}

func (c handlers) application(ctx context.Context, who token.Session, _ rest.Empty) (agent.Application, error) {
	return c.Applications.Read(ctx, who)
}

func (c handlers) begin(ctx context.Context, who token.Session, _ rest.Empty) (agent.Application, error) {
	return c.Applications.Begin(ctx, who, by(ctx, who))
}

func (c handlers) save(ctx context.Context, who token.Session, in payee.Form) (agent.Application, error) {
	return c.Applications.Save(ctx, who, by(ctx, who), in)
}

func (c handlers) recruiter(ctx context.Context, who token.Session, in agent.RecruiterInput) (agent.Recruiter, error) {
	return c.Applications.Recruiter(ctx, who, in)
}

func (c handlers) requestCode(ctx context.Context, who token.Session, _ rest.Empty) (otp.Sent, error) {
	o, err := c.Orgs.ByID(ctx, who.Org)
	if err != nil {
		return otp.Sent{}, err
	}
	number, err := c.Applications.Mobile(ctx, who)
	if err != nil {
		return otp.Sent{}, err
	}
	lang := rest.From(ctx).Lang
	sent, err := c.OTP.Request(ctx, who, mobilePurpose, number, otp.Text{Shop: o.Name(lang), Lang: lang})
	return sent, atMobile(err)
}

// CodeInput is the code that came by SMS.
type CodeInput struct {
	Code string `json:"code" pattern:"^[0-9]{6}$"`
}

// verifyCode uses the code up before it is written down whose number it is: if that fails, he asks for another.
func (c handlers) verifyCode(ctx context.Context, who token.Session, in CodeInput) (agent.Application, error) {
	number, err := c.Applications.Mobile(ctx, who)
	if err != nil {
		return agent.Application{}, err
	}
	verified, err := c.OTP.Verify(ctx, who, mobilePurpose, number, in.Code)
	if err != nil {
		return agent.Application{}, atMobile(err)
	}
	return c.Applications.SetVerified(ctx, who, by(ctx, who), verified)
}

// atMobile names the field of a number that no SMS reaches.
func atMobile(err error) error {
	if errors.Is(err, sms.ErrNumber) {
		return fault.At("mobilenumber", sms.ErrNumber)
	}
	return err
}

func (c handlers) send(ctx context.Context, who token.Session, _ rest.Empty) (agent.Application, error) {
	return c.Applications.Send(ctx, who, by(ctx, who))
}

func (c handlers) takeBack(ctx context.Context, who token.Session, _ rest.Empty) (agent.Application, error) {
	return c.Applications.TakeBack(ctx, who, by(ctx, who))
}

func (c handlers) leave(ctx context.Context, who token.Session, _ rest.Empty) (agent.Application, error) {
	return c.Applications.Leave(ctx, who, by(ctx, who))
}

// PictureForm is an upload.
type PictureForm struct {
	Picture huma.FormFile `form:"images" required:"true" doc:"JPEG, PNG or WebP, at most 8 MB"`
	Kind    string        `form:"kind" enum:"idcard,bank" required:"false" default:"idcard" doc:"What it shows: the ID card, or the page of the bank book with number and name"`
}

func (c handlers) addPicture(ctx context.Context, who token.Session, in PictureForm) (agent.Application, error) {
	defer in.Picture.Close()
	return c.Applications.AddPicture(ctx, who, by(ctx, who), cmp.Or(in.Kind, payee.IDCardPicture), in.Picture) // an upload has no defaults
}

func (c handlers) picture(ctx context.Context, who token.Session, id uuid.UUID) (rest.File, error) {
	picture, err := c.Applications.Picture(ctx, who, id)
	return rest.FileOf("image/jpeg", "picture.jpg", picture, err)
}
