package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"
)

// ids is the codec of uuid.UUID. It sends 16 bytes; pgx alone would use its driver.Valuer and Scanner, and format and parse each id
// as text.
type ids struct{ pgxuuid.UUIDCodec }

// bareIDs registers the codec on a connection. To read NULL into a uuid.UUID is an error.
func bareIDs(_ context.Context, conn *pgx.Conn) error {
	pgxuuid.Register(conn.TypeMap())
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: ids{}})
	return nil
}

// PlanScan implements pgtype.Codec. Without it pgx would use the Scanner of uuid.UUID before the codec.
func (c ids) PlanScan(m *pgtype.Map, oid uint32, format int16, into any) pgtype.ScanPlan {
	wrapped, id, ok := pgxuuid.TryWrapUUIDScanPlan(into)
	if !ok {
		return c.UUIDCodec.PlanScan(m, oid, format, into)
	}
	wrapped.SetNext(c.UUIDCodec.PlanScan(m, oid, format, id))
	return wrapped
}
