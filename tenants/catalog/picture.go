package catalog

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/image/draw"
	"golang.org/x/image/webp"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// Limits of an upload. A picture is decoded only after its header has been believed.
const (
	maxPictureBytes  = 8 << 20
	maxPicturePixels = 40_000_000
	maxPictureSide   = 20_000
	maxPictureShape  = 10 // one side is at most this many times the other
	minPictureSide   = 16
	maxPictureScans  = 64 // passes over a JPEG: each takes a few bytes of the file, and time for the whole picture
	jpegQuality      = 85
)

// PictureWidths are the sizes in which every picture is kept; a narrower one is kept as it is under each.
var PictureWidths = []int{400, 800, 1600}

// Faults of uploads.
var (
	ErrPictureKind  = fault.New(fault.Invalid, "picture.unsupported", "please choose a JPEG, PNG or WebP picture")
	ErrPictureBytes = fault.New(fault.TooLarge, "picture.too_large", "this picture is larger than 8 MB")
	ErrPictureSize  = fault.New(fault.Invalid, "picture.dimensions", "this picture is too small, too long or has too many pixels")
	ErrPictureCrop  = fault.New(fault.Invalid, "picture.crop", "the part to keep lies outside of the picture")
)

// PictureStore keeps pictures; blob.Store is one.
type PictureStore interface {
	Put(ctx context.Context, key string, content io.Reader, size int64) error
}

// PictureKey is where a picture of a width lies.
func PictureKey(org, id uuid.UUID, width int) string {
	return fmt.Sprintf("%s/picture/%s/%d.jpg", org, id, width)
}

// Pictures takes uploads.
type Pictures struct {
	db    *db.DB
	store PictureStore
	one   chan struct{} // a large picture takes 200 MB while it is decoded: one at a time

	mu    sync.Mutex
	lines map[uuid.UUID]*line // of the organisations that upload now
}

// NewPictures returns the service.
func NewPictures(d *db.DB, store PictureStore) *Pictures {
	return &Pictures{db: d, store: store, one: make(chan struct{}, 1), lines: map[uuid.UUID]*line{}}
}

// Crop is the part of a picture to keep, in pixels as it is seen. The zero Crop keeps all.
type Crop struct{ X, Y, W, H int }

const insertPicture = `INSERT INTO picture (id, width, height, bytes, colour, created_by, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
	ON CONFLICT (id) DO NOTHING`

// Add keeps a picture and writes it down. It returns ErrPictureKind, ErrPictureBytes, ErrPictureSize or ErrPictureCrop.
func (s *Pictures) Add(ctx context.Context, org uuid.UUID, who auditlog.Actor, upload io.Reader, crop Crop) (Picture, error) {
	kept, err := s.Store(ctx, org, upload, crop)
	if err != nil {
		return Picture{}, err
	}
	return kept.Picture, s.db.InOrg(ctx, org, func(tx db.Tx) error { return SavePicture(ctx, tx, who, kept) })
}

// StoredPicture is a picture whose objects are there, and whose row is still to be written.
type StoredPicture struct {
	Picture
	Bytes int `json:"bytes"` // of all its sizes
}

// Store crops a picture, makes a JPEG of it in three sizes and keeps those: whatever else was in the file, such as where
// it was taken, is gone. The organisation may have no tables yet. It returns what Add does.
func (s *Pictures) Store(ctx context.Context, org uuid.UUID, upload io.Reader, crop Crop) (StoredPicture, error) {
	body, err := io.ReadAll(io.LimitReader(upload, maxPictureBytes+1))
	if err != nil {
		return StoredPicture{}, fmt.Errorf("read an upload: %w", err)
	}
	if len(body) > maxPictureBytes {
		return StoredPicture{}, ErrPictureBytes
	}

	var sizes []image.Image
	err = s.alone(ctx, org, func() (err error) {
		sizes, err = resize(body, crop)
		return err
	})
	if err != nil {
		return StoredPicture{}, err
	}
	return s.put(ctx, org, sizes)
}

// SavePicture writes the row of a picture that is kept; twice does no harm.
func SavePicture(ctx context.Context, tx db.Tx, who auditlog.Actor, k StoredPicture) error {
	written, err := tx.Exec(ctx, insertPicture, k.ID, k.Width, k.Height, k.Bytes, k.Colour, who.ID, tx.Now)
	if err != nil {
		return fmt.Errorf("write picture %s: %w", k.ID, err)
	}
	if written.RowsAffected() == 0 {
		return nil
	}
	return auditlog.Record(ctx, tx, who, "add", "picture/"+k.ID.String(), nil, k.Picture)
}

// line are an organisation's uploads. One of them waits for the decoder, beside one of each other organisation; the rest wait behind it.
type line struct {
	first chan struct{}
	n     int
}

// How many pictures an organisation may have in line, and how long each waits: the longest takes two seconds.
const (
	maxInLine   = 4
	pictureWait = 15 * time.Second
)

// alone waits for its turn, and gives it back also when a decoder panics. It returns fault.RateLimited where too many of the organisation's
// wait already, or its turn does not come.
func (s *Pictures) alone(ctx context.Context, org uuid.UUID, work func() error) error {
	l := s.join(org)
	if l == nil {
		return fault.RateLimited
	}
	defer s.leave(org, l)
	giveUp := time.NewTimer(pictureWait)
	defer giveUp.Stop()
	for _, turn := range []chan struct{}{l.first, s.one} {
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-giveUp.C:
			return fault.RateLimited
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return work()
}

// join is nil when the organisation's line is full.
func (s *Pictures) join(org uuid.UUID) *line {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lines[org]
	if l == nil {
		l = &line{first: make(chan struct{}, 1)}
		s.lines[org] = l
	}
	if l.n == maxInLine {
		return nil
	}
	l.n++
	return l
}

func (s *Pictures) leave(org uuid.UUID, l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.n--; l.n == 0 {
		delete(s.lines, org)
	}
}

// put stores the objects, before there is a row: a row always has its objects.
func (s *Pictures) put(ctx context.Context, org uuid.UUID, sizes []image.Image) (StoredPicture, error) {
	largest := sizes[len(sizes)-1].Bounds()
	k := StoredPicture{Picture: Picture{ID: db.NewID(), Width: largest.Dx(), Height: largest.Dy(), Colour: dominant(sizes[0])}}
	for i, size := range sizes {
		var encoded bytes.Buffer
		if err := jpeg.Encode(&encoded, size, &jpeg.Options{Quality: jpegQuality}); err != nil {
			return k, fmt.Errorf("encode picture %s: %w", k.ID, err)
		}
		k.Bytes += encoded.Len()
		if err := s.store.Put(ctx, PictureKey(org, k.ID, PictureWidths[i]), &encoded, int64(encoded.Len())); err != nil {
			return k, fmt.Errorf("store picture %s: %w", k.ID, err)
		}
	}
	return k, nil
}

const hasPicture = `SELECT EXISTS (SELECT FROM picture WHERE id = $1)`

// HasPicture returns fault.Missing when the organisation has no such picture.
func HasPicture(ctx context.Context, tx db.Tx, id uuid.UUID) error {
	var ok bool
	if err := tx.QueryRow(ctx, hasPicture, id).Scan(&ok); err != nil {
		return fmt.Errorf("picture %s: %w", id, err)
	}
	if !ok {
		return fault.Missing
	}
	return nil
}

// format is a kind of picture, known by its first bytes and by nothing else.
type format struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

func formatOf(body []byte) (format, bool) {
	switch {
	case bytes.HasPrefix(body, []byte("\xff\xd8\xff")):
		return format{jpeg.DecodeConfig, jpeg.Decode}, true
	case bytes.HasPrefix(body, []byte("\x89PNG\r\n\x1a\n")):
		return format{png.DecodeConfig, png.Decode}, true
	case len(body) > 12 && string(body[:4]) == "RIFF" && string(body[8:12]) == "WEBP":
		return format{webp.DecodeConfig, webp.Decode}, true
	}
	return format{}, false
}

// startOfScan begins each pass over a JPEG.
var startOfScan = []byte{0xff, 0xda}

// resize returns the crop in every width of PictureWidths.
func resize(body []byte, crop Crop) ([]image.Image, error) {
	f, ok := formatOf(body)
	if !ok {
		return nil, ErrPictureKind
	}
	header, err := f.config(bytes.NewReader(body))
	if err != nil {
		return nil, ErrPictureKind
	}
	if !reasonable(header.Width, header.Height) {
		return nil, ErrPictureSize
	}
	if bytes.Count(body, startOfScan) > maxPictureScans {
		return nil, ErrPictureKind
	}
	turn := orientation(body)
	part, err := crop.within(turn.seen(header.Width, header.Height))
	if err != nil {
		return nil, err
	}
	source, err := f.decode(bytes.NewReader(body))
	if err != nil {
		return nil, ErrPictureKind
	}
	if source.Bounds().Dx() != header.Width || source.Bounds().Dy() != header.Height {
		return nil, ErrPictureKind
	}

	sizes := make([]image.Image, len(PictureWidths))
	widest := PictureWidths[len(PictureWidths)-1]
	largest := turn.straighten(scale(source, turn.stored(part, header.Width, header.Height).Add(source.Bounds().Min), turn.storedSize(part, widest)))
	for i, width := range PictureWidths {
		if sizes[i] = largest; largest.Bounds().Dx() > width {
			sizes[i] = scale(largest, largest.Bounds(), fit(largest.Bounds().Size(), width))
		}
	}
	return sizes, nil
}

func reasonable(width, height int) bool {
	return width >= minPictureSide && height >= minPictureSide && width <= maxPictureSide && height <= maxPictureSide &&
		width*height <= maxPicturePixels && width <= height*maxPictureShape && height <= width*maxPictureShape
}

// within returns the part to keep of a picture of that size.
func (c Crop) within(size image.Point) (image.Rectangle, error) {
	if c == (Crop{}) {
		return image.Rectangle{Max: size}, nil
	}
	if c.X < 0 || c.Y < 0 || c.X > size.X || c.Y > size.Y || c.W > size.X-c.X || c.H > size.Y-c.Y || !reasonable(c.W, c.H) {
		return image.Rectangle{}, ErrPictureCrop
	}
	return image.Rect(c.X, c.Y, c.X+c.W, c.Y+c.H), nil
}

// fit is a size no wider than width, of the same shape.
func fit(size image.Point, width int) image.Point {
	if size.X <= width {
		return size
	}
	return image.Pt(width, max(1, (size.Y*width+size.X/2)/size.X))
}

// scale draws a part of a picture onto white, because JPEG knows no transparency.
func scale(source image.Image, part image.Rectangle, size image.Point) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, out.Bounds(), source, part, draw.Over, nil)
	return out
}

// dominant is the colour that fills most of a picture, for the moment before it has loaded.
func dominant(picture image.Image) string {
	small := scale(picture, picture.Bounds(), image.Pt(32, 32))
	type bin struct{ n, r, g, b int }
	bins := map[[3]uint8]bin{}
	best := bin{}
	for i := 0; i < len(small.Pix); i += 4 {
		r, g, b := small.Pix[i], small.Pix[i+1], small.Pix[i+2]
		key := [3]uint8{r >> 5, g >> 5, b >> 5}
		t := bins[key]
		t = bin{t.n + 1, t.r + int(r), t.g + int(g), t.b + int(b)}
		bins[key] = t
		if t.n > best.n {
			best = t
		}
	}
	c := color.RGBA{R: uint8(best.r / best.n), G: uint8(best.g / best.n), B: uint8(best.b / best.n)} //nolint:gosec // a mean of bytes is a byte
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}
