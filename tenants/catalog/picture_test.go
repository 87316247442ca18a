package catalog_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/fault"
	"welovevoucher/tenants/catalog"
)

type memoryStore map[string][]byte

func (s memoryStore) Put(_ context.Context, key string, content io.Reader, size int64) error {
	b, err := io.ReadAll(content)
	if int64(len(b)) != size {
		return errors.New("content has another size than was given")
	}
	s[key] = b
	return err
}

// quarters is red, green / blue, yellow.
func quarters(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{A: 255}
			switch {
			case x < width/2 && y < height/2:
				c.R = 250
			case y < height/2:
				c.G = 250
			case x < width/2:
				c.B = 250
			default:
				c.R, c.G = 250, 250
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func jpegOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}))
	return b.Bytes()
}

func pngOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

// withOrientation puts an Exif block with the tag, and a canary, behind the start of a JPEG.
func withOrientation(body []byte, value uint16) []byte {
	tiff := []byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	tiff = binary.BigEndian.AppendUint16(tiff, value)
	tiff = append(tiff, "\x00\x00\x00\x00\x00\x00GPS 13.7563,100.5018"...)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(segment)+2))...)
	return append(append(out, segment...), body[2:]...)
}

// scanned is a large grey JPEG of n scans, with 44 bytes each time.
func scanned(n int) []byte {
	codes := append([]byte{1}, make([]byte, 15)...) // one code, of one bit
	body := append([]byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}, bytes.Repeat([]byte{1}, 64)...)
	body = append(body, 0xff, 0xc2, 0, 11, 8, 6000>>8, 6000&0xff, 6000>>8, 6000&0xff, 1, 1, 0x11, 0) // progressive, 6000 by 6000
	body = append(append(append(body, 0xff, 0xc4, 0, 20, 0x10), codes...), 0xe0)                     // it means: 16,384 blocks and more have ended
	for range n {
		body = append(body, 0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0)
		body = append(body, bytes.Repeat([]byte{0x7f, 0x7e, 0xfe, 0xfd, 0xfd, 0xfb, 0xfb, 0xf7, 0xf7, 0xef, 0xef, 0xdf, 0xdf, 0xbf, 0xbf}, 3)[:34]...)
	}
	return append(body, 0xff, 0xd9)
}

func TestPictures(t *testing.T) {
	s, store := newShop(t), memoryStore{}
	pictures := catalog.NewPictures(s.DB, store)
	add := func(body []byte, crop catalog.Crop) (catalog.Picture, error) {
		return pictures.Add(t.Context(), s.org, s.owner, bytes.NewReader(body), crop)
	}
	read := func(p catalog.Picture, width int) image.Image {
		m, err := jpeg.Decode(bytes.NewReader(store[catalog.PictureKey(s.org, p.ID, width)]))
		require.NoError(t, err)
		return m
	}
	near := func(m image.Image, x, y float64, want color.RGBA) {
		b := m.Bounds()
		r, g, bl, _ := m.At(int(x*float64(b.Dx())), int(y*float64(b.Dy()))).RGBA()
		require.InDelta(t, want.R, r>>8, 12)
		require.InDelta(t, want.G, g>>8, 12)
		require.InDelta(t, want.B, bl>>8, 12)
	}
	red, green, blue, yellow := color.RGBA{R: 250}, color.RGBA{G: 250}, color.RGBA{B: 250}, color.RGBA{R: 250, G: 250}

	t.Run("a picture whose decoder panics does not block the next one", func(t *testing.T) {
		require.Panics(t, func() { _ = catalog.Alone(pictures, t.Context(), s.org, func() error { panic("index out of range") }) })
		require.NoError(t, catalog.Alone(pictures, t.Context(), s.org, func() error { return nil }))
	})

	t.Run("a JPEG of too many scans is refused", func(t *testing.T) {
		_, err := add(scanned(150_000), catalog.Crop{})
		require.ErrorIs(t, err, catalog.ErrPictureKind)
	})

	t.Run("a picture is stored as a JPEG in three sizes", func(t *testing.T) {
		p, err := add(pngOf(t, quarters(2000, 1000)), catalog.Crop{})
		require.NoError(t, err)
		require.Equal(t, 1600, p.Width)
		require.Equal(t, 800, p.Height)
		require.Regexp(t, "^#[0-9a-f]{6}$", p.Colour)
		for _, width := range catalog.PictureWidths {
			m := read(p, width)
			require.Equal(t, image.Pt(width, width/2), m.Bounds().Size())
			near(m, .25, .25, red)
			near(m, .75, .75, yellow)
		}
	})

	t.Run("a small picture is not enlarged", func(t *testing.T) {
		p, err := add(jpegOf(t, quarters(500, 500)), catalog.Crop{})
		require.NoError(t, err)
		require.Equal(t, image.Pt(500, 500), read(p, 1600).Bounds().Size())
		require.Equal(t, image.Pt(400, 400), read(p, 400).Bounds().Size())
	})

	t.Run("a crop keeps its part of the picture", func(t *testing.T) {
		p, err := add(pngOf(t, quarters(1000, 1000)), catalog.Crop{X: 500, W: 500, H: 500})
		require.NoError(t, err)
		require.Equal(t, 500, p.Width)
		near(read(p, 400), .5, .5, green)
		require.Regexp(t, "^#0[0-9a-f]f[0-9a-f]0[0-9a-f]$", p.Colour)
	})

	t.Run("transparent pixels become white", func(t *testing.T) {
		p, err := add(pngOf(t, image.NewNRGBA(image.Rect(0, 0, 64, 64))), catalog.Crop{})
		require.NoError(t, err)
		require.Equal(t, "#ffffff", p.Colour)
	})

	t.Run("a phone's picture is turned upright, and loses its GPS position", func(t *testing.T) {
		// What a camera held this way stores, and where the corners must then be: top left, top right.
		for value, want := range map[uint16][2]color.RGBA{
			1: {red, green}, 2: {green, red}, 3: {yellow, blue}, 4: {blue, yellow},
			5: {red, blue}, 6: {blue, red}, 7: {yellow, green}, 8: {green, yellow},
		} {
			p, err := add(withOrientation(jpegOf(t, quarters(600, 400)), value), catalog.Crop{})
			require.NoError(t, err)
			m := read(p, 1600)
			size := image.Pt(600, 400)
			if value >= 5 {
				size = image.Pt(400, 600)
			}
			require.Equal(t, size, m.Bounds().Size(), "orientation %d", value)
			near(m, .25, .25, want[0])
			near(m, .75, .25, want[1])
			require.NotContains(t, string(store[catalog.PictureKey(s.org, p.ID, 1600)]), "GPS")

			p, err = add(withOrientation(jpegOf(t, quarters(600, 400)), value), catalog.Crop{W: 150, H: 150})
			require.NoError(t, err)
			near(read(p, 400), .5, .5, want[0])
		}
	})

	t.Run("a WebP is read", func(t *testing.T) {
		// 1 × 1 lossless WebP, too small to keep but understood.
		body, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
		require.NoError(t, err)
		_, err = add(body, catalog.Crop{})
		require.ErrorIs(t, err, catalog.ErrPictureSize)
	})

	t.Run("hostile files and crops are refused, and nothing is stored", func(t *testing.T) {
		kept := len(store)
		ok := jpegOf(t, quarters(64, 64))
		var animated bytes.Buffer
		require.NoError(t, gif.Encode(&animated, quarters(64, 64), nil))
		for name, c := range map[string]struct {
			body []byte
			want error
		}{
			"empty":             {nil, catalog.ErrPictureKind},
			"svg":               {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), catalog.ErrPictureKind},
			"html named jpg":    {[]byte(`<html><script>alert(1)</script>`), catalog.ErrPictureKind},
			"gif":               {animated.Bytes(), catalog.ErrPictureKind},
			"only magic bytes":  {[]byte("\xff\xd8\xff\xe0"), catalog.ErrPictureKind},
			"cut in the middle": {pngOf(t, quarters(64, 64))[:120], catalog.ErrPictureKind},
			"a bomb of pixels":  {pngHeader(60_000, 60_000), catalog.ErrPictureSize},
			"41 megapixels":     {pngHeader(6_410, 6_400), catalog.ErrPictureSize},
			"one pixel high":    {pngHeader(40_000, 1), catalog.ErrPictureSize},
			"a thread":          {pngHeader(19_999, 100), catalog.ErrPictureSize},
			"negative":          {pngHeader(1<<31+5, 10), catalog.ErrPictureKind},
			"nine megabytes":    {append(ok, make([]byte, 9<<20)...), catalog.ErrPictureBytes},
			"a webp of no size": {[]byte("RIFF\x10\x00\x00\x00WEBPVP8 \x04\x00\x00\x00abcd"), catalog.ErrPictureSize},
		} {
			_, err := add(c.body, catalog.Crop{})
			require.ErrorIs(t, err, c.want, name)
		}
		for _, crop := range []catalog.Crop{{X: -1, W: 32, H: 32}, {X: 40, W: 32, H: 32}, {W: 0, H: 32}, {W: 65, H: 64}, {W: 1 << 62, H: 1 << 62}, {X: 1 << 62, W: 1 << 62, H: 20}, {W: -32, H: -32}} {
			_, err := add(ok, crop)
			require.ErrorIs(t, err, catalog.ErrPictureCrop, fmt.Sprint(crop))
		}
		require.Len(t, store, kept)
	})

	t.Run("a script behind a picture is not stored", func(t *testing.T) {
		p, err := add(append(jpegOf(t, quarters(64, 64)), "<script>alert(1)</script>"...), catalog.Crop{})
		require.NoError(t, err)
		require.NotContains(t, string(store[catalog.PictureKey(s.org, p.ID, 1600)]), "script")
	})

	t.Run("a picture with broken bytes is never an internal error", func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, body := range [][]byte{withOrientation(jpegOf(t, quarters(48, 32)), 6), pngOf(t, quarters(48, 32))} {
			for range 400 {
				broken := bytes.Clone(body)
				for range 1 + r.IntN(8) {
					broken[r.IntN(len(broken))] = byte(r.Uint32())
				}
				if _, err := add(broken, catalog.Crop{}); err != nil {
					require.NotErrorIs(t, err, fault.Internal)
					require.Equal(t, fault.Invalid, fault.From(err).Kind)
				}
			}
		}
	})
}

// pngHeader claims a size and has nothing behind it.
func pngHeader(width, height uint32) []byte {
	chunk := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	chunk = binary.BigEndian.AppendUint32(chunk, height)
	chunk = append(chunk, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
}
