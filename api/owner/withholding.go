package owner

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/access"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/withholding"
)

const pdfType = "application/pdf"

// registerWithholding registers the papers of what is paid out: slips, certificates, and the files by which tax is filed.
func (o *handlers) registerWithholding() {
	module := withholding.Returns.Module()
	registerListed(o, withholding.Certificates)
	registerListed(o, withholding.Returns)
	o.getFile("/api/owner/payout/slip/{id}", guard(module, access.See), "The slip of a payout that was paid; who saw it is written down", pdfType, o.payoutSlip)
	o.getFile("/api/owner/taxcertificate/file/{id}", guard(module, access.See), "A certificate of what was withheld; who saw it is written down", pdfType, o.certificate)
	o.getFile("/api/owner/taxreturn/file/{id}", guard(module, access.See), "The Revenue Department's file of a month; who took it is written down", "text/plain", o.returnFile)
	post(o, "/api/owner/taxcertificate/replace", guard(module, access.Change), "Make a certificate void, and issue another that says what payer and payee are called now", o.replaceCertificate)
	post(o, "/api/owner/taxreturn/next", guard(module, access.See), "What is still to be certified and filed", func(ctx context.Context, who token.Session, _ rest.Empty) (withholding.Next, error) {
		return o.Withholding.Next(ctx, who.Org)
	})
	post(o, "/api/owner/taxreturn/make", guard(module, access.Change), "Make the file of a form's month", o.makeReturn)
	post(o, "/api/owner/taxreturn/cancel", guard(module, access.Change), "Take back a file that was not filed", o.cancelReturn)
	postKeyed(o, "/api/owner/taxreturn/propose", guard(module, access.Change), "Ask a second person to confirm that a file was filed and its tax paid", o.proposeReturn)
}

func (o *handlers) payoutSlip(ctx context.Context, who token.Session, id uuid.UUID) (rest.File, error) {
	name, file, err := o.Payout.Slip(ctx, who.Org, actor(ctx, who), id)
	return rest.FileOf(pdfType, name, file, err)
}

func (o *handlers) certificate(ctx context.Context, who token.Session, id uuid.UUID) (rest.File, error) {
	name, file, err := o.Withholding.Certificate(ctx, who.Org, actor(ctx, who), id)
	return rest.FileOf(pdfType, name, file, err)
}

func (o *handlers) returnFile(ctx context.Context, who token.Session, id uuid.UUID) (rest.File, error) {
	name, file, err := o.Withholding.File(ctx, who.Org, actor(ctx, who), id)
	return rest.FileOf("text/plain; charset=utf-8", name, file, err)
}

func (o *handlers) replaceCertificate(ctx context.Context, who token.Session, in withholding.Reissue) (withholding.ByID, error) {
	return o.Withholding.Replace(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) makeReturn(ctx context.Context, who token.Session, in withholding.Month) (withholding.ByID, error) {
	return o.Withholding.Make(ctx, who.Org, actor(ctx, who), in)
}

func (o *handlers) cancelReturn(ctx context.Context, who token.Session, in withholding.ByID) (rest.Empty, error) {
	return rest.Empty{}, o.Withholding.Cancel(ctx, who.Org, actor(ctx, who), in.ID)
}

func (o *handlers) proposeReturn(ctx context.Context, who token.Session, key string, in withholding.Filing) (withholding.Asked, error) {
	return o.Withholding.Propose(ctx, who.Org, actor(ctx, who), key, in)
}
