package apitest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"welovevoucher/tools/harness"
)

// collector takes traces by OTLP over HTTP, as the one of an operator does.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []span
}

type span struct {
	*tracepb.Span
	service string
}

func newCollector(t testing.TB) *collector {
	t.Helper()
	c := &collector{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var request collectorpb.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(body, &request) != nil {
			http.Error(w, "not a trace", http.StatusBadRequest)
			return
		}
		c.take(&request)
	})
	c.Server = httptest.NewServer(mux)
	t.Cleanup(c.Close)
	return c
}

func (c *collector) take(request *collectorpb.ExportTraceServiceRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, from := range request.GetResourceSpans() {
		service := ""
		for _, a := range from.GetResource().GetAttributes() {
			if a.GetKey() == "service.name" {
				service = a.GetValue().GetStringValue()
			}
		}
		for _, scope := range from.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				c.spans = append(c.spans, span{s, service})
			}
		}
	}
}

// step is a span to find below the one before.
type step struct{ service, name string }

// path finds spans that lie below each other, whatever else lies there.
func (c *collector) path(parent []byte, steps ...step) []span {
	if len(steps) == 0 {
		return []span{}
	}
	for _, s := range c.spans {
		if s.service != steps[0].service || !strings.HasPrefix(s.GetName(), steps[0].name) || !bytes.Equal(s.GetParentSpanId(), parent) {
			continue
		}
		if rest := c.path(s.GetSpanId(), steps[1:]...); rest != nil {
			return append([]span{s}, rest...)
		}
	}
	return nil
}

func (d *deployment) requireTrace(t *testing.T) {
	const api, worker = "welovevoucher-api", "welovevoucher-worker"
	path := []span(nil)
	d.Eventually("the trace of a purchase", func() bool {
		d.collector.mu.Lock()
		defer d.collector.mu.Unlock()
		path = d.collector.path(nil, step{api, "POST /api/user/order/confirm"}, step{api, "user-order-confirm"},
			step{api, "job notice"})
		if path == nil {
			return false
		}
		decided := d.collector.path(path[1].GetSpanId(), step{api, "batch"}, step{api, "SELECT"})
		written := d.collector.path(path[1].GetSpanId(), step{api, "transaction"}, step{api, "batch"}, step{api, "INSERT"}) // with the commit
		handled := d.collector.path(nil, step{api, "POST /api/hook"}, step{worker, "job charge.heard"})
		return decided != nil && written != nil && handled != nil
	})
	for _, s := range path {
		require.Equal(t, path[0].GetTraceId(), s.GetTraceId())
	}

	d.collector.mu.Lock()
	defer d.collector.mu.Unlock()
	for _, s := range d.collector.spans {
		require.NotContains(t, s.String(), "แอน", "no person in a trace")
		require.NotContains(t, s.String(), harness.AdminPassword)
		if len(s.GetParentSpanId()) == 0 {
			require.Regexp(t, `^(POST|GET) (/|none)|^job `, s.GetName(), "what runs every moment makes no traces")
		}
	}
}
