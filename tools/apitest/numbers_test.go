package apitest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	deployed "welovevoucher/tools/deployment"
)

// scrape reads a private port as Prometheus does. Labels stand in the name: `name{a="b"}`.
func scrape(t testing.TB, address string) map[string]float64 {
	t.Helper()
	res, err := http.Get("http://" + address + "/metrics")
	require.NoError(t, err)
	defer res.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(res.Body)
	require.NoError(t, err)

	numbers := map[string]float64{}
	for name, family := range families {
		for _, m := range family.GetMetric() {
			labels := []string{}
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+`="`+l.GetValue()+`"`)
			}
			full := name
			if len(labels) > 0 {
				full += "{" + strings.Join(labels, ",") + "}"
			}
			numbers[full] = m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return numbers
}

// bounded are the labels whose values are declared in code or configuration.
var bounded = []string{"route", "class", "kind", "purpose", "result", "node", "state", "method", "audience", "fault", "quantile", "version", "code", "slot"}

// endless looks like an id, a host, a query or a person.
var endless = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}|localhost|\?|แอน|lamai`)

func (d *deployment) requireNumbers(t testing.TB) {
	sum := map[string]float64{}
	collect := func() {
		clear(sum)
		for _, r := range append([]*deployed.Process{d.Worker}, d.APIs...) {
			for name, value := range scrape(t, r.Metrics) {
				sum[name] += value
			}
		}
	}
	d.Eventually("the jobs have been counted", func() bool {
		collect()
		return sum[`wlv_jobs_total{kind="provision",result="done"}`] > 0 && sum[`wlv_job_duration_seconds{kind="notice"}`] > 0 && sum[`wlv_outbox_sweep_age_seconds`] > 0
	})

	for name, want := range map[string]float64{
		`wlv_http_request_duration_seconds{class="2xx",route="/api/user/order/confirm"}`: 1,
		`wlv_http_request_duration_seconds{class="4xx",route="/api/authen/owner/user"}`:  1,
		`wlv_charges_captured_total{method="promptpay",purpose="topup"}`:                 1,
		`wlv_redemptions_total{kind="item"}`:                                             1,
		`wlv_sign_in_failures_total{audience="owner",fault="staff.wrong_password"}`:      1,
		`wlv_outbox_dead_rows`:                0,
		`wlv_db_connections_max{node="main"}`: 48,
	} {
		got, there := sum[name]
		require.True(t, there, "%s is missing", name)
		require.InDelta(t, want, got, 0, name)
	}
	require.Positive(t, sum[`wlv_db_connections{node="main",state="idle"}`]+sum[`wlv_db_connections{node="main",state="used"}`])

	label := regexp.MustCompile(`[{,]([a-z_]+)=`)
	for name := range sum {
		require.NotRegexp(t, endless, name)
		for _, found := range label.FindAllStringSubmatch(name, -1) {
			require.True(t, slices.Contains(bounded, found[1]), "%s: is the label %s bounded?", name, found[1])
		}
	}
}
