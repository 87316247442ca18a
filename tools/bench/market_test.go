package bench

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// BenchmarkMarket: the first page of a market of forty packages, against selecting the same rows. The platform keeps an
// organisation's market for a second. One row asks for the same page again and again, the other for one that nobody has asked
// for: each call has a highest price of its own, and all packages cost less.
func BenchmarkMarket(b *testing.B) {
	const clients, packages = 8, 40
	s := open(b, "browsing", "1650000102", 1)
	for range packages - 1 {
		s.Sell(price, nil)
	}
	bare := make([]*pgx.Conn, clients)
	for i := range bare {
		bare[i] = s.connect()
	}
	browse := func(highest func() int64) compared {
		return compare(b, clients,
			func(n int) error { return s.selectMarket(bare[n], highest()) },
			s.goOn(func(int) error { return s.market(highest()) }))
	}
	c := browse(func() int64 { return price })
	atLeast("market list over HTTP ÷ bare select of the same rows, 8 clients", 0.5, "", c.speed,
		"always the same page; the market is read once a second; "+c.String())

	var asked atomic.Int64
	c = browse(func() int64 { return price + asked.Add(1) })
	atLeast("the same, each call for a page that nobody has asked for", 0.5, "", c.speed,
		"found in the market that is kept; the bare select neither counts it nor reads tags and places; "+c.String())
}

// market is what a phone asks for: the first page of what costs no more.
func (s *shop) market(highest int64) error {
	_, err := place.call(s.Host, s.buyers[0].phone.Token, "/api/user/get/salepackage", "", fmt.Appendf(nil, `{"filter":{"price_max_satang":%d}}`, highest))
	return err
}

// selectMarket reads the rows of that page.
func (s *shop) selectMarket(conn *pgx.Conn, highest int64) error {
	const page = 24
	rows, err := conn.Query(s.T.Context(), `SELECT p.id, p.code, p.name_th, p.name_en, p.badge_th, p.badge_en, p.picture_id, p.price_satang,
		p.list_price_satang, s.sold, s.quantity - s.sold, p.featured, p.sale_to FROM package p JOIN stock s ON s.package_id = p.id
		WHERE p.status = 5 AND p.price_satang <= $1 ORDER BY p.featured DESC, s.sold DESC, p.id DESC LIMIT $2`, highest, page)
	if err != nil {
		return err
	}
	for rows.Next() {
		if _, err := rows.Values(); err != nil {
			return err
		}
	}
	return rows.Err()
}
