package payout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/pdf"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/payee"
)

const (
	slipOf = `SELECT p.reference, p.payee_id, p.version_id, coalesce(c.display_name, x.name_th), coalesce(v.bank, ''), coalesce(v.account_digits, ''), u.up_to, p.gross_satang, p.taxable_satang, p.withheld_satang, p.net_satang, p.paid_on, p.state = 'returned', p.paid_at
		FROM payout p JOIN payout_run u ON u.id = p.run_id LEFT JOIN agent a ON a.id = p.payee_id LEFT JOIN customer c ON c.id = a.customer_id LEFT JOIN partner x ON x.id = p.payee_id LEFT JOIN payee_version v ON v.id = p.version_id
		WHERE p.id = $1 AND p.state IN ('paid', 'returned') AND ($2::uuid IS NULL OR a.customer_id = $2)`
	slipLines = `SELECT coalesce(c.at, x.at), coalesce(o.number, w.code, b.reference), l.return_id IS NOT NULL, coalesce(i.name_th, w.name_th, ''), l.amount_satang
		FROM payout_line l LEFT JOIN commission_change c ON c.id = l.change_id LEFT JOIN commission k ON k.id = c.commission_id LEFT JOIN orders o ON o.id = k.order_id
		LEFT JOIN redemption u ON u.id = k.redemption_id LEFT JOIN voucher w ON w.id = u.voucher_id
		LEFT JOIN order_line i ON i.order_id = o.id AND i.position = 0 LEFT JOIN payout_return x ON x.payout_id = l.return_id LEFT JOIN payout b ON b.id = x.payout_id
		WHERE l.payout_id = $1 ORDER BY l.amount_satang < 0 DESC, coalesce(c.at, x.at), l.source_id`
)

// slip is what a payout's slip says.
type slip struct {
	Reference                     string
	Payee                         uuid.UUID
	Version                       *uuid.UUID
	Name                          string
	Bank, Digits                  string
	UpTo                          time.Time
	Gross, Taxable, Withheld, Net money.Amount
	PaidOn                        time.Time
	CameBack                      bool
	PaidAt                        time.Time
}

// Slip returns the slip of a payout that was paid, as a PDF, and records who has seen it. It returns fault.Missing if there is none.
func (s *Service) Slip(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) (name string, file []byte, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		if name, file, err = s.slip(ctx, tx, id, nil); err != nil {
			return err
		}
		return auditlog.Record(ctx, tx, who, "see slip", Payouts.Name()+"/"+id.String(), nil, nil)
	})
	return name, file, err
}

// OwnSlip returns the slip of a payout to who was paid. It returns fault.Missing if it was not paid, or is another's.
func (s *Service) OwnSlip(ctx context.Context, org, customer, id uuid.UUID) (name string, file []byte, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		name, file, err = s.slip(ctx, tx, id, &customer)
		return err
	})
	return name, file, err
}

// slip draws the slip of a payout; of is whose it has to be, or nil.
func (s *Service) slip(ctx context.Context, tx db.Tx, id uuid.UUID, of *uuid.UUID) (string, []byte, error) {
	rows, err := tx.Query(ctx, slipOf, id, of)
	if err != nil {
		return "", nil, fmt.Errorf("payout %s: %w", id, err)
	}
	p, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[slip])
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil, fault.Missing
	}
	if err != nil {
		return "", nil, fmt.Errorf("payout %s: %w", id, err)
	}
	if p.Version != nil {
		forms, err := payee.FormsOf(ctx, tx, s.box, []uuid.UUID{*p.Version})
		if err != nil {
			return "", nil, err
		}
		if form, ok := forms[*p.Version]; ok {
			p.Name = form.Name()
		}
	}
	from, err := content.ReadContactDetails(ctx, tx)
	if err != nil {
		return "", nil, err
	}
	lines, err := tx.Query(ctx, slipLines, id)
	if err != nil {
		return "", nil, fmt.Errorf("lines of payout %s: %w", id, err)
	}
	var file bytes.Buffer
	d := pdf.New(&file, pdf.About{Title: "ใบแจ้งการโอนค่าคอม " + p.Reference, Author: from.LegalNameTH, Made: p.PaidAt})
	y := p.head(d, from)
	var at time.Time
	var number, what string
	var back bool
	var sum money.Amount
	_, err = pgx.ForEachRow(lines, []any{&at, &number, &back, &what, &sum}, func() error {
		y = slipLine(d, y, at, number, slipWords(back, what, sum), sum)
		return nil
	})
	if err != nil {
		return "", nil, fmt.Errorf("lines of payout %s: %w", id, err)
	}
	p.foot(d, y)
	if err := d.Close(); err != nil {
		return "", nil, fmt.Errorf("slip of payout %s: %w", id, err)
	}
	return p.Reference + ".pdf", file.Bytes(), nil
}

func slipWords(back bool, what string, sum money.Amount) string {
	switch {
	case back:
		return "ยอดโอนครั้งก่อนที่ธนาคารคืน"
	case sum < 0:
		return "หักคืน: " + what
	}
	return what
}

const (
	slipMargin = 18 * pdf.MM
	slipRight  = pdf.Width - slipMargin
	slipBottom = pdf.Height - 22*pdf.MM
	slipRow    = 17.0
)

var (
	slipText  = pdf.Style{Size: 11}
	slipQuiet = pdf.Style{Size: 10, Grey: 0.35}
	slipBold  = pdf.Style{Font: pdf.Bold, Size: 11}
	slipSum   = pdf.Style{Size: 11, Align: pdf.Right}
)

// head draws who pays whom, and returns where the lines begin.
func (p slip) head(d *pdf.Document, from content.ContactDetails) float64 {
	d.Page()
	d.Text(slipMargin, 64, "ใบแจ้งการโอนค่าคอม", pdf.Style{Font: pdf.Bold, Size: 18})
	d.Text(slipRight, 64, p.Reference, pdf.Style{Font: pdf.Bold, Size: 12, Align: pdf.Right})
	y := 92.0
	d.Text(slipMargin, y, "ผู้จ่าย", slipQuiet)
	d.Text(slipMargin+70, y, from.LegalNameTH, slipBold)
	if from.TaxID != "" {
		y += slipRow
		d.Text(slipMargin+70, y, "เลขประจำตัวผู้เสียภาษี "+from.TaxID, slipText)
	}
	for _, line := range d.Wrap(from.AddressTH, slipRight-slipMargin-70, slipText) {
		if line != "" {
			y += slipRow
			d.Text(slipMargin+70, y, line, slipText)
		}
	}
	for _, fact := range [][2]string{
		{"ผู้รับ", p.Name},
		{"โอนเข้า", strings.TrimSpace(bank.InThai(p.Bank) + " ลงท้าย " + p.Digits)},
		{"โอนเมื่อ", clock.InThai(p.PaidOn)},
		{"ค่าคอมถึง", clock.InThai(p.UpTo)},
	} {
		y += slipRow + 3
		d.Text(slipMargin, y, fact[0], slipQuiet)
		d.Text(slipMargin+70, y, fact[1], slipText)
	}
	if p.CameBack {
		y += slipRow + 3
		d.Text(slipMargin, y, "ธนาคารคืนเงินรายการนี้หลังโอน ยอดนี้รอการโอนครั้งต่อไป", slipBold)
	}
	return slipHeadings(d, y+26)
}

// slipHeadings draws the table's head, and returns where its first line stands.
func slipHeadings(d *pdf.Document, y float64) float64 {
	d.Fill(slipMargin, y-13, slipRight-slipMargin, 20, 0.93)
	d.Text(slipMargin+6, y, "วันที่", slipBold)
	d.Text(slipMargin+76, y, "เลขที่", slipBold)
	d.Text(slipMargin+190, y, "รายการ", slipBold)
	d.Text(slipRight-6, y, "บาท", pdf.Style{Font: pdf.Bold, Size: 11, Align: pdf.Right})
	return y + 20
}

// slipLine draws what a payout is made of, on the next page where this one is full, and returns where the next one stands.
func slipLine(d *pdf.Document, y float64, at time.Time, number, what string, sum money.Amount) float64 {
	words := d.Wrap(what, slipRight-slipMargin-190-80, slipText)
	if y+slipRow*float64(len(words)) > slipBottom {
		d.Page()
		y = slipHeadings(d, 64)
	}
	d.Text(slipMargin+6, y, clock.InThaiDigits(clock.Day(at)), slipText)
	d.Text(slipMargin+76, y, number, slipText)
	d.Text(slipRight-6, y, sum.String(), slipSum)
	for _, line := range words {
		d.Text(slipMargin+190, y, line, slipText)
		y += slipRow
	}
	return y
}

// foot draws the sums.
func (p slip) foot(d *pdf.Document, y float64) {
	if y+120 > slipBottom {
		d.Page()
		y = 64
	}
	d.Line(slipMargin, y-10, slipRight, y-10, 0.6)
	y += 8
	for _, sum := range []struct {
		name   string
		amount money.Amount
		style  pdf.Style
	}{
		{"รวมค่าคอม", p.Gross, slipText},
		{fmt.Sprintf("หักภาษี ณ ที่จ่าย (จากเงินได้ %s บาท)", p.Taxable), -p.Withheld, slipText},
		{"โอนสุทธิ", p.Net, pdf.Style{Font: pdf.Bold, Size: 13}},
	} {
		d.Text(slipMargin+190, y, sum.name, sum.style)
		sum.style.Align = pdf.Right
		d.Text(slipRight-6, y, sum.amount.String(), sum.style)
		y += slipRow + 3
	}
	d.Text(slipRight-6, y, "("+p.Net.Words()+")", pdf.Style{Size: 11, Align: pdf.Right})
}
