package qr

import (
	"fmt"
	"strings"

	qrcode "github.com/skip2/go-qrcode"
)

// PNG draws the text in black on white with a quiet zone, as a square of side pixels.
func PNG(text string, side int) ([]byte, error) {
	code, err := qrcode.New(text, qrcode.Medium)
	if err != nil {
		return nil, fmt.Errorf("draw a QR code: %w", err)
	}
	picture, err := code.PNG(side)
	if err != nil {
		return nil, fmt.Errorf("draw a QR code: %w", err)
	}
	return picture, nil
}

// SVG draws the text for any size. One unit is one module; the quiet zone of 4 modules is included.
func SVG(text string) (string, error) {
	code, err := qrcode.New(text, qrcode.Medium)
	if err != nil {
		return "", fmt.Errorf("draw a QR code: %w", err)
	}
	bitmap := code.Bitmap()

	var path strings.Builder
	for y, row := range bitmap {
		for x := 0; x < len(row); x++ {
			if !row[x] {
				continue
			}
			start := x
			for x < len(row) && row[x] {
				x++
			}
			fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", start, y, x-start, x-start)
		}
	}
	side := len(bitmap)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%dv%dH0z"/><path d="%s"/></svg>`, side, side, side, side, path.String()), nil
}
