package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tools/harness"
)

// price of what is bought, in satang, and what the platform takes of it. A buyer's top-ups last for forty thousand.
const (
	price  = 10_00
	fee    = 30
	topUp  = 100_000_00
	topUps = 4
)

// buyer is a customer with money, and what he buys.
type buyer struct {
	id      uuid.UUID
	phone   *harness.Browser
	confirm []byte // the body that buys one piece
	pack    uuid.UUID
	kind    uuid.UUID // the voucher type in it
	version uuid.UUID // of that type
}

// shop is an organisation with a package for each buyer, so that nobody waits for another's stock.
type shop struct {
	*harness.Organisation
	schema string
	buyers []buyer
}

// open makes a shop whose buyers can buy for as long as anybody measures.
func open(b *testing.B, unique, channel string, buyers int) *shop {
	b.Helper()
	s := &shop{Organisation: begin(b).Open(unique, "ร้านวัดความเร็ว", channel)}
	home, err := place.DB.Placement(b.Context(), s.ID)
	require.NoError(b, err)
	s.schema = home.Schema
	s.addBuyers(buyers)
	return s
}

// addBuyers makes a package for each.
func (s *shop) addBuyers(n int) {
	s.T.Helper()
	for n := range n {
		s.Sell(price, nil)
		s.buyers = append(s.buyers, s.buyer(fmt.Sprintf("U%s%d", s.Unique, n)))
	}
}

// buyer signs in and tops up what lasts.
func (s *shop) buyer(person string) buyer {
	s.T.Helper()
	b := buyer{phone: s.Customer(person), pack: s.Package}
	for range topUps {
		s.FundWallet(b.phone, topUp)
	}
	_, body := s.QuoteFor(b.phone)
	var err error
	b.confirm, err = json.Marshal(body)
	require.NoError(s.T, err)
	s.readVoucherType(&b)
	b.id = harness.MustPost[struct{ ID uuid.UUID }](b.phone, "/api/user/profile/customer", "", nil).ID
	return b
}

// readVoucherType fills in what the buyer's package has in it.
func (s *shop) readVoucherType(b *buyer) {
	s.T.Helper()
	require.NoError(s.T, place.DB.InOrg(s.T.Context(), s.ID, func(tx db.Tx) error {
		return tx.QueryRow(s.T.Context(), `SELECT r.template_id, r.id FROM package_part i JOIN template_version r ON r.template_id = i.voucher_type_id AND r.current
			WHERE i.package_id = $1`, b.pack).Scan(&b.kind, &b.version)
	}))
}

// goOn lets a client act faster than people may; each call is counted all the same.
func (s *shop) goOn(do act) act {
	var calls atomic.Int64
	return func(client int) error {
		if calls.Add(1)%20 == 0 {
			if err := s.ForgetLimits(); err != nil {
				return err
			}
		}
		return do(client)
	}
}

// connect is a connection of its own to the shop's tables, with the rights that the platform has there.
func (s *shop) connect() *pgx.Conn {
	s.T.Helper()
	c, err := pgx.Connect(s.T.Context(), s.AppURL)
	require.NoError(s.T, err)
	s.T.Cleanup(func() { require.NoError(s.T, c.Close(context.Background())) })
	_, err = c.Exec(s.T.Context(), "SET ROLE "+s.schema+"; SET search_path = "+s.schema)
	require.NoError(s.T, err)
	return c
}
