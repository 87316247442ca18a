package catalog

import (
	"time"

	"github.com/google/uuid"
)

// Alone lets a test be a decoder that panics.
var Alone = (*Pictures).alone

// What a test asks Postgres about, and how much is remembered.
var (
	Offered    = []string{offered, parts}
	MostListed = mostListed
)

// Known is how many packages are remembered.
func (p *PriceCache) Known() int { return len(p.known) }

// Fill remembers packages of nobody.
func (p *PriceCache) Fill(n int) {
	found := map[uuid.UUID]*cachedPackage{}
	for range n {
		found[uuid.New()] = &cachedPackage{}
	}
	p.remember(uuid.New(), uuid.New(), time.Time{}, found)
}
