package pages

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf16"
)

// thaiRules are the app's own (apps/ui/src/format/thai.ts), so that a name wraps where React will wrap it.
type thaiRules struct {
	Names        [][2]string `json:"names"` // what ICU's dictionary breaks in the middle, and the same with word joiners there
	Words        [][2]string `json:"words"`
	BeforeName   string      `json:"beforeName"`
	BeforeNumber string      `json:"beforeNumber"`
	AfterNumber  string      `json:"afterNumber"`
	Line         int         `json:"line"` // letters; what is shorter is left as it is written

	names, words        *strings.Replacer
	name, before, after *regexp.Regexp
}

func (t *thaiRules) compile() (err error) {
	t.names, t.words = replacer(t.Names), replacer(t.Words)
	return errors.Join(compile(&t.name, t.BeforeName), compile(&t.before, t.BeforeNumber), compile(&t.after, t.AfterNumber))
}

// compile compiles a regular expression of the app's.
func compile(into **regexp.Regexp, text string) (err error) {
	*into, err = regexp.Compile(text)
	return err
}

func replacer(cuts [][2]string) *strings.Replacer {
	var pairs []string
	for _, cut := range cuts {
		pairs = append(pairs, cut[:]...)
	}
	return strings.NewReplacer(pairs...)
}

// join joins what must not be parted at the end of a line: a number and its unit, and words that the dictionary splits.
func (t *thaiRules) join(text string) string {
	joined := t.names.Replace(text)
	length := len(utf16.Encode([]rune(joined)))
	joined = t.name.ReplaceAllString(joined, "$1$2.\u00a0$3")
	joined = t.before.ReplaceAllString(joined, "$1\u00a0$2")
	joined = t.after.ReplaceAllString(joined, "$1\u00a0$2")
	if length < t.Line {
		return joined
	}
	return t.words.Replace(joined)
}
