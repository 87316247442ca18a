package reports

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
)

// FirstRun is what a shop has of what it needs before it sells; the organisation's record has the rest.
type FirstRun struct {
	ServicePoints int64         `json:"service_points" doc:"That are open"`
	OnSale        int64         `json:"on_sale" doc:"Packages that are published"`
	Draft         *DraftPackage `json:"draft,omitempty" required:"false" doc:"The package that was begun last, while none is published"`
	Payment       bool          `json:"payment" doc:"Whether money can be taken"`
	Accounts      int64         `json:"accounts" doc:"Of people besides the first one, invited ones included"`
}

// DraftPackage is a package that is begun, and what it has of what a sale needs.
type DraftPackage struct {
	ID      uuid.UUID `json:"id"`
	NameTH  string    `json:"name_th"`
	NameEN  string    `json:"name_en"`
	Picture bool      `json:"picture"`
	Price   bool      `json:"price"`
	Parts   bool      `json:"parts"`
}

const (
	selectFirstRun = `SELECT (SELECT count(*) FROM service_point WHERE status = 5), (SELECT count(*) FROM package WHERE status = 5),
		EXISTS (SELECT FROM payment_system WHERE status = 5), (SELECT greatest(count(*) - 1, 0) FROM staff WHERE status <> 9)`
	lastDraft = `SELECT p.id, p.name_th, p.name_en, p.picture_id IS NOT NULL, p.price_satang > 0,
			EXISTS (SELECT FROM package_part i WHERE i.package_id = p.id)
		FROM package p WHERE p.status = 1 ORDER BY p.updated_at DESC, p.id LIMIT 1`
)

// FirstRun reads how far a shop is. Drafts are named to who may see packages.
func (s *Service) FirstRun(ctx context.Context, org uuid.UUID, seesPackages bool) (f FirstRun, err error) {
	err = s.db.ReadInOrg(ctx, org, func(tx db.Tx) error {
		if err := tx.QueryRow(ctx, selectFirstRun).Scan(&f.ServicePoints, &f.OnSale, &f.Payment, &f.Accounts); err != nil {
			return fmt.Errorf("first run: %w", err)
		}
		if f.OnSale > 0 || !seesPackages {
			return nil
		}
		var d DraftPackage
		err := tx.QueryRow(ctx, lastDraft).Scan(&d.ID, &d.NameTH, &d.NameEN, &d.Picture, &d.Price, &d.Parts)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return fmt.Errorf("last draft: %w", err)
		}
		f.Draft = &d
		return nil
	})
	return f, err
}
