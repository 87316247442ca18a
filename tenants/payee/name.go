package payee

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// titles stand before a person's name, and say nothing of whose it is. The longest come first.
var titles = normalised(

	"ว่าที่ร้อยตรีหญิง", "ว่าที่ร้อยตรี", "ว่าที่ ร.ต.", "เด็กหญิง", "เด็กชาย", "นางสาว", "น.ส.", "ด.ญ.", "ด.ช.", "นาง", "นาย", "คุณ", "ดร.",
	"miss", "mrs.", "mrs", "mr.", "mr", "ms.", "ms", "dr.",
)

// companies are words and signs of the kind of a company.
var companies = normalised(

	"ห้างหุ้นส่วนสามัญนิติบุคคล", "ห้างหุ้นส่วนจำกัด", "ห้างหุ้นส่วน", "บริษัท", "บจก.", "บจก", "บมจ.", "บมจ", "หจก.", "หจก", "หสน.", "(มหาชน)", "มหาชน", "จำกัด", "(ประเทศไทย)",
	"public company limited", "company limited", "co., ltd.", "co.,ltd.", "co.,ltd", "co. ltd.", "co ltd", "limited partnership", "limited", "ltd.", "ltd", "plc.", "plc", "(thailand)",
)

// normalised returns words in the form that names are brought into: sara am is two letters there.
func normalised(words ...string) []string {
	for i, word := range words {
		words[i] = norm.NFKC.String(word)
	}
	return words
}

// latin words are titles, or of a kind of company, only as words of their own.
var latin = regexp.MustCompile(`^[a-z]`)

// comparedForms returns what of a name is compared with that of a bank account, without case, spaces and signs: as it is, and without a title and words of the
// kind of a company. Some names begin as a title does, so either is compared. apps/client/src/payee/name.ts does the same, and both are tested by
// apps/client/src/payee/names.json.
func comparedForms(name string) [2]string {
	name = strings.ToLower(strings.Join(strings.Fields(norm.NFKC.String(name)), " "))
	whole := letters(name)
	for _, title := range titles {
		rest, has := strings.CutPrefix(name, title)
		if !has || latin.MatchString(title) && !strings.HasSuffix(title, ".") && !strings.HasPrefix(rest, " ") {
			continue
		}
		if strings.TrimSpace(rest) != "" {
			name = strings.TrimSpace(rest)
		}
		break
	}
	for _, word := range companies {
		name = withoutWord(name, word)
	}
	return [2]string{whole, letters(name)}
}

// letters leaves spaces and signs out.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// withoutWord leaves a word of the kind of a company out, where it begins or ends the name; a Latin one as a word of its own.
func withoutWord(name, word string) string {
	whole := latin.MatchString(word)
	if rest, has := strings.CutPrefix(name, word); has && strings.TrimSpace(rest) != "" && (!whole || strings.HasPrefix(rest, " ")) {
		name = strings.TrimSpace(rest)
	}
	if rest, has := strings.CutSuffix(name, word); has && strings.TrimSpace(rest) != "" && (!whole || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, ",")) {
		name = strings.TrimSpace(rest)
	}
	return name
}

// SameName reports whether the name of a bank account is that of its payee.
func SameName(account, name string) bool {
	of, with := comparedForms(name), comparedForms(account)
	return of[0] != "" && (with[0] == of[0] || with[0] == of[1] || with[1] == of[0] || with[1] == of[1])
}
