package onboard

import (
	"context"

	"welovevoucher/platform/db"
)

// spares is how many schemas wait for organisations to come.
const spares = 3

const (
	countSpares = `SELECT count(*) FROM spare_schema WHERE node = $1`
	insertSpare = `INSERT INTO spare_schema (schema_name, node, version, created_at) VALUES ($1, $2, $3, $4)`
)

// FillSpares makes schemas in advance, under their final names, so that a new organisation need not wait for DDL.
func (s *Service) FillSpares(ctx context.Context) error {
	var have int
	err := s.db.InPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, countSpares, db.MainNode).Scan(&have) })
	if err != nil {
		return err
	}
	for ; have < spares; have++ {
		home := db.Home{Schema: NewSchemaName(), Node: db.MainNode}
		version, err := s.schemas.MakeTenant(ctx, home)
		if err != nil {
			return err
		}
		if err := s.exec(ctx, insertSpare, home.Schema, home.Node, version, s.db.Now()); err != nil {
			return err
		}
	}
	return nil
}
