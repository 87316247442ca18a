package db

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	poolConnections = prometheus.NewDesc("wlv_db_connections", "Connections of this process by node and state: used or idle.", []string{"node", "state"}, nil)
	poolMax         = prometheus.NewDesc("wlv_db_connections_max", "How many there may be (DATABASE_POOL).", []string{"node"}, nil)
	poolWaits       = prometheus.NewDesc("wlv_db_waits_total", "Times that somebody had to wait for a connection.", []string{"node"}, nil)
	poolWaited      = prometheus.NewDesc("wlv_db_waited_seconds_total", "How long they waited.", []string{"node"}, nil)
	poolGivenUp     = prometheus.NewDesc("wlv_db_waits_given_up_total", "Times that somebody's patience ended before there was one.", []string{"node"}, nil)
)

// Describe implements prometheus.Collector.
func (d *DB) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{poolConnections, poolMax, poolWaits, poolWaited, poolGivenUp} {
		to <- desc
	}
}

// Collect implements prometheus.Collector.
func (d *DB) Collect(to chan<- prometheus.Metric) {
	for node, pool := range d.nodes {
		used, idle := pool.open()
		gauge := func(desc *prometheus.Desc, v int, labels ...string) {
			to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, float64(v), append([]string{node}, labels...)...)
		}
		gauge(poolConnections, used, "used")
		gauge(poolConnections, idle, "idle")
		gauge(poolMax, len(pool.seats))
		to <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(pool.waits.Load()), node)
		to <- prometheus.MustNewConstMetric(poolWaited, prometheus.CounterValue, time.Duration(pool.waited.Load()).Seconds(), node)
		to <- prometheus.MustNewConstMetric(poolGivenUp, prometheus.CounterValue, float64(pool.givenUp.Load()), node)
	}
}
