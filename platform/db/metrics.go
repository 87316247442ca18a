package db

import (
	"github.com/prometheus/client_golang/prometheus"
)

var (
	poolConnections = prometheus.NewDesc("wlv_db_connections", "Connections of this process by node and state: used or idle.", []string{"node", "state"}, nil)
	poolMax         = prometheus.NewDesc("wlv_db_connections_max", "How many there may be (DATABASE_POOL).", []string{"node"}, nil)
	poolWaits       = prometheus.NewDesc("wlv_db_waits_total", "Times that somebody had to wait for a connection: for any, or for one of the organisation's own while others were free.", []string{"node", "for"}, nil)
	poolWaited      = prometheus.NewDesc("wlv_db_waited_seconds_total", "How long they waited.", []string{"node", "for"}, nil)
	poolGivenUp     = prometheus.NewDesc("wlv_db_waits_given_up_total", "Times that somebody's patience ended before there was one.", []string{"node"}, nil)
	poolMeetings    = prometheus.NewDesc("wlv_db_meetings_total", "Times that a connection met an organisation that it did not know.", []string{"node"}, nil)
)

// Describe implements prometheus.Collector.
func (d *DB) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{poolConnections, poolMax, poolWaits, poolWaited, poolGivenUp, poolMeetings} {
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
		for who, delay := range map[string]delay{"own": c.forOwn, "any": c.forAny} {
			count(poolWaits, float64(delay.times), who)
			count(poolWaited, delay.long.Seconds(), who)
		}
		count(poolGivenUp, float64(c.givenUp))
		count(poolMeetings, float64(c.meetings))
	}
}
