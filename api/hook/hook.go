// Package hook takes what gateways and LINE send by themselves.
package hook

import (
	"net/http"

	"github.com/gofiber/fiber/v3"
	"go.uber.org/zap"

	"welovevoucher/api/rest"
	"welovevoucher/platform/log"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/push"
)

const maxBody = 256 << 10

// Register puts the webhooks' addresses onto the app. They are outside of the API's description: only gateways and LINE call them.
func Register(app *fiber.App, charges *charge.Service, orgs *org.Directory, pushes *push.Service) {
	app.Post("/api/hook/line/:organisation", func(c fiber.Ctx) error {
		if len(c.Body()) > maxBody {
			return fiber.ErrRequestEntityTooLarge
		}
		shop, err := orgs.ByUnique(c.Context(), c.Params("organisation"))
		if err == nil {
			err = pushes.HandleWebhook(c.Context(), shop.ID, c.Get("X-Line-Signature"), c.Body())
		}
		return answer(c, err)
	})
	app.Post("/api/hook/:endpoint", func(c fiber.Ctx) error {
		if len(c.Body()) > maxBody {
			return fiber.ErrRequestEntityTooLarge
		}
		header := http.Header{}
		for name, value := range c.Request().Header.All() {
			header.Add(string(name), string(value))
		}
		return answer(c, charges.HandleWebhook(c.Context(), c.Params("endpoint"), header, c.Body()))
	})
}

func answer(c fiber.Ctx, err error) error {
	if err != nil {
		refused := rest.ErrorResponse(err)
		log.From(c.Context()).Warn("webhook refused", zap.Error(err))
		return c.Status(refused.Code).JSON(refused)
	}
	return c.JSON(rest.Envelope[rest.Empty]{Result: true, Code: http.StatusOK, Message: "success"})
}
