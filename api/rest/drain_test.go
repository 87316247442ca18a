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

func TestDoor(t *testing.T) {
	t.Run("who leaves goes on for the notice", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			(&Drainer{}).Drain(t.Context(), 5*time.Second)
			require.Equal(t, 5*time.Second, time.Since(began))
		})
	})

	t.Run("and until nobody has asked for a moment, but for its health", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			drainer := &Drainer{}
			began, gone := time.Now(), make(chan struct{})
			go func() {
				defer close(gone)
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
			<-gone
		})
	})

	t.Run("but no longer than it may", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began := time.Now()
			(&Drainer{}).Drain(ctx, 5*time.Second)
			require.Equal(t, time.Second, time.Since(began))
		})
	})

	t.Run("every answer then asks for another connection", func(t *testing.T) {
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
