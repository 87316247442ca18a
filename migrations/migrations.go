// Package migrations holds the SQL that makes the platform's schema and every tenant's. Forward only.
package migrations

import "embed"

// FS has two folders: platform and tenant.
//
//go:embed platform/*.sql tenant/*.sql
var FS embed.FS
