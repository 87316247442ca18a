package rest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/require"
)

func TestDrain(t *testing.T) {
	t.Run("Drain lasts as long as the notice", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			(&Drainer{}).Drain(t.Context(), 5*time.Second)
			require.Equal(t, 5*time.Second, time.Since(began))
		})
	})

	t.Run("Drain lasts until requests have paused, health checks apart", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			drainer := &Drainer{}
			began, done := time.Now(), make(chan struct{})
			go func() {
				defer close(done)
				for range 5 {
					time.Sleep(quiet / 2)
					drainer.asked("/")
				}
				for range 5 {
					time.Sleep(quiet / 2)
					drainer.asked(healthPath)
				}
			}()
			drainer.Drain(t.Context(), quiet/2+1)
			require.Equal(t, 5*quiet/2+quiet, time.Since(began))
			<-done
		})
	})

	t.Run("Drain ends with its context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began := time.Now()
			(&Drainer{}).Drain(ctx, 5*time.Second)
			require.Equal(t, time.Second, time.Since(began))
		})
	})

	t.Run("after Drain every answer closes its connection", func(t *testing.T) {
		drainer, app := &Drainer{}, fiber.New()
		app.Use(drainer.attend)
		closes := func() bool {
			res, err := app.Test(httptest.NewRequest(http.MethodGet, "/", nil))
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			return res.Close
		}
		require.False(t, closes())
		drainer.Drain(t.Context(), 0)
		require.True(t, closes())
	})
}
