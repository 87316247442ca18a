package payee

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/secret"
)

// Draft is what a payee is filling in.
type Draft struct {
	Form     Form
	Verified bool // that he has the mobile number of the form
	Pictures Pictures
	Mend     []string
	SavedAt  time.Time
}

// Pictures are the ids of those of a draft or a version; nil where there is none.
type Pictures struct {
	IDCard *uuid.UUID `json:"idcard" nullable:"true"`
	Bank   *uuid.UUID `json:"bank" nullable:"true"`
}

const (
	insertPayee = `INSERT INTO payee (id, kind, created_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`
	readDraft   = `SELECT form, mobile_verified, idcard_picture, bank_picture, mend, saved_at FROM payee_draft WHERE payee_id = $1`
	saveDraft   = `INSERT INTO payee_draft (payee_id, form, mobile_verified, idcard_picture, bank_picture, mend, saved_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (payee_id) DO UPDATE SET form = excluded.form, mobile_verified = excluded.mobile_verified, idcard_picture = excluded.idcard_picture,
			bank_picture = excluded.bank_picture, mend = excluded.mend, saved_at = excluded.saved_at`
	deleteDraft = `DELETE FROM payee_draft WHERE payee_id = $1`
)

const draftForm = "payee_draft.form"

// Insert queues the insert of a payee.
func Insert(tx db.Tx, id uuid.UUID, kind string) { tx.Queue(insertPayee, id, kind, tx.Now) }

// ReadDraft returns what a payee is filling in, or nil.
func ReadDraft(ctx context.Context, tx db.Tx, box *secret.Box, payee uuid.UUID) (*Draft, error) {
	var d Draft
	var sealed, verified []byte
	err := tx.QueryRow(ctx, readDraft, payee).Scan(&sealed, &verified, &d.Pictures.IDCard, &d.Pictures.Bank, &d.Mend, &d.SavedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // there may be none
	}
	if err != nil {
		return nil, fmt.Errorf("draft of payee %s: %w", payee, err)
	}
	if d.Form, err = open(box, tx, draftForm, payee, sealed); err != nil {
		return nil, err
	}
	has, err := indexesOf(box, tx, d.Form)
	d.Verified = verified != nil && bytes.Equal(verified, has.Mobile)
	return &d, err
}

// SaveDraft keeps what a payee is filling in. Verified says that the number which the form has now is his.
func SaveDraft(ctx context.Context, tx db.Tx, box *secret.Box, payee uuid.UUID, d Draft) error {
	sealed, err := seal(box, tx, draftForm, payee, d.Form)
	if err != nil {
		return err
	}
	var verified []byte
	if d.Verified {
		has, err := indexesOf(box, tx, d.Form)
		if err != nil {
			return err
		}
		verified = has.Mobile
	}
	if d.Mend == nil {
		d.Mend = []string{}
	}
	if _, err := tx.Exec(ctx, saveDraft, payee, sealed, verified, d.Pictures.IDCard, d.Pictures.Bank, d.Mend, tx.Now); err != nil {
		return fmt.Errorf("save the draft of payee %s: %w", payee, err)
	}
	return nil
}

// SameMobile reports whether a draft's number is that of another form.
func SameMobile(a, b Form) bool { return a.mobile() == b.mobile() }

// DropDraft deletes what a payee was filling in. Its pictures stay until DropPictures.
func DropDraft(ctx context.Context, tx db.Tx, payee uuid.UUID) error {
	if _, err := tx.Exec(ctx, deleteDraft, payee); err != nil {
		return fmt.Errorf("delete the draft of payee %s: %w", payee, err)
	}
	return nil
}
