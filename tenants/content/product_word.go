package content

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
)

// ProductWord is what an organisation calls what it sells: a voucher, a ticket.
type ProductWord struct {
	Slug string `json:"slug" pattern:"^[a-z]{2,20}$" doc:"In addresses and names of files; pay is taken"`
	TH   string `json:"word_th" minLength:"1" maxLength:"20"`
	EN   string `json:"word_en" minLength:"1" maxLength:"20"`
}

const (
	readProductWord = `SELECT slug, word_th, word_en FROM product_word`
	saveProductWord = `INSERT INTO product_word (slug, word_th, word_en, updated_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (one) DO UPDATE SET slug = excluded.slug, word_th = excluded.word_th, word_en = excluded.word_en, updated_at = excluded.updated_at`
)

// takenSlug is part of the address of another report, of what agents were paid.
const takenSlug = "pay"

// ReadProductWord returns a voucher while nobody has decided.
func ReadProductWord(ctx context.Context, tx db.Tx) (w ProductWord, err error) {
	err = tx.QueryRow(ctx, readProductWord).Scan(&w.Slug, &w.TH, &w.EN)
	if errors.Is(err, pgx.ErrNoRows) {
		return ProductWord{Slug: "voucher", TH: "เวาเชอร์", EN: "voucher"}, nil
	}
	if err != nil {
		return w, fmt.Errorf("word of what is sold: %w", err)
	}
	return w, nil
}

// SaveProductWord puts it in the place of the one before, and records both in the audit log. It returns fault.Duplicate at a slug that is taken.
func SaveProductWord(ctx context.Context, tx db.Tx, who auditlog.Actor, w ProductWord) error {
	if w.Slug == takenSlug {
		return fault.At("slug", fault.Duplicate)
	}
	before, err := ReadProductWord(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, saveProductWord, w.Slug, w.TH, w.EN, tx.Now); err != nil {
		return fmt.Errorf("save the word of what is sold: %w", err)
	}
	return auditlog.Record(ctx, tx, who, "change", "product_word", before, w)
}
