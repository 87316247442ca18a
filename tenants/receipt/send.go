package receipt

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	texttemplate "text/template"
	"time"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/log"
	"welovevoucher/platform/mail"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/secret"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/content"
)

// ErrNoMail says that no e-mail can be sent, because no server is configured.
var ErrNoMail = fault.New(fault.Unavailable, "receipt.no_mail", "E-mail cannot be sent here")

// SendInput asks for a receipt by e-mail.
type SendInput struct {
	Of
	Email string `json:"email" minLength:"6" maxLength:"254" doc:"Where it goes"`
	Lang  string `json:"lang" enum:"th,en"`
}

// Sending says where a receipt is on its way to.
type Sending struct {
	To string `json:"to" doc:"The address, of which the part before the @ has only its first letter"`
}

// SendJob sends a receipt. Its address is sealed, because jobs are kept for days after they are done.
type SendJob struct {
	Of
	Customer  uuid.UUID `json:"customer"`
	Key       uuid.UUID `json:"key"`
	Address   []byte    `json:"address"`
	Lang      string    `json:"lang"`
	CreatedAt time.Time `json:"created_at"`
}

// Kind implements queue.Job.
func (SendJob) Kind() string { return "receipt.send" }

// triedFor is how long a receipt is tried whose server does not answer.
const triedFor = 12 * time.Hour

// Send queues a receipt of the customer's for an address. It returns mail.ErrAddress at email, ErrNoMail, or fault.Missing as OfCustomer
// does.
func (s *Service) Send(ctx context.Context, who token.Session, in SendInput) (to Sending, err error) {
	if !mail.ValidAddress(in.Email) {
		return to, fault.At("email", mail.ErrAddress)
	}
	if !s.sender.Ready() {
		return to, ErrNoMail
	}
	if _, err := s.OfCustomer(ctx, who, in.Of); err != nil {
		return to, err
	}
	job := SendJob{Of: in.Of, Customer: who.Subject, Key: db.NewID(), Lang: in.Lang}
	if job.Address, err = s.box.Seal(placeOf(who.Org, job.Key), []byte(in.Email)); err != nil {
		return to, err
	}
	err = s.db.InOrg(ctx, who.Org, func(tx db.Tx) error {
		job.CreatedAt = tx.Now
		return queue.Enqueue(ctx, tx, job)
	})
	return Sending{mail.Mask(in.Email)}, err
}

// placeOf is where an address is sealed for.
func placeOf(organisation, key uuid.UUID) secret.AAD {
	return secret.AAD{Org: organisation, Column: "outbox.receipt", Row: key}
}

// Deliver sends a receipt, unless its customer has deleted his account since. What the server refuses for ever, and what it has not taken for hours, is not tried again.
func (s *Service) Deliver(ctx context.Context, organisation uuid.UUID, job SendJob) error {
	r, err := s.read(ctx, organisation, job.Of, &job.Customer)
	if errors.Is(err, fault.Missing) {
		return nil // its customer has deleted his account, or it was a test sale, and is archived
	}
	if err != nil {
		return err
	}
	address, err := s.box.Open(placeOf(organisation, job.Key), job.Address)
	if err != nil {
		return err
	}
	message, err := compose(r, job.Lang)
	if err != nil {
		return err
	}
	message.Key, message.To = job.Key, string(address)
	err = s.db.ReadInOrg(ctx, organisation, func(tx db.Tx) error {
		details, err := content.ReadContactDetails(ctx, tx)
		message.ReplyTo = details.Email
		return err
	})
	if err != nil {
		return err
	}
	err = s.sender.Send(ctx, message)
	if err != nil && (errors.Is(err, mail.ErrRefused) || errors.Is(err, mail.ErrAddress) || s.db.Now().Sub(job.CreatedAt) > triedFor) {
		log.From(ctx).Warn("a receipt was not sent", zap.Stringer("key", job.Key), zap.Error(err))
		return nil
	}
	return err
}

var (
	//go:embed mail.html
	mailHTML string
	//go:embed mail.txt
	mailText string

	asHTML = template.Must(template.New("mail").Parse(mailHTML))
	asText = texttemplate.Must(texttemplate.New("mail").Parse(mailText))
)

// page is what the templates read: a receipt in one language.
type page struct {
	Receipt
	Words      map[string]string
	Title      string
	SellerName string
	Address    string
	At         string
	Paid       string
	Lines      []pageLine
	Off        []pageLine
	InWords    string
}

type pageLine struct {
	Line
	Name string
}

// Each reports whether the price of a piece is said beside that of all.
func (l pageLine) Each() bool { return l.Unit > 0 && l.Quantity > 1 }

func compose(r Receipt, lang string) (m mail.Message, err error) {
	w := words[lang]
	in := func(th, en string) string {
		if lang == "en" && en != "" {
			return en
		}
		return th
	}
	l := page{
		Receipt: r, Words: w, Title: w["title"], SellerName: in(r.Seller.NameTH, r.Seller.NameEN), Address: in(r.Seller.AddressTH, r.Seller.AddressEN),
		At: r.At.In(clock.Bangkok).Format("02/01/2006 15:04"), Paid: w[r.Method],
	}
	switch r.Kind {
	case Refund:
		l.Title, l.Paid = w["refund"], w["to_"+r.Method]
	case TopUp:
		l.Lines = []pageLine{{Line{Quantity: 1, Amount: r.Total}, w["topup"]}}
	case Order, Resale:
	}
	if lang != "en" {
		l.InWords = r.Words
	}
	for _, line := range r.Lines {
		l.Lines = append(l.Lines, pageLine{line, in(line.NameTH, line.NameEN)})
	}
	for _, off := range r.Reductions {
		l.Off = append(l.Off, pageLine{Line{Amount: off.Amount}, in(off.NameTH, off.NameEN)})
	}
	var html, text bytes.Buffer
	if err := errors.Join(asHTML.Execute(&html, l), asText.Execute(&text, l)); err != nil {
		return m, fmt.Errorf("mail of %s %s: %w", r.Kind, r.ID, err)
	}
	return mail.Message{Sender: l.SellerName, Subject: l.Title + " " + r.Number, Text: text.String(), HTML: html.String()}, nil
}

// words are the sentences of the mail, by language.
var words = map[string]map[string]string{
	"th": {
		"lang": "th", "title": "ใบเสร็จรับเงิน", "refund": "ใบเสร็จคืนเงิน", "no_invoice": "ไม่ใช่ใบกำกับภาษี", "number": "เลขที่", "at": "วันที่", "customer": "ลูกค้า", "payment": "ชำระด้วย",
		"into": "คืนเข้า", "reference": "เลขอ้างอิง", "of_order": "คำสั่งซื้อ", "total": "รวม", "refunded": "คืนเงิน", "baht": "บาท", "wallet": "Wallet", "promptpay": "พร้อมเพย์", "card": "บัตร",
		"to_wallet": "Wallet ของลูกค้า", "to_card": "บัตรที่ใช้ชำระ", "topup": "เติมเงินเข้า Wallet", "tax_id": "เลขประจำตัวผู้เสียภาษี", "phone": "โทร",
		"some": "หลังจากนั้นมีการคืนบางรายการ", "all": "หลังจากนั้นมีการคืนทุกรายการแล้ว", "board": "ซื้อจากลูกค้าอีกท่านหนึ่งบนกระดานขายต่อของร้าน",
		"sent": "อีเมลนี้ส่งตามที่มีผู้ขอรับใบเสร็จในหน้าร้านของเรา หากคุณไม่ได้ขอ ไม่ต้องทำอะไร",
	},
	"en": {
		"lang": "en", "title": "Receipt", "refund": "Receipt of a refund", "no_invoice": "This receipt is not a tax invoice", "number": "Number", "at": "Date", "customer": "Customer", "payment": "Paid by",
		"into": "Refunded to", "reference": "Reference", "of_order": "Order", "total": "Total", "refunded": "Refunded", "baht": "baht", "wallet": "Wallet", "promptpay": "PromptPay", "card": "Card",
		"to_wallet": "The customer's Wallet", "to_card": "The card that paid", "topup": "Wallet top-up", "tax_id": "Tax ID", "phone": "Tel.",
		"some": "Some of this was taken back afterwards.", "all": "All of this was taken back afterwards.", "board": "Bought from another customer on the shop's resale board.",
		"sent": "You get this e-mail because somebody asked for this receipt in our shop. If it was not you, there is nothing to do.",
	},
}
