package pages

import (
	"regexp"
	"strings"
	"unicode/utf16"
)

// thaiRules are the app's own (apps/ui/src/format/thai.ts), so that a name wraps where React will wrap it.
type thaiRules struct {
	Names        [][2]string `json:"names"` // what ICU's dictionary breaks in the middle, and the same with word joiners there
	Words        [][2]string `json:"words"`
	BeforeNumber string      `json:"beforeNumber"`
	AfterNumber  string      `json:"afterNumber"`
	Line         int         `json:"line"` // letters; what is shorter is left as it is written

	names, words  *strings.Replacer
	before, after *regexp.Regexp
}

func (t *thaiRules) compile() (err error) {
	t.names, t.words = replacer(t.Names), replacer(t.Words)
	if t.before, err = regexp.Compile(t.BeforeNumber); err != nil {
		return err
	}
	t.after, err = regexp.Compile(t.AfterNumber)
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
	joined = t.after.ReplaceAllString(t.before.ReplaceAllString(joined, "$1\u00a0$2"), "$1\u00a0$2")
	if length < t.Line {
		return joined
	}
	return t.words.Replace(joined)
}
