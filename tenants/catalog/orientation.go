package catalog

import (
	"encoding/binary"
	"image"
)

// turned is how the camera was held, in Exif's numbers 1 to 8. Exif is dropped, so the picture has to be turned upright first.
type turned int

const upright turned = 1

// sideways pictures are stored with width and height exchanged.
func (t turned) sideways() bool { return t >= 5 }

// seen returns the size at which a person sees a stored size.
func (t turned) seen(width, height int) image.Point {
	if t.sideways() {
		return image.Pt(height, width)
	}
	return image.Pt(width, height)
}

// storedSize returns the stored size of a part that is seen at most width wide.
func (t turned) storedSize(part image.Rectangle, width int) image.Point {
	size := fit(part.Size(), width)
	return t.seen(size.X, size.Y)
}

// from returns where the pixel that is seen at x, y lies in a stored picture, whose last pixel is at right, bottom.
func (t turned) from(x, y, right, bottom int) (int, int) {
	switch t {
	case 2:
		return right - x, y
	case 3:
		return right - x, bottom - y
	case 4:
		return x, bottom - y
	case 5:
		return y, x
	case 6:
		return y, bottom - x
	case 7:
		return right - y, bottom - x
	case 8:
		return right - y, x
	}
	return x, y
}

// stored returns where a part that is seen lies in the stored picture.
func (t turned) stored(part image.Rectangle, width, height int) image.Rectangle {
	x0, y0 := t.from(part.Min.X, part.Min.Y, width-1, height-1)
	x1, y1 := t.from(part.Max.X-1, part.Max.Y-1, width-1, height-1)
	return image.Rect(min(x0, x1), min(y0, y1), max(x0, x1)+1, max(y0, y1)+1)
}

// straighten turns a stored picture so that it is seen upright.
func (t turned) straighten(stored *image.RGBA) *image.RGBA {
	if t == upright {
		return stored
	}
	size := stored.Bounds().Size()
	out := image.NewRGBA(image.Rectangle{Max: t.seen(size.X, size.Y)})
	for y := range out.Rect.Max.Y {
		for x := range out.Rect.Max.X {
			fromX, fromY := t.from(x, y, size.X-1, size.Y-1)
			copy(out.Pix[out.PixOffset(x, y):][:4], stored.Pix[stored.PixOffset(fromX, fromY):][:4])
		}
	}
	return out
}

// orientation reads tag 0x0112 of a JPEG's Exif (CIPA DC-008, 4.6.4); anything strange counts as upright.
func orientation(body []byte) turned {
	tiff := exif(body)
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(tiff[:2]) == "II" {
		order = binary.LittleEndian
	}
	start := int64(order.Uint32(tiff[4:]))
	if start+2 > int64(len(tiff)) {
		return upright
	}
	entries := tiff[start+2:]
	for range order.Uint16(tiff[start:]) {
		if len(entries) < 12 {
			return upright
		}
		if order.Uint16(entries) == 0x0112 {
			if value := order.Uint16(entries[8:]); value >= 1 && value <= 8 {
				return turned(value)
			}
			return upright
		}
		entries = entries[12:]
	}
	return upright
}

// exif finds the TIFF block of a JPEG's APP1 segment.
func exif(body []byte) []byte {
	if len(body) < 4 || body[0] != 0xff || body[1] != 0xd8 {
		return nil
	}
	for rest := body[2:]; len(rest) > 4 && rest[0] == 0xff && rest[1] != 0xda; {
		length := int(binary.BigEndian.Uint16(rest[2:]))
		if length < 2 || 2+length > len(rest) {
			return nil
		}
		segment := rest[4 : 2+length]
		if rest[1] == 0xe1 && len(segment) > 6 && string(segment[:6]) == "Exif\x00\x00" {
			return segment[6:]
		}
		rest = rest[2+length:]
	}
	return nil
}
