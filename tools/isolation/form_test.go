package isolation

import (
	"bytes"
	"encoding/base64"
	"mime/multipart"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// forms are odd uploads: pictures that are none, or say to be larger than they are, and odd parts to keep.
func (r *runner) forms(valid request) (all []oddity) {
	add := func(k kind, what, contentType string, body []byte) {
		all = append(all, oddity{k, what, func(in *input) { in.contentType, in.body = contentType, body }})
	}
	form := func(k kind, what string, picture []byte, fields map[string]string) {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for name, value := range fields {
			require.NoError(r.T, w.WriteField(name, value))
		}
		if picture != nil {
			file, err := w.CreateFormFile("images", "../../ก\x00.png")
			require.NoError(r.T, err)
			_, err = file.Write(picture)
			require.NoError(r.T, err)
		}
		require.NoError(r.T, w.Close())
		add(k, what, w.FormDataContentType(), body.Bytes())
	}
	_, picture, found := bytes.Cut(valid.form, []byte("\r\n\r\n"))
	require.True(r.T, found)
	crops := func(k kind, values ...string) {
		for _, value := range values {
			for _, name := range []string{"x", "y", "w", "h"} {
				form(k, "crop "+name+" "+value, picture, map[string]string{name: value})
				form(k, "crop all "+value, picture, map[string]string{"x": value, "y": value, "w": value, "h": value, name: "1"})
			}
		}
	}
	crops(boundary, "-1", "0", "1", "63", "64", "65", "2147483648", "-9223372036854775808", "9223372036854775807", "99999999999999999999")
	crops(wrongType, "", "1.5", "x", "true")
	crops(huge, strings.Repeat("9", 70_000))
	crops(thai, "ก", "๖๔")
	crops(hostile, "\x00")
	for at := range min(60, len(picture)) { // header and first chunk
		torn := bytes.Clone(picture)
		torn[at] ^= 0xff
		form(hostile, "a byte of the header", torn, nil)
		form(boundary, "a part of the header", picture[:at], nil)
	}
	for _, other := range []string{
		"GIF89a\xff\xff\xff\xff\x00\x00\x00", "<svg xmlns='http://www.w3.org/2000/svg'/>", "\xff\xd8\xff\xe0\x00\x10JFIF\x00", "RIFF\x00\x00\x00\x00WEBPVP8 ", "", "<html>",
	} {
		form(wrongType, "another kind of file", []byte(other), nil)
	}
	form(huge, "zeros", make([]byte, 100_000), nil)
	form(huge, "zeros behind the picture", slices.Concat(picture, make([]byte, 100_000)), nil)
	form(boundary, "no picture", nil, nil)
	form(extra, "another field", picture, map[string]string{"owner": "x", "__proto__": "x"})
	form(thai, "a field in Thai", picture, map[string]string{"ชื่อ": "ที่นี่"})
	add(hostile, "no boundary", "multipart/form-data", valid.form)
	add(hostile, "another boundary", "multipart/form-data; boundary=x", valid.form)
	add(wrongType, "no form", "application/json", []byte(`{}`))
	add(boundary, "no end", valid.contentType, valid.form[:len(valid.form)/2])
	add(boundary, "nothing", valid.contentType, nil)
	add(huge, "parts without end", "multipart/form-data; boundary=x", []byte(strings.Repeat("--x\r\n\r\n", 20_000)))
	return all
}
