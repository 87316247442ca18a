package consent_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/tenanttest"
)

func TestVersions(t *testing.T) {
	w := tenanttest.New(t)
	owner := auditlog.Actor{Kind: token.Owner, ID: db.NewID()}
	save := func(table *resource.Table[consent.Version], v consent.Version) (saved consent.Version, err error) {
		err = w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) (err error) {
			saved, err = table.Save(t.Context(), tx, owner, v)
			return err
		})
		return saved, err
	}
	set := func(table *resource.Table[consent.Version], status int16, id uuid.UUID) error {
		return w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) error {
			return table.SetStatus(t.Context(), tx, owner, []uuid.UUID{id}, status)
		})
	}
	text := func(version string) consent.Version {
		return consent.Version{Purpose: "purchase", Addressee: "customer", Version: version, TitleTH: "ก", TitleEN: "A", BodyTH: "ข", BodyEN: "B"}
	}
	active := func() (versions []string) {
		w.In(func(ctx context.Context, tx db.Tx) error {
			page, err := consent.Terms.List(ctx, tx, resource.Query{Filter: map[string]any{"active": true}})
			for _, row := range page.Data {
				versions = append(versions, row.Value.Version)
			}
			return err
		})
		return versions
	}
	one, err := save(consent.Terms, text("1"))
	require.NoError(t, err)
	two, err := save(consent.Terms, text("2"))
	require.NoError(t, err)

	t.Run("activating a version deactivates the other", func(t *testing.T) {
		require.NoError(t, set(consent.Terms, resource.Active, one.ID))
		require.Equal(t, []string{"1"}, active())
		require.NoError(t, set(consent.Terms, resource.Active, two.ID))
		require.Equal(t, []string{"2"}, active())
	})

	t.Run("concurrent activations leave one version active", func(t *testing.T) {
		var group sync.WaitGroup
		for i := range 8 {
			id := []uuid.UUID{one.ID, two.ID}[i%2]
			group.Go(func() { require.NoError(t, set(consent.Terms, resource.Active, id)) })
		}
		group.Wait()
		require.Len(t, active(), 1)
	})

	t.Run("the active version cannot be deactivated, nor an accepted one changed", func(t *testing.T) {
		require.NoError(t, set(consent.Terms, resource.Active, two.ID))
		require.ErrorIs(t, set(consent.Terms, resource.Inactive, two.ID), consent.ErrLast)
		require.ErrorIs(t, set(consent.Terms, resource.Deleted, two.ID), consent.ErrLast)

		ann := w.Customer(0)
		w.In(func(ctx context.Context, tx db.Tx) error {
			required := consent.LockRequirements(tx, consent.ForPurchase, ann)
			if err := tx.Flush(ctx); err != nil {
				return err
			}
			accepted, err := required.Agree(consent.Submission{Customer: ann.Subject, Versions: []uuid.UUID{two.ID}, Lang: "th"})
			required.Accept(accepted)
			required.Save(tx)
			return err
		})
		require.NoError(t, set(consent.Terms, resource.Active, one.ID))
		var now consent.Version
		w.In(func(ctx context.Context, tx db.Tx) (err error) {
			now, err = consent.Terms.Detail(ctx, tx, two.ID)
			return err
		})
		require.EqualValues(t, 1, now.Accepted)
		now.BodyTH = "อย่างอื่น"
		_, err := save(consent.Terms, now)
		require.ErrorIs(t, err, consent.ErrFixed)
	})

	t.Run("each table saves and finds versions of its own document only", func(t *testing.T) {
		lie := text("p1")
		lie.Document, lie.Active = "terms", true
		saved, err := save(consent.PDPA, lie)
		require.NoError(t, err)
		require.Equal(t, "pdpa", saved.Document)
		require.False(t, saved.Active)
		require.ErrorIs(t, set(consent.Terms, resource.Active, saved.ID), fault.Missing)
		_, err = save(consent.Terms, saved)
		require.ErrorIs(t, err, fault.Missing)
	})
}
