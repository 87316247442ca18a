package apart

import (
	"bytes"
	"encoding/base64"
	"mime/multipart"
	"strings"

	"github.com/stretchr/testify/require"
)

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// forms are odd uploads: pictures that are none, or say to be larger than they are, and odd parts to keep.
func (r *runner) forms(valid request) (inputs []input) {
	add := func(what, contentType string, body []byte) {
		inputs = append(inputs, input{what: what, path: valid.path, contentType: contentType, body: body})
	}
	form := func(what string, picture []byte, fields map[string]string) {
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
		add(what, w.FormDataContentType(), body.Bytes())
	}
	add("valid", valid.contentType, valid.form)
	_, picture, found := bytes.Cut(valid.form, []byte("\r\n\r\n"))
	require.True(r.T, found)
	for _, value := range []string{"", "-1", "0", "1", "63", "64", "65", "2147483648", "-9223372036854775808", "9223372036854775807", "99999999999999999999", "1.5", "x", "ก", "\x00"} {
		for _, name := range []string{"x", "y", "w", "h"} {
			form("crop "+name+" "+value, picture, map[string]string{name: value})
			form("crop all "+value, picture, map[string]string{"x": value, "y": value, "w": value, "h": value, name: "1"})
		}
	}
	for at := range min(60, len(picture)) { // header and first chunk
		torn := bytes.Clone(picture)
		torn[at] ^= 0xff
		form("a byte of the header", torn, nil)
		form("a part of the header", picture[:at], nil)
	}
	for what, other := range map[string][]byte{
		"gif": []byte("GIF89a\xff\xff\xff\xff\x00\x00\x00"), "svg": []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "jpeg": []byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00"),
		"webp": []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), "nothing": {}, "html": []byte("<html>"), "zeros": make([]byte, 100_000),
	} {
		form(what, other, nil)
	}
	form("no picture", nil, nil)
	form("another field", picture, map[string]string{"owner": "x", "__proto__": "x"})
	add("no boundary", "multipart/form-data", valid.form)
	add("another boundary", "multipart/form-data; boundary=x", valid.form)
	add("no form", "application/json", []byte(`{}`))
	add("no end", valid.contentType, valid.form[:len(valid.form)/2])
	add("nothing", valid.contentType, nil)
	add("parts without end", "multipart/form-data; boundary=x", []byte(strings.Repeat("--x\r\n\r\n", 20_000)))
	return inputs
}
