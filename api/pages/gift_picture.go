package pages

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io/fs"
	"math"
	"path"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"golang.org/x/image/draw"

	"welovevoucher/api/rest"
	"welovevoucher/platform/blob"
	"welovevoucher/platform/cache"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/svg"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
)

// giftSVG is a wrapped gift, for the links of all gifts.
//
//go:embed gift.svg
var giftSVG []byte

// The pictures of an organisation's gifts: what a link shows, in the size that chats ask for, and each card, in that of a message in LINE.
const (
	linkPicture              = "link.png"
	cardExtension            = ".jpg"
	linkWidth, linkHeight    = 1200, 630
	cardWidth, cardHeight    = 1024, 768
	cardQuality              = 85
	logoSide, logoRing       = 168, 14
	logoCentreX, logoCentreY = 812, 486
	keptPictures             = 64 // of 300 KB at most
	keptFor                  = time.Hour
	soonAnew, never          = "public, max-age=300", "public, max-age=31536000, immutable"
)

// giftPictures draws pictures of an organisation's gifts, in its colours, and keeps the last ones. They have no letters: a picture is the
// same in both languages.
type giftPictures struct {
	drawings map[string]*svg.Drawing // by the name of their picture
	version  []byte                  // of the drawings
	objects  blob.Store
	kept     *cache.Cache[string, []byte]
	one      chan struct{} // one is drawn at a time: each takes a few megabytes
}

// newGiftPictures panics on a drawing that cannot be read: it is part of the binary.
func newGiftPictures(dist fs.FS, objects blob.Store) *giftPictures {
	g := &giftPictures{
		drawings: map[string]*svg.Drawing{}, objects: objects, one: make(chan struct{}, 1),
		kept: cache.New[string, []byte](keptFor, keptPictures, time.Now),
	}
	hash := sha256.New()
	add := func(name string, text []byte, err error) {
		if err == nil {
			g.drawings[name], err = svg.Parse(bytes.NewReader(text))
		}
		if err != nil {
			panic(fmt.Errorf("the drawing for %s: %w", name, err))
		}
		hash.Write(text)
	}
	add(linkPicture, giftSVG, nil)
	cards, err := fs.Glob(dist, "customer/cards/*.svg")
	if err != nil {
		panic(fmt.Errorf("find the cards: %w", err))
	}
	for _, file := range cards { // none where the apps are not built
		text, err := fs.ReadFile(dist, file)
		add(strings.TrimSuffix(path.Base(file), ".svg")+cardExtension, text, err)
	}
	g.version = hash.Sum(nil)
	return g
}

// versionOf is a hash of what an organisation's pictures are made of.
func (g *giftPictures) versionOf(o *org.Org) string {
	made := sha256.New()
	made.Write(g.version)
	made.Write(o.Logo[:])
	made.Write([]byte(o.Primary + o.Secondary))
	return hex.EncodeToString(made.Sum(nil)[:8])
}

// folder is where an organisation's pictures are, on its own host and on the platform's.
func (g *giftPictures) folder(o *org.Org) string {
	return "/image/gift/" + o.ID.String() + "/" + g.versionOf(o)
}

// giftPicture serves a picture of an organisation's gifts. Under an older version's address stands the newest one as well, but not for long.
func (s server) giftPicture(c fiber.Ctx) error {
	id, err := uuid.Parse(c.Params("org"))
	host := rest.From(c.Context()).OrgID()
	if err != nil || (host != uuid.Nil && host != id) || s.gifts.drawings[c.Params("name")] == nil {
		return fiber.ErrNotFound
	}
	o, err := s.Orgs.ByID(c.Context(), id)
	if errors.Is(err, org.ErrNotFound) || (err == nil && !o.Answers()) {
		return fiber.ErrNotFound
	}
	if err != nil {
		return err
	}
	name, version := strings.Clone(c.Params("name")), s.gifts.versionOf(&o)
	c.Set(fiber.HeaderCacheControl, soonAnew)
	if c.Params("version") == version {
		c.Set(fiber.HeaderCacheControl, never)
	}
	c.Set(fiber.HeaderETag, `"`+version+`"`)
	if c.Get(fiber.HeaderIfNoneMatch) == `"`+version+`"` {
		return c.SendStatus(fiber.StatusNotModified)
	}
	picture, err := s.gifts.kept.GetOrLoad(c.Context(), version+name, func(ctx context.Context) ([]byte, error) { return s.gifts.draw(ctx, &o, name) })
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "image/png")
	if path.Ext(name) == cardExtension {
		c.Set(fiber.HeaderContentType, "image/jpeg")
	}
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	return c.Send(picture)
}

// draw waits for its turn. It returns fault.RateLimited if that does not come.
func (g *giftPictures) draw(ctx context.Context, o *org.Org, name string) ([]byte, error) {
	select {
	case g.one <- struct{}{}:
		defer func() { <-g.one }()
	case <-ctx.Done():
		return nil, fault.RateLimited
	}
	size := image.Rect(0, 0, cardWidth, cardHeight)
	if name == linkPicture {
		size = image.Rect(0, 0, linkWidth, linkHeight)
	}
	colours := map[string]color.NRGBA{}
	for token, value := range map[string]string{"brand": o.Primary, "second": o.Secondary} {
		colour, err := svg.Hex(value)
		if err != nil {
			return nil, fmt.Errorf("the colours of %s: %w", o.Unique, err)
		}
		colours[token] = colour
	}
	m := image.NewRGBA(size)
	if err := g.drawings[name].Draw(m, size, colours); err != nil {
		return nil, fmt.Errorf("draw %s: %w", name, err)
	}
	var encoded bytes.Buffer
	if name != linkPicture {
		err := jpeg.Encode(&encoded, m, &jpeg.Options{Quality: cardQuality})
		return encoded.Bytes(), err
	}
	if err := g.drawLogo(ctx, m, o); err != nil {
		return nil, err
	}
	err := png.Encode(&encoded, m)
	return encoded.Bytes(), err
}

// drawLogo puts the organisation's logo beside the bow; it does nothing where there is none.
func (g *giftPictures) drawLogo(ctx context.Context, m *image.RGBA, o *org.Org) error {
	if o.Logo == uuid.Nil {
		return nil
	}
	object, _, err := g.objects.Get(ctx, catalog.PictureKey(o.ID, o.Logo, catalog.PictureWidths[0]))
	if errors.Is(err, blob.ErrMissing) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the logo of %s: %w", o.Unique, err)
	}
	defer object.Close()
	logo, err := jpeg.Decode(object)
	if err != nil {
		return fmt.Errorf("the logo of %s: %w", o.Unique, err)
	}
	disc(m, 5, logoSide/2+logoRing+2, image.NewUniform(color.NRGBA{A: 46}))
	disc(m, 0, logoSide/2+logoRing, image.White)
	fitted := image.NewRGBA(image.Rect(logoCentreX-logoSide/2, logoCentreY-logoSide/2, logoCentreX+logoSide/2, logoCentreY+logoSide/2))
	draw.CatmullRom.Scale(fitted, fitted.Bounds(), logo, middle(logo.Bounds()), draw.Src, nil)
	disc(m, 0, logoSide/2, fitted)
	return nil
}

// middle is the largest square in the middle of a rectangle.
func middle(of image.Rectangle) image.Rectangle {
	side := min(of.Dx(), of.Dy())
	corner := of.Min.Add(image.Pt((of.Dx()-side)/2, (of.Dy()-side)/2))
	return image.Rectangle{corner, corner.Add(image.Pt(side, side))}
}

// disc draws what a picture has around the logo's centre, inside of a circle; lower is how far below.
func disc(m *image.RGBA, lower, radius int, picture image.Image) {
	round := circle{float64(logoCentreX), float64(logoCentreY + lower), float64(radius)}
	at := round.Bounds()
	draw.DrawMask(m, at, picture, at.Min, round, at.Min, draw.Over)
}

// circle is a mask with a smooth edge.
type circle struct{ x, y, radius float64 }

func (c circle) ColorModel() color.Model { return color.AlphaModel }

func (c circle) Bounds() image.Rectangle {
	return image.Rect(int(c.x-c.radius), int(c.y-c.radius), int(c.x+c.radius)+1, int(c.y+c.radius)+1)
}

func (c circle) At(x, y int) color.Color {
	inside := c.radius - math.Hypot(float64(x)+0.5-c.x, float64(y)+0.5-c.y) + 0.5
	return color.Alpha{uint8(min(1, max(0, inside)) * 255)}
}
