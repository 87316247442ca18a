package pages

import "regexp"

// phoneRules are the app's own (apps/ui/src/format/phone.ts).
type phoneRules struct {
	Between string   `json:"between"` // what people write between digits
	Numbers []string `json:"numbers"` // how a number's digits are grouped
	Grouped string   `json:"grouped"`

	between *regexp.Regexp
	numbers []*regexp.Regexp
}

func (p *phoneRules) compile() error {
	p.numbers = make([]*regexp.Regexp, len(p.Numbers))
	for i, text := range p.Numbers {
		if err := compile(&p.numbers[i], text); err != nil {
			return err
		}
	}
	return compile(&p.between, p.Between)
}

// write writes a Thai phone number in groups. It returns what is no such number as it is written.
func (p *phoneRules) write(number string) string {
	digits := p.between.ReplaceAllString(number, "")
	for _, form := range p.numbers {
		if form.MatchString(digits) {
			return form.ReplaceAllString(digits, p.Grouped)
		}
	}
	return number
}
