package catalog

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"io"

	"github.com/google/uuid"
)

// Reencode makes a new JPEG of an upload, at most as wide as the widest of PictureWidths, and keeps nothing: it is for pictures that nobody may open by their
// address. It returns ErrPictureKind, ErrPictureBytes, ErrPictureSize or fault.RateLimited.
func (s *Pictures) Reencode(ctx context.Context, org uuid.UUID, upload io.Reader) (encoded []byte, width, height int, err error) {
	body, err := io.ReadAll(io.LimitReader(upload, maxPictureBytes+1))
	if err != nil {
		return nil, 0, 0, fmt.Errorf("read an upload: %w", err)
	}
	if len(body) > maxPictureBytes {
		return nil, 0, 0, ErrPictureBytes
	}
	var sizes []image.Image
	err = s.alone(ctx, org, func() (err error) {
		sizes, err = resize(body, Crop{})
		return err
	})
	if err != nil {
		return nil, 0, 0, err
	}
	largest := sizes[len(sizes)-1]
	var out bytes.Buffer
	if err := jpeg.Encode(&out, largest, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, 0, 0, fmt.Errorf("encode a picture: %w", err)
	}
	return out.Bytes(), largest.Bounds().Dx(), largest.Bounds().Dy(), nil
}
