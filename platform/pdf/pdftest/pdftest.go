// Package pdftest reads what a reader would copy out of documents that platform/pdf has written.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

var (
	objects  = regexp.MustCompile(`(?s)(\d+) 0 obj\n(.*?)\nendobj\n`)
	streamOf = regexp.MustCompile(`(?s)/Length \d+ >>\nstream\n(.*)\nendstream$`)
	refOf    = func(name string) *regexp.Regexp { return regexp.MustCompile(`/` + name + ` (\d+) 0 R`) }
	fontRefs = regexp.MustCompile(`/(F\d) (\d+) 0 R`)
	codes    = regexp.MustCompile(`<([0-9A-F]{4})> <([0-9A-F]*)>`)
	shown    = regexp.MustCompile(`<([0-9A-F]{4})> Tj`)
	selected = regexp.MustCompile(`/(F\d) `)
	actual   = regexp.MustCompile(`/ActualText <FEFF([0-9A-F]*)>`)
)

// Read returns the lines of each page, in the order in which they were drawn.
func Read(t testing.TB, file []byte) (pages [][]string) {
	t.Helper()
	require.True(t, bytes.HasPrefix(file, []byte("%PDF-1.7\n")) && bytes.HasSuffix(file, []byte("%%EOF\n")), "a whole document")
	all := map[string]string{}
	for _, found := range objects.FindAllStringSubmatch(string(file), -1) {
		all[found[1]] = found[2]
	}
	stream := func(object string) string {
		found := streamOf.FindStringSubmatch(all[object])
		require.NotNil(t, found, "object %s is a stream", object)
		z, err := zlib.NewReader(strings.NewReader(found[1]))
		require.NoError(t, err)
		content, err := io.ReadAll(z)
		require.NoError(t, err)
		return string(content)
	}
	letters := map[string]map[string]string{} // by font and code
	var kids []string
	for _, body := range all {
		if strings.HasPrefix(body, "<< /Font ") {
			for _, font := range fontRefs.FindAllStringSubmatch(body, -1) {
				letters[font[1]] = map[string]string{}
				for _, code := range codes.FindAllStringSubmatch(stream(refOf("ToUnicode").FindStringSubmatch(all[font[2]])[1]), -1) {
					letters[font[1]][code[1]] = decode(t, code[2])
				}
			}
		}
		if _, list, ok := strings.Cut(body, "/Kids ["); ok {
			kids = strings.Split(strings.TrimSuffix(list, " 0 R ] >>"), " 0 R ")
		}
	}
	for _, page := range kids {
		pages = append(pages, lines(t, stream(refOf("Contents").FindStringSubmatch(all[page])[1]), letters))
	}
	return pages
}

// lines returns what is drawn between BT and ET, line by line.
func lines(t testing.TB, content string, letters map[string]map[string]string) (list []string) {
	var line strings.Builder
	font, spoken := "", false
	for step := range strings.Lines(content) {
		switch step = strings.TrimSpace(step); {
		case strings.HasPrefix(step, "BT "):
			font = selected.FindStringSubmatch(step)[1]
			line.Reset()
		case step == "ET":
			list = append(list, line.String())
		case strings.HasSuffix(step, " BDC"):
			line.WriteString(decode(t, actual.FindStringSubmatch(step)[1]))
			spoken = true
		case step == "EMC":
			spoken = false
		case shown.MatchString(step):
			text := letters[font][shown.FindStringSubmatch(step)[1]]
			if !spoken {
				require.NotEmpty(t, text, "%s says which letters it stands for", step)
				line.WriteString(text)
			}
		}
	}
	return list
}

func decode(t testing.TB, digits string) string {
	raw, err := hex.DecodeString(digits)
	require.NoError(t, err)
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	return string(utf16.Decode(units))
}
