package pages

import (
	"errors"
	"regexp"
	"strings"
)

// monogramRules are the app's own (apps/ui/src/format/monogram.ts), so that an organisation without a logo has the same two letters.
type monogramRules struct {
	Kinds  []string `json:"kinds"` // how names begin that say what kind of business it is
	Word   string   `json:"word"`
	Letter string   `json:"letter"`

	word, letter *regexp.Regexp
}

func (m *monogramRules) compile() error {
	return errors.Join(compile(&m.word, m.Word), compile(&m.letter, m.Letter))
}

// of returns the first letters of a name's first two words, or the first two of its only one, without the kind of business. It
// returns the first sign of a name without letters.
func (m *monogramRules) of(name string) string {
	if m.word == nil { // the apps are not built
		return ""
	}
	own := name
	for _, kind := range m.Kinds {
		if rest, is := strings.CutPrefix(name, kind); is {
			own = rest
			break
		}
	}
	words := m.letters(own)
	if len(words) == 0 {
		words = m.letters(name)
	}
	switch {
	case len(words) > 1:
		return words[0][0] + words[1][0]
	case len(words) == 1:
		return strings.Join(words[0][:min(len(words[0]), 2)], "")
	}
	for _, sign := range name {
		return string(sign)
	}
	return ""
}

// letters are those of each word that has any.
func (m *monogramRules) letters(text string) (words [][]string) {
	for _, word := range m.word.FindAllString(text, -1) {
		if letters := m.letter.FindAllString(word, -1); len(letters) > 0 {
			words = append(words, letters)
		}
	}
	return words
}
