package pages

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/blob"
	"welovevoucher/tenants/catalog"
)

// picture serves an organisation's own picture on its own host, in the smallest kept width that is wide enough. On any
// other host there is no such picture.
func (s server) picture(c fiber.Ctx) error {
	id, err := uuid.Parse(c.Params("id"))
	if err != nil {
		return fiber.ErrNotFound
	}
	object, meta, err := s.Objects.Get(c.Context(), catalog.PictureKey(rest.From(c.Context()).OrgID(), id, widthFor(c.Query("w"))))
	if errors.Is(err, blob.ErrMissing) {
		return fiber.ErrNotFound
	}
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "image/jpeg")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable") // an id's picture never changes
	return c.SendStream(object, int(meta.Size))
}

func widthFor(asked string) int {
	wanted, err := strconv.Atoi(asked)
	if err != nil {
		wanted = catalog.PictureWidths[len(catalog.PictureWidths)-1]
	}
	for _, width := range catalog.PictureWidths {
		if width >= wanted {
			return width
		}
	}
	return catalog.PictureWidths[len(catalog.PictureWidths)-1]
}
