package api

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/compress"

	"welovevoucher/api/rest"
)

// reader is a page that shows the description without anything from outside.
//
//go:embed describe.html
var reader string

// describe serves the OpenAPI document and a page that reads it.
func describe(app *fiber.App, operations *rest.API) error {
	document, err := Document(operations)
	if err != nil {
		return err
	}
	app.Get("/api/openapi.json", compress.New(), func(c fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSONCharsetUTF8)
		return c.Send(document)
	})
	app.Get("/api/docs", compress.New(), func(c fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
		c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'")
		return c.SendString(reader)
	})
	return nil
}

// Document is the OpenAPI description, as it stands in openapi.json.
func Document(operations *rest.API) ([]byte, error) {
	text, err := json.MarshalIndent(operations.OpenAPI(), "", "  ")
	if err != nil {
		return nil, fmt.Errorf("describe the API: %w", err)
	}
	return append(text, '\n'), nil
}
