package catalog

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
)

// FuzzPicture: an upload is refused by one of our faults, or is a picture in every width, none wider than it says.
func FuzzPicture(f *testing.F) {
	m := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := range 40 {
		m.Set(i, i%30, color.RGBA{R: uint8(6 * i), G: 200, A: 255})
	}
	var asPNG, asJPEG bytes.Buffer
	require.NoError(f, png.Encode(&asPNG, m))
	require.NoError(f, jpeg.Encode(&asJPEG, m, nil))
	webp := []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0e\x00\x00\x00\x2f\x0f\xc0\x03\x00\x07\x10\xfd\x8f\xfe\x07\x22\xa2\xff\x01")
	exif := append([]byte("\xff\xd8\xff\xe1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"), asJPEG.Bytes()[2:]...)
	for _, seed := range [][]byte{asPNG.Bytes(), asJPEG.Bytes(), webp, exif, []byte("GIF89a"), {}, []byte("\xff\xd8\xff\xe1\xff\xff"), asPNG.Bytes()[:33]} {
		f.Add(seed, 0, 0, 0, 0)
		f.Add(seed, 1, 2, 20, 20)
	}
	f.Add(asPNG.Bytes(), -1, 1<<62, 1<<62, -1<<62)
	f.Fuzz(func(t *testing.T, body []byte, x, y, w, h int) {
		if format, ok := formatOf(body); ok {
			header, err := format.config(bytes.NewReader(body))
			if err == nil && header.Width*header.Height > 1_000_000 {
				return // a large one takes a second, and the fuzzer looks for breadth
			}
		}
		sizes, err := resize(body, Crop{X: x, Y: y, W: w, H: h})
		if err != nil {
			require.Contains(t, []error{ErrPictureKind, ErrPictureSize, ErrPictureCrop}, err)
			require.Less(t, int(fault.From(err).Kind), 500)
			return
		}
		require.Len(t, sizes, len(PictureWidths))
		for i, size := range sizes {
			require.False(t, size.Bounds().Empty())
			require.LessOrEqual(t, size.Bounds().Dx(), PictureWidths[i])
			require.Regexp(t, `^#[0-9a-f]{6}$`, dominant(size))
		}
	})
}

// FuzzValidUntil: a voucher's last day is refused, or is a day of the calendar, written as Postgres writes it.
func FuzzValidUntil(f *testing.F) {
	for _, seed := range []string{"2026-11-21", "2569-11-21", "๒๕๖๙-๑๑-๒๑", "21 พ.ย. 2569", "21/11/2569", "2026-02-30", "0000-01-01", "2026-11-21T00:00:00Z", " 2026-11-21", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(UsageRules{ValidUntil: &text}.check()) > 0 {
			return
		}
		require.Regexp(t, `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`, text)
		day, err := time.Parse(time.RFC3339, text+"T00:00:00Z")
		require.NoError(t, err)
		require.Equal(t, text, day.Format(time.DateOnly))
	})
}
