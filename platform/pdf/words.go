package pdf

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed words_th.txt
var wordList string

// ownWords are words of the product that the list does not have.
var ownWords = []string{
	"เวาเชอร์", "พร้อมเพย์", "วอลเล็ต", "ไลน์", "แพ็กเกจ", "ค่าคอม", "โค้ด", "สปา", "แอดมิน", "ออนไลน์", "พาร์ทเนอร์", "มหาชน", "กรุงเทพมหานคร", "เชียงใหม่", "ภูเก็ต",
}

const longestWord = 20 // letters

// thaiWords are the words between which a line may be broken.
var thaiWords = sync.OnceValue(func() map[string]bool {
	words := make(map[string]bool, 64_000)
	for word := range strings.Lines(wordList) {
		words[strings.TrimSuffix(word, "\n")] = true
	}
	for _, word := range ownWords {
		words[word] = true
	}
	return words
})

func isThai(r rune) bool { return r >= 0x0e00 && r <= 0x0e7f && r != '฿' }

const (
	thaiMarks   = "ะัาำิีึืฺุูๅๆฯ็่้๊๋์ํ๎" // none begins a line
	thaiLeading = "เแโใไ"                  // none ends one
	noBreak     = '\u00a0'
	wordJoiner  = '\u2060'
)

// joined reports whether no line may be broken between two runes of a Thai word, however narrow it is.
func joined(before, after rune) bool {
	return strings.ContainsRune(thaiMarks, after) || strings.ContainsRune(thaiLeading, before)
}

// pieces cuts text where a line may be broken: behind spaces and hyphens, and between Thai words. Put together they are the text.
func pieces(text string) (list []string) {
	runes := []rune(text)
	for from := 0; from < len(runes); {
		to := from + 1
		if isThai(runes[from]) {
			for to < len(runes) && isThai(runes[to]) {
				to++
			}
			list = append(list, cutThai(runes[from:to])...)
		} else {
			for to < len(runes) && !isThai(runes[to]) && !breaksAfter(runes[to-1], runes[to]) {
				to++
			}
			list = append(list, string(runes[from:to]))
		}
		from = to
	}
	return glue(list)
}

func breaksAfter(before, after rune) bool {
	return unicode.IsSpace(before) && before != noBreak && !unicode.IsSpace(after) || before == '-' && unicode.IsLetter(after)
}

// glue joins pieces between which no line may be broken: spaces belong to what stands before them, and so does what closes; what opens belongs to what follows.
func glue(list []string) (glued []string) {
	for _, piece := range list {
		if len(glued) == 0 {
			glued = append(glued, piece)
			continue
		}
		before := &glued[len(glued)-1]
		last := []rune(*before)[len([]rune(*before))-1]
		first := []rune(piece)[0]
		switch {
		case unicode.IsSpace(first), last == noBreak, last == wordJoiner, first == wordJoiner, strings.ContainsRune(`)]}”’,.:;!?%/`, first), strings.ContainsRune(`([{“‘/฿`, last),
			!isThai(last) && !isThai(first) && !breaksAfter(last, first), strings.ContainsRune("ๆฯ", first):
			*before += piece
		default:
			glued = append(glued, piece)
		}
	}
	return glued
}

// cutThai cuts Thai letters into words: of all ways the one with the fewest letters that are in no word, and of these the one with the fewest words.
func cutThai(text []rune) (list []string) {
	words := thaiWords()
	type way struct{ unknown, pieces, from int }
	best := make([]way, len(text)+1) // up to each letter
	for to := 1; to <= len(text); to++ {
		best[to] = way{unknown: best[to-1].unknown + 1, pieces: best[to-1].pieces + 1, from: to - 1}
		if to < len(text) && joined(text[to-1], text[to]) {
			best[to].unknown += len(text) // no word ends here
		}
		for from := to - 1; from >= max(0, to-longestWord); from-- {
			if !words[string(text[from:to])] || to < len(text) && joined(text[to-1], text[to]) {
				continue
			}
			w := way{unknown: best[from].unknown, pieces: best[from].pieces + 1, from: from}
			if w.unknown < best[to].unknown || w.unknown == best[to].unknown && w.pieces < best[to].pieces {
				best[to] = w
			}
		}
	}
	for to := len(text); to > 0; to = best[to].from {
		list = append(list, string(text[best[to].from:to]))
	}
	slices.Reverse(list)
	return joinUnknown(list, words)
}

// joinUnknown joins letters in no word that stand side by side: they are one word that the list does not have. A single one belongs to the word before it.
func joinUnknown(list []string, words map[string]bool) (joinedUp []string) {
	unknown := false
	for _, piece := range list {
		known := words[piece]
		if len(joinedUp) > 0 && !known && (unknown || utf8.RuneCountInString(piece) == 1) {
			joinedUp[len(joinedUp)-1] += piece
		} else {
			joinedUp = append(joinedUp, piece)
		}
		unknown = !known
	}
	return joinedUp
}
