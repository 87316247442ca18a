package db

import (
	"github.com/prometheus/client_golang/prometheus"
)

var (
	poolConnections = prometheus.NewDesc("wlv_db_connections", "Connections of this process by node and state: used or idle.", []string{"node", "state"}, nil)
	poolMax         = prometheus.NewDesc("wlv_db_connections_max", "How many there may be (DATABASE_POOL).", []string{"node"}, nil)
	poolWaits       = prometheus.NewDesc("wlv_db_waits_total", "Calls that waited for a connection: for any, or for one that is warm for the organisation while others were free.", []string{"node", "slot"}, nil)
	poolWaited      = prometheus.NewDesc("wlv_db_wait_seconds_total", "How long these calls waited.", []string{"node", "slot"}, nil)
	poolTimeouts    = prometheus.NewDesc("wlv_db_wait_timeouts_total", "Calls whose context ended before they had a connection.", []string{"node"}, nil)
	poolWarmUps     = prometheus.NewDesc("wlv_db_warmups_total", "Times that a connection was given to an organisation for which it had no prepared statements.", []string{"node"}, nil)
)

// Describe implements prometheus.Collector.
func (d *DB) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{poolConnections, poolMax, poolWaits, poolWaited, poolTimeouts, poolWarmUps} {
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
		count := func(desc *prometheus.Desc, v float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, v, append([]string{node}, labels...)...)
		}
		gauge(poolConnections, used, "used")
		gauge(poolConnections, idle, "idle")
		gauge(poolMax, len(pool.conns))
		c := pool.counted()
		for slot, delay := range map[string]delay{"warm": c.warmSlot, "any": c.anySlot} {
			count(poolWaits, float64(delay.times), slot)
			count(poolWaited, delay.long.Seconds(), slot)
		}
		count(poolTimeouts, float64(c.timeouts))
		count(poolWarmUps, float64(c.warmUps))
	}
}
