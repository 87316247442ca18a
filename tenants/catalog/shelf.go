package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"
)

// shelf keeps pages of the market for a second, because at a flash sale everybody looks at the same one. How many are left
// is decided when they are bought, so what an old page costs is a refusal. An organisation's own changes show at once on the
// machine that made them, and within the second on the others.
type shelf struct {
	flight singleflight.Group

	mu      sync.Mutex
	changes map[uuid.UUID]uint64 // counts them, so that what was read before one is not shown after it
	kept    map[shelved]keptPage
}

type shelved struct {
	org     uuid.UUID
	changes uint64
	asked   string
}

type keptPage struct {
	page  MarketPage
	until time.Time
}

const (
	pageFresh = time.Second
	maxPages  = 10_000
)

func newShelf() *shelf {
	return &shelf{changes: map[uuid.UUID]uint64{}, kept: map[shelved]keptPage{}}
}

// page answers with what is kept or, once however many ask, with what read returns. What somebody types is not kept: hardly
// anybody asks for the same.
func (s *shelf) page(ctx context.Context, org uuid.UUID, in MarketInput, now time.Time, read func(context.Context) (MarketPage, error)) (MarketPage, error) {
	if in.Search != "" || in.After != "" {
		return read(ctx)
	}
	asked, err := json.Marshal(in)
	if err != nil {
		return MarketPage{}, fmt.Errorf("name a page of the market: %w", err)
	}
	key, found := s.look(org, string(asked))
	if now.Before(found.until) {
		return found.page, nil
	}
	// It outlives the caller that happened to be first.
	page, err, _ := s.flight.Do(fmt.Sprint(key), func() (any, error) {
		if _, found := s.look(org, string(asked)); now.Before(found.until) { // the one before has just come back
			return found.page, nil
		}
		page, err := read(context.WithoutCancel(ctx))
		if err == nil {
			s.keep(key, keptPage{page, now.Add(pageFresh)})
		}
		return page, err
	})
	return page.(MarketPage), err
}

func (s *shelf) look(org uuid.UUID, asked string) (shelved, keptPage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := shelved{org, s.changes[org], asked}
	return key, s.kept[key]
}

func (s *shelf) keep(key shelved, page keptPage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= maxPages {
		clear(s.kept)
	}
	s.kept[key] = page
}

// changed forgets an organisation's pages.
func (s *shelf) changed(org uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes[org]++
}
