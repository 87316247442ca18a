package outbound

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClient(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
			return
		}
		size, err := strconv.Atoi(r.URL.Query().Get("size"))
		if err == nil {
			_, err = w.Write(bytes.Repeat([]byte("x"), size))
		}
		_ = err // the client hangs up on purpose
	}))
	defer server.Close()
	get := func(path string) *http.Response {
		res, err := Client(nil).Get(server.URL + path)
		require.NoError(t, err)
		t.Cleanup(func() { res.Body.Close() })
		return res
	}

	t.Run("an answer of exactly the limit is read", func(t *testing.T) {
		text, err := io.ReadAll(get("/?size=" + strconv.Itoa(MaxBody)).Body)
		require.NoError(t, err)
		require.Len(t, text, MaxBody)
	})
	t.Run("an answer of one byte more than the limit is an error", func(t *testing.T) {
		_, err := io.ReadAll(get("/?size=" + strconv.Itoa(MaxBody+1)).Body)
		require.ErrorIs(t, err, ErrTooLarge)
	})
	t.Run("a redirect is returned as the answer, and not followed", func(t *testing.T) {
		require.Equal(t, http.StatusFound, get("/moved").StatusCode)
	})
}
