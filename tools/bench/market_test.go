package bench

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// BenchmarkMarket: the first page of a market of forty packages, against selecting the same rows.
func BenchmarkMarket(b *testing.B) {
	const clients, packages, page = 8, 40, 24
	s := open(b, "browsing", "1650000102", 1)
	for range packages - 1 {
		s.Sell(price, nil)
	}
	bare := make([]*pgx.Conn, clients)
	for i := range bare {
		bare[i] = s.connect()
	}
	c := compare(b, clients,
		func(n int) error {
			rows, err := bare[n].Query(b.Context(), `SELECT p.id, p.code, p.name_th, p.name_en, p.badge_th, p.badge_en, p.picture_id, p.price_satang,
				p.list_price_satang, s.sold, s.quantity - s.sold, p.featured, p.sale_to FROM package p JOIN stock s ON s.package_id = p.id
				WHERE p.status = 5 ORDER BY p.featured DESC, s.sold DESC, p.id DESC LIMIT $1`, page)
			if err != nil {
				return err
			}
			for rows.Next() {
				if _, err := rows.Values(); err != nil {
					return err
				}
			}
			return rows.Err()
		},
		s.goOn(func(int) error {
			_, err := place.call(s.Host, s.buyers[0].phone.Token, "/api/user/get/salepackage", "", []byte(`{}`))
			return err
		}))
	atLeast("market list over HTTP ÷ bare select of the same rows, 8 clients", 0.5, "", c.speed, c.String())
}
