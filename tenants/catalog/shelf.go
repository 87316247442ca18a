package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/memo"
)

// shelf keeps pages of the market for a second, because at a flash sale everybody looks at the same one. How many are left
// is decided when they are bought, so what an old page costs is a refusal. An organisation's own changes show at once on the
// machine that made them, and within the second on the others.
type shelf struct {
	pages *memo.Memo[shelved, MarketPage]
}

type shelved struct {
	org   uuid.UUID
	asked string
}

const (
	pageFresh = time.Second
	maxPages  = 10_000
)

func newShelf(now func() time.Time) *shelf {
	return &shelf{memo.New[shelved, MarketPage](pageFresh, maxPages, now)}
}

// page answers with what is kept or with what read returns. What somebody types is not kept: hardly anybody asks for the same.
func (s *shelf) page(ctx context.Context, org uuid.UUID, in MarketInput, read func(context.Context) (MarketPage, error)) (MarketPage, error) {
	if in.Search != "" || in.After != "" {
		return read(ctx)
	}
	asked, err := json.Marshal(in)
	if err != nil {
		return MarketPage{}, fmt.Errorf("name a page of the market: %w", err)
	}
	return s.pages.Recall(ctx, shelved{org, string(asked)}, read)
}

// changed forgets an organisation's pages.
func (s *shelf) changed(org uuid.UUID) {
	s.pages.Forget(func(page shelved, _ MarketPage) bool { return page.org == org })
}
