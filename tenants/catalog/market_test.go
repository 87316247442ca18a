package catalog_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/tenanttest"
)

func TestMarket(t *testing.T) {
	w := tenanttest.New(t)
	market := catalog.New(w.DB)
	here, there := w.ServicePoint(), w.ServicePoint()
	var ids []uuid.UUID
	for i := range 7 {
		ids = append(ids, w.Package(tenanttest.Package{Price: money.Amount(100_00 * (1 + i%3)), Only: []uuid.UUID{here}}))
	}
	w.Package(tenanttest.Package{Price: 100_00, Draft: true})
	other := tenanttest.New(t)
	other.Package(tenanttest.Package{Price: 100_00})

	t.Run("a market's pages have every package on sale once, in every order", func(t *testing.T) {
		for _, sort := range []string{"", "-sold", "price_satang", "-price_satang", "-created"} {
			var seen []uuid.UUID
			for after := ""; ; {
				page, err := market.Market(t.Context(), w.Org, catalog.MarketInput{Sort: sort, Limit: 2, After: after})
				require.NoError(t, err)
				require.EqualValues(t, 7, page.Total)
				for _, c := range page.Data {
					seen = append(seen, c.ID)
				}
				if page.Next == nil {
					break
				}
				after = *page.Next
			}
			require.ElementsMatch(t, ids, seen, sort)
		}
	})

	t.Run("a market filters by words, price and service point; hostile words find nothing", func(t *testing.T) {
		count := func(in catalog.MarketInput) int {
			page, err := market.Market(t.Context(), w.Org, in)
			require.NoError(t, err)
			return len(page.Data)
		}
		cheap := money.Amount(100_00)
		require.Equal(t, 7, count(catalog.MarketInput{Search: "ทดสอบ"}))
		require.Equal(t, 3, count(catalog.MarketInput{Filter: catalog.MarketFilter{PriceMax: &cheap}}))
		require.Equal(t, 7, count(catalog.MarketInput{Filter: catalog.MarketFilter{ServicePoint: &here}}))
		require.Zero(t, count(catalog.MarketInput{Filter: catalog.MarketFilter{ServicePoint: &there}}))
		for _, search := range []string{"%", "_", `\`, "'; DROP TABLE package; --", "x' OR '1'='1"} {
			require.Zero(t, count(catalog.MarketInput{Search: search}), search)
		}
	})

	t.Run("a market filters by tag, page by page", func(t *testing.T) {
		tag := uuid.New()
		w.Force(`INSERT INTO tag (id, name_th, name_en, position, status, created_at, updated_at) VALUES ($1, 'นวด', 'Massage', 1, 5, now(), now())`, tag)
		for _, id := range ids[2:5] {
			w.Force(`INSERT INTO package_tag (package_id, tag_id) VALUES ($1, $2)`, id, tag)
		}
		w.In(changeMarket)
		tags, err := market.Tags(t.Context(), w.Org)
		require.NoError(t, err)
		require.Equal(t, []catalog.Tag{{ID: tag, NameTH: "นวด", NameEN: "Massage"}}, tags)
		in := catalog.MarketInput{Filter: catalog.MarketFilter{Tag: &tag}, Limit: 2, Sort: "-created"}
		page, err := market.Market(t.Context(), w.Org, in)
		require.NoError(t, err)
		require.EqualValues(t, 3, page.Total)
		require.Len(t, page.Data, 2)
		in.After = *page.Next
		rest, err := market.Market(t.Context(), w.Org, in)
		require.NoError(t, err)
		require.Nil(t, rest.Next)
		require.ElementsMatch(t, ids[2:5], []uuid.UUID{page.Data[0].ID, page.Data[1].ID, rest.Data[0].ID})
	})

	t.Run("an invalid cursor is refused", func(t *testing.T) {
		for _, after := range []string{"x", "e30", "bnVsbA", "W10"} {
			_, err := market.Market(t.Context(), w.Org, catalog.MarketInput{After: after})
			require.ErrorIs(t, err, fault.BadInput, after)
		}
	})

	t.Run("a product has its parts and service points, and is not found in another organisation", func(t *testing.T) {
		p, err := market.Product(t.Context(), w.Org, ids[0])
		require.NoError(t, err)
		require.Len(t, p.Items, 1)
		require.Len(t, p.Where, 1)
		require.Equal(t, "breakage", p.Items[0].ExpiryRule)
		require.Equal(t, 2, p.OfTheShop, "the other one does not honour it")

		toWallet := w.Package(tenanttest.Package{Price: 1000_00, ToWallet: true})
		p, err = market.Product(t.Context(), w.Org, toWallet)
		require.NoError(t, err)
		require.Equal(t, "wallet", p.Items[0].ExpiryRule, "what a buyer reads of the rest at expiry")

		_, err = market.Product(t.Context(), other.Org, ids[0])
		require.ErrorIs(t, err, catalog.ErrPackageNotFound)
	})
}

func TestMarketCache(t *testing.T) {
	ours, theirs := tenanttest.New(t), tenanttest.New(t)
	market := catalog.New(ours.DB)
	other := ours.Process(t)
	elsewhere := catalog.New(other.DB)
	caughtUp := other.Listen(t)
	caughtUp()
	totalIn := func(market *catalog.Service, org uuid.UUID) int64 {
		page, err := market.Market(t.Context(), org, catalog.MarketInput{})
		require.NoError(t, err)
		return page.Total
	}
	total := func(org uuid.UUID) int64 { return totalIn(market, org) }
	sell := func(w *tenanttest.World) { w.Package(tenanttest.Package{Price: 100_00}) }
	require.Zero(t, total(ours.Org))
	require.Zero(t, total(theirs.Org))
	sell(ours)
	sell(theirs)
	require.Zero(t, total(ours.Org), "the market is the cached one")
	ours.In(changeMarket)
	require.EqualValues(t, 1, total(ours.Org), "a change shows at once")
	require.Zero(t, total(theirs.Org), "another organisation's market was not read again")
	ours.Clock.Advance(time.Second)
	require.EqualValues(t, 1, total(theirs.Org), "a market is kept for a second")
	require.EqualValues(t, 1, total(ours.Org))

	require.EqualValues(t, 1, totalIn(elsewhere, ours.Org))
	sell(ours)
	ours.In(changeMarket)
	caughtUp()
	require.EqualValues(t, 2, totalIn(elsewhere, ours.Org), "another process has received the change")
}

// changeMarket publishes that an organisation's market has changed.
func changeMarket(_ context.Context, tx db.Tx) error {
	tx.Publish(catalog.MarketTopic, tx.Org.String())
	return nil
}
