package payee

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/blob"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/secret"
)

// Kinds of pictures.
const (
	IDCardPicture = "idcard"
	BankPicture   = "bank"
)

// Encode makes a new JPEG of an uploaded picture, without anything else that was in its file.
type Encode func(ctx context.Context, org uuid.UUID, upload io.Reader) (encoded []byte, width, height int, err error)

// Album keeps encrypted pictures.
type Album struct {
	db     *db.DB
	box    *secret.Box
	store  blob.Store
	encode Encode
}

// NewAlbum returns an album.
func NewAlbum(d *db.DB, box *secret.Box, store blob.Store, encode Encode) *Album {
	return &Album{d, box, store, encode}
}

// Picture is one that was kept, and whose row is still to be written.
type Picture struct {
	ID            uuid.UUID
	Kind          string
	Width, Height int
	bytes         int
}

// pictureKey is where an encrypted picture lies. No page leads there.
func pictureKey(org, id uuid.UUID) string { return fmt.Sprintf("%s/private/%s", org, id) }

// Keep encodes a picture anew, encrypts it and stores it. Its row is written after it, so that a row always has its object.
func (a *Album) Keep(ctx context.Context, org, key uuid.UUID, kind string, upload io.Reader) (p Picture, err error) {
	encoded, width, height, err := a.encode(ctx, org, upload)
	if err != nil {
		return p, err
	}
	p = Picture{ID: db.NewID(), Kind: kind, Width: width, Height: height}
	sealed, err := a.box.Seal(pictureAAD(key, p.ID), encoded)
	if err != nil {
		return p, fmt.Errorf("seal a picture: %w", err)
	}
	p.bytes = len(sealed)
	if err := a.store.Put(ctx, pictureKey(org, p.ID), bytes.NewReader(sealed), int64(len(sealed))); err != nil {
		return p, fmt.Errorf("store picture %s: %w", p.ID, err)
	}
	return p, nil
}

func pictureAAD(key, id uuid.UUID) secret.AAD {
	return secret.AAD{Org: key, Column: "payee_picture.object", Row: id}
}

const (
	insertPicture = `INSERT INTO payee_picture (id, payee_id, kind, width, height, bytes, added_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	pictureByID   = `SELECT payee_id, kind FROM payee_picture WHERE id = $1 AND dropped_at IS NULL`
	dropPictures  = `UPDATE payee_picture p SET dropped_at = $1 WHERE p.dropped_at IS NULL
		AND NOT EXISTS (SELECT FROM payee_draft d WHERE d.payee_id = p.payee_id AND p.id IN (d.idcard_picture, d.bank_picture))
		AND NOT EXISTS (SELECT FROM payee_version v WHERE v.payee_id = p.payee_id AND p.id IN (v.idcard_picture, v.bank_picture))`
	anyDropped    = `SELECT EXISTS (SELECT FROM payee_picture WHERE dropped_at IS NOT NULL)`
	dropped       = `SELECT id FROM payee_picture WHERE dropped_at IS NOT NULL ORDER BY dropped_at LIMIT 100`
	deletePicture = `DELETE FROM payee_picture WHERE id = $1`
)

// Save writes the row of a picture that is kept.
func (p Picture) Save(ctx context.Context, tx db.Tx, payee uuid.UUID) error {
	if _, err := tx.Exec(ctx, insertPicture, p.ID, payee, p.Kind, p.Width, p.Height, p.bytes, tx.Now); err != nil {
		return fmt.Errorf("write picture %s: %w", p.ID, err)
	}
	return nil
}

// Owner returns whose picture it is, and of what. It returns fault.Missing where there is none.
func Owner(ctx context.Context, tx db.Tx, id uuid.UUID) (payee uuid.UUID, kind string, err error) {
	err = tx.QueryRow(ctx, pictureByID, id).Scan(&payee, &kind)
	if errors.Is(err, pgx.ErrNoRows) {
		return payee, kind, fault.Missing
	}
	if err != nil {
		return payee, kind, fmt.Errorf("picture %s: %w", id, err)
	}
	return payee, kind, nil
}

// Read returns a picture as a JPEG, whose caller has looked who may see it.
func (a *Album) Read(ctx context.Context, org, key, id uuid.UUID) ([]byte, error) {
	object, _, err := a.store.Get(ctx, pictureKey(org, id))
	if errors.Is(err, blob.ErrMissing) {
		return nil, fault.Missing
	}
	if err != nil {
		return nil, fmt.Errorf("picture %s: %w", id, err)
	}
	sealed, err := io.ReadAll(object)
	if err = errors.Join(err, object.Close()); err != nil {
		return nil, fmt.Errorf("picture %s: %w", id, err)
	}
	plain, err := a.box.Open(pictureAAD(key, id), sealed)
	if err != nil {
		return nil, fmt.Errorf("picture %s: %w", id, err)
	}
	return plain, nil
}

// DropPictures marks the pictures that neither a draft nor a version names any more; a worker deletes them.
func DropPictures(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, dropPictures, tx.Now); err != nil {
		return fmt.Errorf("drop pictures of payees: %w", err)
	}
	return nil
}

// AnyDropped reports whether there are pictures to delete.
func AnyDropped(ctx context.Context, tx db.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, anyDropped).Scan(&some)
	return some, err
}

// DeleteDropped deletes the objects of pictures that were dropped, and then their rows.
func (a *Album) DeleteDropped(ctx context.Context, org uuid.UUID) error {
	var ids []uuid.UUID
	err := a.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, dropped)
		if err != nil {
			return fmt.Errorf("pictures to delete: %w", err)
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := a.store.Delete(ctx, pictureKey(org, id)); err != nil {
			return fmt.Errorf("delete picture %s: %w", id, err)
		}
		err := a.db.InOrg(ctx, org, func(tx db.Tx) error {
			_, err := tx.Exec(ctx, deletePicture, id)
			return err
		})
		if err != nil {
			return fmt.Errorf("delete the row of picture %s: %w", id, err)
		}
	}
	return nil
}
