package isolation

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"welovevoucher/tools/harness"
)

// journal keeps everything that is logged.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(line)
}

func (j *journal) logger() *zap.Logger {
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(j), zap.DebugLevel))
}

func (j *journal) mustNotHold(t *testing.T, texts ...string) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	require.NotZero(t, j.text.Len())
	for line := range strings.Lines(j.text.String()) {
		for _, text := range texts {
			require.NotContains(t, line, text)
		}
	}
}

// receiver receives every event on its way to a socket.
type receiver struct {
	mu     sync.Mutex
	events []string
}

func listen(p *harness.Platform) *receiver {
	p.T.Helper()
	received, subscription := &receiver{}, p.Redis.Subscribe(p.T.Context(), "realtime")
	_, err := subscription.Receive(p.T.Context())
	require.NoError(p.T, err)
	go func() {
		for message := range subscription.Channel() {
			received.mu.Lock()
			received.events = append(received.events, message.Payload)
			received.mu.Unlock()
		}
	}()
	p.T.Cleanup(func() { require.NoError(p.T, subscription.Close()) })
	return received
}

// mustKeepApart: an event names one organisation, by its room, and nothing of another.
func (e *receiver) mustKeepApart(t *testing.T, ours, theirs *shop) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	require.NotEmpty(t, e.events)
	for _, text := range e.events {
		var event struct{ Room string }
		require.NoError(t, json.Unmarshal([]byte(text), &event))
		for _, s := range []*shop{ours, theirs} {
			if !strings.HasPrefix(event.Room, s.ID.String()+":") {
				for _, secret := range []string{s.canary, s.ID.String(), s.ann.id.String(), s.ann.order, s.owner.job} {
					require.NotContains(t, text, secret)
				}
			}
		}
	}
}
