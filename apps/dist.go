// Package apps holds the three built front ends, so that one binary is everything.
package apps

import "embed"

// Dist has a folder per app: customer, agent, backoffice. `npm run build` fills it.
//
//go:embed all:dist
var Dist embed.FS
