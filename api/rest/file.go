package rest

import (
	"bytes"
	"context"
	"io"
	"iter"
	"mime"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"go.uber.org/zap"

	"welovevoucher/platform/log"
	"welovevoucher/platform/token"
)

// File is an answer that is no envelope. Body is closed when it has been sent.
type File struct {
	Name        string // for the person's disk
	ContentType string
	Size        int64 // bytes
	Body        io.ReadCloser
}

// FileOf returns bytes as an answer, or err.
func FileOf(contentType, name string, file []byte, err error) (File, error) {
	return File{Name: name, ContentType: contentType, Size: int64(len(file)), Body: io.NopCloser(bytes.NewReader(file))}, err
}

// GetFile registers a download of one of the content types. The path ends in {id}. It is sent as an attachment that nobody may keep
// or guess at.
func GetFile(a *API, path, summary string, types iter.Seq[string], use func(ctx context.Context, who token.Session, id uuid.UUID) (File, error)) {
	op := a.operation(path, summary)
	op.Method = http.MethodGet
	content := map[string]*huma.MediaType{}
	for contentType := range types {
		mediaType, _, _ := strings.Cut(contentType, ";")
		content[mediaType] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	op.Responses = map[string]*huma.Response{"200": {Description: "The file", Content: content}}
	huma.Register(a.huma, op, func(ctx context.Context, in *fileInput) (*huma.StreamResponse, error) {
		who, _ := ctx.Value(sessionKey{}).(token.Session)
		file, err := use(ctx, who, in.ID)
		if err != nil {
			return nil, refuse(ctx, err)
		}
		return &huma.StreamResponse{Body: func(c huma.Context) { send(c, file) }}, nil
	})
}

type fileInput struct {
	ID uuid.UUID `path:"id"`
}

func send(c huma.Context, file File) {
	c.SetHeader(fiber.HeaderContentType, file.ContentType)
	c.SetHeader(fiber.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}))
	c.SetHeader(fiber.HeaderCacheControl, "no-store")
	if err := From(c.Context()).send(file.Body, int(file.Size)); err != nil {
		log.From(c.Context()).Error("a file was not sent", zap.Error(err))
	}
}
