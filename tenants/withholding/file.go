package withholding

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/tax"
)

// The layout is the Revenue Department's central format V2.0 of 16/06/2568 as docs/payouts.md, Papers, describes it.
const (
	fieldMark = "|"
	lineEnd   = "\r\n"
	orderMark = "\ufeff"
	noDay     = "00000000"
	noAmount  = "0.00"
	blocks    = 3 // of what was paid, in a line of PND53
)

// A payer's role, and how the file comes, as the format numbers them.
const (
	forItself    = "1"
	byInternet   = "2"
	notLarge     = "0"
	normalFile   = "00"
	noSender     = "0000"
	withholdOnly = "1" // the payee bears the tax
)

// incomeCodes are the format's numbers of PND1 for what rules name an income.
var incomeCodes = map[string]string{"402I": "4", "402E": "5"}

// fileName is PND53_{tax ID}_{branch}_{year}_{month}_{sequence}_00.txt.
func fileName(form tax.Form, from party, month time.Time, sequence int) string {
	return fmt.Sprintf("%s_%s_%s_%d_%02d_%02d_00.txt", form, from.TaxID, sixDigits(from.Branch), clock.ThaiYear(month), month.Month(), sequence)
}

func sixDigits(branch string) string {
	return strings.Repeat("0", 6-min(6, len(branch))) + branch
}

// fileOf returns the bytes of a month's file of a form.
func fileOf(form tax.Form, from party, month time.Time, sequence int, list []certificate, to []recipient) (string, error) {
	var income, withheld money.Amount
	lines := make([]string, 0, len(list)+1)
	for i, c := range list {
		line, err := detail(i+1, from, c, to[i])
		if err != nil {
			return "", err
		}
		lines = append(lines, line)
		income, withheld = income+c.Income, withheld+c.Withheld
	}
	head := []string{"H", noSender, from.TaxID, sixDigits(from.Branch), forItself, string(form), from.TaxID, sixDigits(from.Branch), headOffice(from.Branch)}
	if form != tax.PND1 {
		head = append(head, "1", "0", "0") // withheld under section 3 ter, not under 65 quater or 69 bis
	}
	head = append(head, notLarge, fmt.Sprintf("%02d", month.Month()), strconv.Itoa(clock.ThaiYear(month)), "", formType(sequence), strconv.Itoa(len(list)),
		plainAmount(income), plainAmount(withheld), noAmount, plainAmount(withheld), noAmount, "", byInternet)
	return orderMark + strings.Join(append([]string{strings.Join(head, fieldMark)}, lines...), lineEnd), nil
}

func formType(sequence int) string {
	if sequence == 0 {
		return normalFile
	}
	return fmt.Sprintf("%02d", sequence)
}

func headOffice(branch string) string {
	if strings.Trim(branch, "0") == "" {
		return "สำนักงานใหญ่"
	}
	return "สาขา " + branch
}

// detail returns a certificate's line.
func detail(n int, from party, c certificate, to recipient) (string, error) {
	title, first, last := titleOf(to)
	fields := []string{"D", strconv.Itoa(n), sixDigits(from.Branch), to.TaxID, "0000000000", title, first, last}
	paid := []string{beDay(c.PaidOn), percent(c.BasisPoints), plainAmount(c.Income), plainAmount(c.Withheld)}
	if c.Form == tax.PND1 {
		code, ok := incomeCodes[c.IncomeCode]
		if !ok {
			return "", fmt.Errorf("certificate %s: income %s has no number in the format", c.Number, c.IncomeCode)
		}
		fields = append(append(fields, paid...), code, withholdOnly)
	} else {
		fields = append(append(fields, paid...), "ค่านายหน้า", withholdOnly)
		for range blocks - 1 {
			fields = append(fields, noDay, noAmount, noAmount, noAmount, "", "")
		}
	}
	for i, field := range fields {
		fields[i] = allowed(field)
	}
	return strings.Join(append(fields, addressOf(to)...), fieldMark), nil
}

// titleOf cuts a name into title, name and surname. Of a person a form has no title; the format wants one.
func titleOf(to recipient) (title, first, last string) {
	if to.Kind != payee.Company {
		return "คุณ", to.FirstName, to.LastName
	}
	for _, word := range []string{"บริษัท", "ห้างหุ้นส่วนจำกัด", "ห้างหุ้นส่วนสามัญ", "มูลนิธิ", "สมาคม"} {
		if rest, ok := strings.CutPrefix(to.Company, word); ok {
			return word, strings.TrimSpace(rest), ""
		}
	}
	return "", to.Company, ""
}

// How many letters the format has room for, of a street and of a lane.
const roomForStreet = 80

// addressOf returns the format's twelve parts of an address: building, room, floor, village, number, moo, lane, street, subdistrict, district, province, postcode. A form has the
// first eight in one line: it stands in the street, and what has no room there in the lane.
func addressOf(to recipient) []string {
	street := []rune(allowed(to.Address))
	cut := len(street)
	if cut > roomForStreet {
		cut = roomForStreet
		for at := roomForStreet; at > 0; at-- {
			if street[at] == ' ' {
				cut = at
				break
			}
		}
	}
	lane := strings.TrimSpace(string(street[cut:]))
	return []string{"", "", "", "", "", "", lane, string(street[:cut]), allowed(to.Subdistrict), allowed(to.District), allowed(to.Province), allowed(to.Postcode)}
}

// forbidden are the signs that the format does not allow in a field. A stroke in a house number becomes a dash.
var forbidden = strings.NewReplacer("/", "-", "|", " ", "*", " ", "+", " ", `\`, " ", "!", " ", "$", " ", "%", " ", "#", " ", "&", " ", "@", " ", ",", " ", "'", " ", `"`, " ", "\r", " ", "\n", " ")

func allowed(text string) string { return strings.Join(strings.Fields(forbidden.Replace(text)), " ") }

func plainAmount(a money.Amount) string { return fmt.Sprintf("%d.%02d", a/money.Baht, a%money.Baht) }

func percent(basisPoints int64) string { return plainAmount(money.Amount(basisPoints)) }

func beDay(at time.Time) string {
	return fmt.Sprintf("%02d%02d%d", at.Day(), at.Month(), clock.ThaiYear(at))
}
