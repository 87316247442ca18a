package member

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"strings"
)

// damm is the table of Damm's check digit: it finds each wrong digit, and each two neighbours that were exchanged.
var damm = [10][10]int{
	{0, 3, 1, 7, 5, 9, 8, 6, 4, 2},
	{7, 0, 9, 2, 1, 5, 4, 8, 6, 3},
	{4, 2, 0, 6, 8, 7, 1, 3, 5, 9},
	{1, 7, 5, 0, 9, 8, 3, 4, 2, 6},
	{6, 1, 2, 3, 0, 4, 5, 9, 7, 8},
	{3, 6, 7, 4, 2, 0, 9, 5, 8, 1},
	{5, 8, 6, 9, 7, 2, 0, 1, 3, 4},
	{8, 9, 4, 5, 3, 6, 2, 0, 1, 7},
	{9, 4, 3, 8, 6, 1, 7, 2, 0, 5},
	{2, 5, 8, 1, 4, 3, 6, 7, 9, 0},
}

// checkDigit returns the digit that follows from others.
func checkDigit(digits string) byte {
	at := 0
	for _, d := range []byte(digits) {
		at = damm[at][d-'0']
	}
	return byte('0' + at)
}

// Letters of a number: those that an organisation's unique begins with.
const (
	mostLetters  = 3
	leastLetters = 2
	otherLetters = "MC" // of a unique that has fewer letters
)

func lettersOf(unique string) string {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return -1
	}, unique)
	if len(letters) < leastLetters {
		return otherLetters
	}
	return letters[:min(mostLetters, len(letters))]
}

// randomDigits is how many random digits a number has.
const randomDigits = 7

// newNumber returns a number that nobody can guess from others.
func newNumber(unique string) (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(10_000_000))
	if err != nil {
		return "", fmt.Errorf("number of a card: %w", err)
	}
	digits := fmt.Sprintf("%0*d", randomDigits, n)
	return lettersOf(unique) + digits + string(checkDigit(digits)), nil
}
