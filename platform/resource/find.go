package resource

import (
	"strconv"
	"strings"
)

// GramsOf returns the SQL of all runs of three letters in an expression, for an index: gin (GramsOf). pg_trgm knows Thai letters
// only under some locales of the server (docs/performance.md). A field is found by its beginning of one or two letters if two line
// breaks (chr(10)) stand before it.
func GramsOf(text string) string {
	runs := make([]string, 3) // from the first letter on, from the second and from the third
	for i, from := range []string{"", "2", "3"} {
		rest := text
		if from != "" {
			rest = "substr(" + text + ", " + from + ")"
		}
		runs[i] = "string_to_array(regexp_replace(" + rest + ", '(...)', '\\1' || chr(31), 'g'), chr(31))"
	}
	return "(" + strings.Join(runs, " || ") + ")"
}

// find has the plan begin with what Finds select.
func (p *plan) find(finds, words []string) {
	grams, parts := []string{}, []string{}
	for _, word := range words {
		word = strings.ToLower(word)
		letters := []rune(word)
		switch len(letters) {
		case 1, 2:
			letters = append([]rune("\n\n")[len(letters)-1:], letters...)
			parts = append(parts, "%\n"+escapeLike.Replace(word)+"%")
		default:
			parts = append(parts, "%"+escapeLike.Replace(word)+"%")
		}
		for i := range len(letters) - 2 {
			grams = append(grams, string(letters[i:i+3]))
		}
	}
	// Postgres refuses what is bound and not named.
	var named []string
	all := strings.Join(finds, "")
	if strings.Contains(all, "{begins}") {
		named = append(named, "{begins}", p.arg(escapeLike.Replace(strings.Join(words, " "))+"%", textKind))
	}
	if strings.Contains(all, "{grams}") {
		named = append(named, "{grams}", p.list(grams))
	}
	if strings.Contains(all, "{parts}") {
		named = append(named, "{parts}", p.list(parts))
	}
	bound := strings.NewReplacer(named...)
	ways := make([]string, len(finds))
	for i, sql := range finds {
		ways[i] = "(" + bound.Replace(sql) + ")"
	}
	p.found = strings.Join(ways, " UNION ")
}

// list binds texts and returns their placeholder.
func (p *plan) list(values []string) string {
	p.args = append(p.args, values)
	return "$" + strconv.Itoa(len(p.args)) + "::text[]"
}
