package gift

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
)

const (
	// An ang-pao has ended for who has taken one of it.
	giftColumns = `SELECT g.id, CASE WHEN t.gift_id IS NULL THEN g.state ELSE 'claimed' END, g.begins_at, g.expires_at, g.days, g.extended_at IS NOT NULL, ` + stillSince + `, g.giver_id = $1, g.people, g.card,
			CASE WHEN g.giver_id = $1 THEN coalesce(r.display_name, '') ELSE c.display_name END, g.to_name, g.words,
			CASE WHEN g.giver_id = $1 THEN g.digits ELSE '' END, g.created_at, CASE WHEN g.giver_id = $1 THEN g.opened_at END, coalesce(t.taken_at, g.ended_at), t.gift_id IS NULL AND g.stopped_by IS NOT NULL, t.gift_id IS NULL AND g.stopped_by_admin IS NOT NULL,
			coalesce(t.thanked_at, g.thanked_at)
		FROM gift g JOIN customer c ON c.id = g.giver_id LEFT JOIN customer r ON r.id = g.receiver_id LEFT JOIN gift_taker t ON t.gift_id = g.id AND t.customer_id = $1 `
	oneGift = giftColumns + `WHERE g.id = $2 AND (g.giver_id = $1 OR g.receiver_id = $1 OR t.gift_id IS NOT NULL)`
	giftsOf = giftColumns + `WHERE g.id IN (
			(SELECT id FROM gift WHERE giver_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3)
			UNION ALL (SELECT id FROM gift WHERE receiver_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3)
			UNION ALL (SELECT gift_id FROM gift_taker WHERE customer_id = $1 AND ($2::uuid IS NULL OR gift_id < $2) ORDER BY gift_id DESC LIMIT $3)) ORDER BY g.id DESC LIMIT $3`
	// Of an ang-pao its giver sees everything, who has taken one that one, and everybody else the first.
	inGifts = `SELECT n.gift_id, v.id, v.holder_id = $2, v.kind, v.name_th, v.name_en, v.picture_id, n.items, v.valid_until
		FROM voucher_event n JOIN voucher v ON v.id = n.voucher_id JOIN gift g ON g.id = n.gift_id LEFT JOIN gift_taker t ON t.gift_id = g.id AND t.customer_id = $2
		WHERE n.gift_id = ANY ($1) AND n.event = 'give' AND (g.people = 1 OR g.giver_id = $2 OR v.id = coalesce(t.voucher_id,
			(SELECT e.voucher_id FROM voucher_event e WHERE e.gift_id = g.id AND e.event = 'give' ORDER BY e.voucher_id LIMIT 1))) ORDER BY v.id, n.id`
	takersOf = `SELECT t.gift_id, split_part(btrim(c.display_name), ' ', 1), t.taken_at, t.customer_id = $2, t.thanked_at IS NOT NULL
		FROM gift_taker t JOIN customer c ON c.id = t.customer_id WHERE t.gift_id = ANY ($1) ORDER BY t.taken_at DESC, t.customer_id`
	pageOfGifts = 50
)

// Detail returns a gift that the customer gave or claimed. It returns ErrNotFound for anybody else's.
func (s *Service) Detail(ctx context.Context, who token.Session, id uuid.UUID) (g Gift, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		list, err := s.read(ctx, tx, who, oneGift, who.Subject, id)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return ErrNotFound
		}
		g = list[0]
		return nil
	})
	return g, err
}

// List returns a page of what the customer gave and claimed, newest first.
func (s *Service) List(ctx context.Context, who token.Session, after *uuid.UUID) (list []Gift, err error) {
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		list, err = s.read(ctx, tx, who, giftsOf, who.Subject, after, pageOfGifts)
		return err
	})
	return list, err
}

// read reads gifts with what is in them.
func (s *Service) read(ctx context.Context, tx db.Tx, who token.Session, sql string, args ...any) ([]Gift, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("gifts of %s: %w", who.Subject, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (g Gift, err error) {
		var t term
		err = row.Scan(&g.ID, &t.state, &t.begins, &t.expires, &g.Days, &t.extended, &t.still, &g.Given, &g.People, &g.Card, &g.Person, &g.To, &g.Words, &g.Digits, &g.CreatedAt, &g.OpenedAt, &g.EndedAt, &g.ByShop, &g.ByPlatform, &g.ThankedAt)
		g.State, g.BeginsAt, g.ExpiresAt, g.MayExtend = t.now(tx.Now), t.begins, t.expires, g.Given && t.mayExtend(tx.Now)
		return g, err
	})
	if err != nil {
		return nil, fmt.Errorf("gifts of %s: %w", who.Subject, err)
	}
	ids := make([]uuid.UUID, len(list))
	for i, g := range list {
		ids[i] = g.ID
	}
	contents, err := readContents(ctx, tx, who.Subject, ids)
	if err != nil {
		return nil, err
	}
	takers, err := readTakers(ctx, tx, who.Subject, ids)
	if err != nil {
		return nil, err
	}
	for i := range list {
		g := &list[i]
		g.Contents, g.Takers = contents[g.ID], append([]Taker{}, takers[g.ID]...)
		if g.Given && (g.State == scheduled || g.State == open) {
			if g.Ref, _, err = s.ref(who.Org, g.ID); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// readContents reads what is in gifts, as a person sees it.
func readContents(ctx context.Context, tx db.Tx, person uuid.UUID, gifts []uuid.UUID) (map[uuid.UUID][]Content, error) {
	rows, err := tx.Query(ctx, inGifts, gifts, person)
	if err != nil {
		return nil, fmt.Errorf("contents of gifts: %w", err)
	}
	contents := map[uuid.UUID][]Content{}
	var gift, voucher uuid.UUID
	var mine bool
	var c Content
	var until time.Time
	_, err = pgx.ForEachRow(rows, []any{&gift, &voucher, &mine, &c.Kind, &c.NameTH, &c.NameEN, &c.Picture, &c.Items, &until}, func() error {
		c.ValidUntil, c.Voucher = until.Format(time.DateOnly), nil
		if mine {
			id := voucher
			c.Voucher = &id
		}
		contents[gift] = append(contents[gift], c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("contents of gifts: %w", err)
	}
	return contents, nil
}

// readTakers reads who has taken one of each ang-pao, as a person sees them, the last first.
func readTakers(ctx context.Context, tx db.Tx, person uuid.UUID, gifts []uuid.UUID) (map[uuid.UUID][]Taker, error) {
	rows, err := tx.Query(ctx, takersOf, gifts, person)
	if err != nil {
		return nil, fmt.Errorf("who took one of gifts: %w", err)
	}
	takers := map[uuid.UUID][]Taker{}
	var gift uuid.UUID
	var t Taker
	_, err = pgx.ForEachRow(rows, []any{&gift, &t.Name, &t.At, &t.Own, &t.Thanked}, func() error {
		takers[gift] = append(takers[gift], t)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("who took one of gifts: %w", err)
	}
	return takers, nil
}
