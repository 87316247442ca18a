// Package hook takes what gateways send by themselves.
package hook

import (
	"net/http"

	"github.com/gofiber/fiber/v3"
	"go.uber.org/zap"

	"welovevoucher/api/rest"
	"welovevoucher/platform/log"
	"welovevoucher/tenants/charge"
)

const maxBody = 256 << 10

// Register puts the webhooks' address onto the app. It is outside of the API's description: only gateways call it.
func Register(app *fiber.App, charges *charge.Service) {
	app.Post("/api/hook/:endpoint", func(c fiber.Ctx) error {
		if len(c.Body()) > maxBody {
			return fiber.ErrRequestEntityTooLarge
		}
		header := http.Header{}
		for name, value := range c.Request().Header.All() {
			header.Add(string(name), string(value))
		}
		if err := charges.HandleWebhook(c.Context(), c.Params("endpoint"), header, c.Body()); err != nil {
			answer := rest.ErrorResponse(err)
			log.From(c.Context()).Warn("webhook refused", zap.Error(err))
			return c.Status(answer.Code).JSON(answer)
		}
		return c.JSON(rest.Envelope[rest.Empty]{Result: true, Code: http.StatusOK, Message: "success"})
	})
}
