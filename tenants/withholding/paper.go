package withholding

import (
	"bytes"
	"fmt"
	"strings"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/money"
	"welovevoucher/platform/pdf"
	"welovevoucher/tenants/tax"
)

// What stands on a certificate is of section 50 bis of the Revenue Code and of the Director-General's form.
const title = "หนังสือรับรองการหักภาษี ณ ที่จ่าย"

// boxes are those for the payer's form, in the paper's order.
var boxes = []struct{ form, name string }{
	{string(tax.PND1), "ภ.ง.ด.1ก"}, {"", "ภ.ง.ด.1ก พิเศษ"}, {"", "ภ.ง.ด.2"}, {"", "ภ.ง.ด.3"}, {"", "ภ.ง.ด.2ก"}, {"", "ภ.ง.ด.3ก"}, {string(tax.PND53), "ภ.ง.ด.53"},
}

// boxesAt is where the boxes of a row stand.
var boxesAt = []float64{120, 205, 320, 405}

// incomes are the rows of the table. Commission is in the second, of persons and of companies.
var incomes = []string{
	"1. เงินเดือน ค่าจ้าง เบี้ยเลี้ยง โบนัส ฯลฯ ตามมาตรา 40 (1)",
	"2. ค่าธรรมเนียม ค่านายหน้า ฯลฯ ตามมาตรา 40 (2)",
	"3. ค่าแห่งลิขสิทธิ์ ฯลฯ ตามมาตรา 40 (3)",
	"4. ดอกเบี้ย เงินปันผล ฯลฯ ตามมาตรา 40 (4)",
	"5. การจ่ายเงินได้ที่ต้องหักภาษี ณ ที่จ่าย ตามคำสั่งกรมสรรพากรที่ออกตามมาตรา 3 เตรส",
	"6. อื่น ๆ",
}

const commissionRow = 1

// copies are the paper's pages.
var copies = []string{
	"ฉบับที่ 1 (สำหรับผู้ถูกหักภาษี ณ ที่จ่าย ใช้แนบพร้อมกับแบบแสดงรายการภาษี)",
	"ฉบับที่ 2 (สำหรับผู้ถูกหักภาษี ณ ที่จ่าย เก็บไว้เป็นหลักฐาน)",
}

const (
	margin = 15 * pdf.MM
	right  = pdf.Width - margin
	inner  = right - margin
)

var (
	plain = pdf.Style{Size: 11}
	small = pdf.Style{Size: 9.5}
	bold  = pdf.Style{Font: pdf.Bold, Size: 11}
)

// paper returns a certificate as a PDF: the same bytes each time. replaces is the number of the one in whose place it is, or empty.
func (c certificate) paper(to recipient, replaces string) ([]byte, error) {
	var file bytes.Buffer
	d := pdf.New(&file, pdf.About{Title: title + " " + c.Number, Author: c.PayerName, Made: c.IssuedAt})
	for _, copyOf := range copies {
		d.Page()
		c.page(d, to, replaces, copyOf)
	}
	if err := d.Close(); err != nil {
		return nil, fmt.Errorf("certificate %s: %w", c.Number, err)
	}
	return file.Bytes(), nil
}

func (c certificate) page(d *pdf.Document, to recipient, replaces, copyOf string) {
	d.Text(margin, 46, copyOf, small)
	d.Text(pdf.Width/2, 72, title, pdf.Style{Font: pdf.Bold, Size: 17, Align: pdf.Centre})
	d.Text(pdf.Width/2, 90, "ตามมาตรา 50 ทวิ แห่งประมวลรัษฎากร", pdf.Style{Size: 12, Align: pdf.Centre})
	d.Text(right, 46, "เลขที่ "+c.Number, pdf.Style{Font: pdf.Bold, Size: 10, Align: pdf.Right})
	if replaces != "" {
		d.Text(right, 59, "ออกแทนเลขที่ "+replaces, pdf.Style{Size: 9, Align: pdf.Right})
	}
	if c.State == "void" {
		d.Text(pdf.Width/2, 110, "ยกเลิก", pdf.Style{Font: pdf.Bold, Size: 20, Align: pdf.Centre})
	}

	y := 118.0
	y = who(d, y, "ผู้มีหน้าที่หักภาษี ณ ที่จ่าย", c.PayerName, c.PayerTaxID, c.PayerBranch, c.PayerAt)
	y = who(d, y+8, "ผู้ถูกหักภาษี ณ ที่จ่าย", to.name(), to.TaxID, to.Branch, to.address())

	d.Box(margin, y+8, inner, 44, 0.6)
	d.Text(margin+8, y+26, "ลำดับที่ ............ ในแบบ", plain)
	for i, box := range boxes {
		x, line := margin+boxesAt[i%len(boxesAt)], y+26+float64(i/len(boxesAt))*17
		d.Box(x, line-8, 9, 9, 0.6)
		if box.form == string(c.Form) {
			check(d, x, line)
		}
		d.Text(x+14, line, fmt.Sprintf("(%d) %s", i+1, box.name), plain)
	}
	y = c.table(d, y+60)

	d.Box(margin, y+8, inner, 26, 0.6)
	d.Text(margin+8, y+25, "รวมเงินภาษีที่หักนำส่ง (ตัวอักษร)", plain)
	d.Text(margin+180, y+25, "("+c.Withheld.Words()+")", bold)
	y += 42

	d.Box(margin, y, inner, 26, 0.6)
	d.Text(margin+8, y+17, "ผู้จ่ายเงิน", bold)
	for i, way := range []string{"(1) หัก ณ ที่จ่าย", "(2) ออกให้ตลอดไป", "(3) ออกให้ครั้งเดียว", "(4) อื่น ๆ"} {
		x := margin + 70 + float64(i)*112
		d.Box(x, y+9, 9, 9, 0.6)
		if i == 0 {
			check(d, x, y+17)
		}
		d.Text(x+14, y+17, way, plain)
	}
	y += 34

	d.Box(margin, y, inner, 84, 0.6)
	d.Text(pdf.Width/2, y+20, "ขอรับรองว่าข้อความและตัวเลขดังกล่าวข้างต้นถูกต้องตรงกับความจริงทุกประการ", pdf.Style{Size: 11, Align: pdf.Centre})
	d.Text(pdf.Width/2, y+46, "ลงชื่อ ........................................................ ผู้จ่ายเงิน", pdf.Style{Size: 11, Align: pdf.Centre})
	d.Text(pdf.Width/2, y+68, "วัน เดือน ปี ที่ออกหนังสือรับรอง  "+clock.InThai(clock.Day(c.IssuedAt)), pdf.Style{Size: 11, Align: pdf.Centre})
}

// who draws a party's box, and returns where it ends.
func who(d *pdf.Document, y float64, heading, name, taxID, branch, address string) float64 {
	lines := d.Wrap("ที่อยู่  "+address, inner-16, plain)
	height := 44 + 15*float64(len(lines))
	d.Box(margin, y, inner, height, 0.6)
	d.Text(margin+8, y+16, heading, bold)
	number := "เลขประจำตัวผู้เสียภาษีอากร  " + grouped(taxID)
	if branch != "" {
		number += "   " + branchName(branch)
	}
	d.Text(right-8, y+16, number, pdf.Style{Size: 11, Align: pdf.Right})
	d.Text(margin+8, y+34, "ชื่อ  "+name, plain)
	for i, line := range lines {
		d.Text(margin+8, y+51+15*float64(i), line, plain)
	}
	return y + height
}

// table draws what was paid, and returns where it ends.
func (c certificate) table(d *pdf.Document, y float64) float64 {
	const row, head = 24.0, 30.0
	columns := []float64{margin, margin + 268, margin + 348, margin + 434, right}
	height := head + row*float64(len(incomes)+1)
	d.Fill(margin, y, inner, head, 0.93)
	d.Box(margin, y, inner, height, 0.6)
	d.Line(columns[1], y, columns[1], y+height-row, 0.6)
	for _, x := range columns[2 : len(columns)-1] {
		d.Line(x, y, x, y+height, 0.6)
	}
	d.Line(margin, y+head, right, y+head, 0.6)
	d.Line(margin, y+height-row, right, y+height-row, 0.6)
	for i, heading := range []string{"ประเภทเงินได้พึงประเมินที่จ่าย", "วัน เดือน หรือ\nปีภาษี ที่จ่าย", "จำนวนเงินที่จ่าย", "ภาษีที่หัก\nและนำส่งไว้"} {
		lines := strings.Split(heading, "\n")
		for n, line := range lines {
			d.Text((columns[i]+columns[i+1])/2, y+19+13*(float64(n)-float64(len(lines)-1)/2), line, pdf.Style{Font: pdf.Bold, Size: 10, Align: pdf.Centre})
		}
	}
	figure := func(x, at float64, amount money.Amount, s pdf.Style) {
		s.Align = pdf.Right
		d.Text(x-6, at, amount.String(), s)
	}
	for i, income := range incomes {
		at := y + head + row*float64(i)
		lines := d.Wrap(income, 256, small)
		for n, line := range lines {
			d.Text(margin+6, at+15+10.5*(float64(n)-float64(len(lines)-1)/2), line, small)
		}
		if i == commissionRow {
			d.Text((columns[1]+columns[2])/2, at+15.5, clock.InThaiDigits(c.PaidOn), pdf.Style{Size: 11, Align: pdf.Centre})
			figure(columns[3], at+15.5, c.Income, plain)
			figure(columns[4], at+15.5, c.Withheld, plain)
		}
	}
	at := y + height - row + 15.5
	d.Text(columns[2]-6, at, "รวมเงินที่จ่ายและภาษีที่หักนำส่ง", pdf.Style{Font: pdf.Bold, Size: 11, Align: pdf.Right})
	figure(columns[3], at, c.Income, bold)
	figure(columns[4], at, c.Withheld, bold)
	return y + height
}

// check draws a tick in a box whose text has this baseline.
func check(d *pdf.Document, x, y float64) {
	d.Line(x+1.5, y-4, x+3.8, y-0.8, 1.2)
	d.Line(x+3.8, y-0.8, x+8.5, y-8.5, 1.2)
}

// grouped returns a tax ID as papers write it: 0 1055 61000 00 3.
func grouped(id string) string {
	if len(id) != 13 {
		return id
	}
	return strings.Join([]string{id[:1], id[1:5], id[5:10], id[10:12], id[12:]}, " ")
}

func branchName(branch string) string {
	if strings.Trim(branch, "0") == "" {
		return "สำนักงานใหญ่"
	}
	return "สาขาที่ " + branch
}
