package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"
)

// ids are sixteen bytes on the wire. To pgx alone uuid.UUID is a driver.Valuer and a Scanner, and each id a text to be made and
// parsed.
type ids struct{ pgxuuid.UUIDCodec }

// bareIDs readies a connection for them. A NULL read into an id that cannot be missing is an error.
func bareIDs(_ context.Context, conn *pgx.Conn) error {
	pgxuuid.Register(conn.TypeMap())
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: ids{}})
	return nil
}

// PlanScan implements pgtype.Codec. pgx asks a Scanner to read before it asks what was registered for its type.
func (c ids) PlanScan(m *pgtype.Map, oid uint32, format int16, into any) pgtype.ScanPlan {
	wrapped, id, ok := pgxuuid.TryWrapUUIDScanPlan(into)
	if !ok {
		return c.UUIDCodec.PlanScan(m, oid, format, into)
	}
	wrapped.SetNext(c.UUIDCodec.PlanScan(m, oid, format, id))
	return wrapped
}
