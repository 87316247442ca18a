package catalog

import (
	"time"

	"github.com/google/uuid"
)

// Alone lets a test be a decoder that panics.
var Alone = (*Pictures).alone

// What a test asks Postgres about, and how much is remembered.
var (
	PriceQueries = []string{selectPackages, selectParts}
	MaxPackages  = maxPackages
)

// Known is how many packages are remembered.
func (c *PriceCache) Known() int { return len(c.known) }

// Fill remembers packages of nobody.
func (c *PriceCache) Fill(n int) {
	found := map[uuid.UUID]*cachedPackage{}
	for range n {
		found[uuid.New()] = &cachedPackage{}
	}
	c.remember(uuid.New(), uuid.New(), time.Time{}, found)
}
