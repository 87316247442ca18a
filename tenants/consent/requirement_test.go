package consent_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/tenanttest"
)

func TestAcceptAfterSigningIn(t *testing.T) {
	w := tenanttest.New(t)
	service := consent.New(w.DB)
	text := func(kind, purpose, audience, version string, active bool) uuid.UUID {
		id := db.NewID()
		w.In(func(ctx context.Context, tx db.Tx) error {
			if active {
				if _, err := tx.Exec(ctx, `UPDATE consent_version SET active = false WHERE document = $1 AND purpose = $2 AND audience = $3`, kind, purpose, audience); err != nil {
					return err
				}
			}
			_, err := tx.Exec(ctx, `INSERT INTO consent_version (id, document, purpose, audience, version, title_th, title_en, body_th, body_en, active, status, created_at, updated_at)
				VALUES ($1, $2, $3, $4, $5, 'ก', 'A', 'ข', 'B', $6, 5, $7, $7)`, id, kind, purpose, audience, version, active, tx.Now)
			return err
		})
		return id
	}
	pdpa, terms := text("pdpa", "customer", "customer", "1", true), text("terms", "customer", "customer", "1", true)
	draft, buying := text("terms", "customer", "customer", "0", false), text("terms", "purchase", "customer", "1", true)
	agents := text("pdpa", "customer", "agent", "1", true)
	ann := w.Customer(0)
	ann.Address = "192.0.2.7"
	accept := func(who token.Session, versions ...uuid.UUID) error {
		return service.Accept(t.Context(), who, consent.AcceptInput{Versions: versions, Lang: "th"})
	}
	open := func(who token.Session) (ids []uuid.UUID) {
		list, err := service.OpenFor(t.Context(), who)
		require.NoError(t, err)
		for _, one := range list {
			ids = append(ids, one.Version)
		}
		return ids
	}

	t.Run("all required texts are accepted or none, and a missing one is named", func(t *testing.T) {
		require.Equal(t, []uuid.UUID{pdpa, terms}, open(ann))
		require.ErrorIs(t, accept(ann, terms), consent.ErrPDPA)
		require.ErrorIs(t, accept(ann, pdpa), consent.ErrRequired)
		require.ErrorIs(t, accept(ann), consent.ErrPDPA)
		require.Equal(t, []uuid.UUID{pdpa, terms}, open(ann), "a refused call leaves nothing accepted")
		require.Equal(t, "Please review PDPA", fault.From(accept(ann)).Message)
		require.Equal(t, "Please review the Terms and Conditions", fault.From(accept(ann, pdpa)).Message)
	})

	t.Run("a text that is not in force for signing in cannot be accepted", func(t *testing.T) {
		for name, id := range map[string]uuid.UUID{"draft": draft, "of buying": buying, "of agents": agents, "unknown": db.NewID()} {
			require.ErrorIs(t, accept(ann, pdpa, terms, id), consent.ErrInactiveConsent, name)
		}
		require.Len(t, open(ann), 2)
	})

	t.Run("an acceptance is recorded with its address, channel and language", func(t *testing.T) {
		require.NoError(t, accept(ann, pdpa, terms))
		require.Empty(t, open(ann))
		require.NoError(t, accept(ann, pdpa, terms), "again changes nothing")
		w.In(func(ctx context.Context, tx db.Tx) error {
			list, err := consent.AcceptedBy(ctx, tx, ann.Subject)
			require.Len(t, list, 2)
			for _, one := range list {
				require.Equal(t, []string{"192.0.2.7", "consent.accept", "th"}, []string{one.Address, one.Channel, one.Lang})
			}
			return err
		})
	})

	t.Run("a new version has to be accepted again", func(t *testing.T) {
		second := text("pdpa", "customer", "customer", "2", true)
		require.Equal(t, []uuid.UUID{second}, open(ann))
		require.ErrorIs(t, accept(ann, pdpa), consent.ErrInactiveConsent, "the old version does not stand for the new one")
		require.NoError(t, accept(ann, second))
	})

	t.Run("agents accept texts of their own", func(t *testing.T) {
		seller := ann
		seller.Audience = token.Agent
		require.Equal(t, []uuid.UUID{agents}, open(seller))
		require.NoError(t, accept(seller, agents))
		require.Empty(t, open(seller))
	})

	t.Run("settings name the versions in force", func(t *testing.T) {
		set, err := service.Setting(t.Context(), w.Org)
		require.NoError(t, err)
		require.True(t, set.TermsCustomer)
		require.Equal(t, terms, *set.TermsCustomerVersion)
		require.Equal(t, buying, *set.TermsPurchaseVersion)
		require.Equal(t, agents, *set.PDPACustomerVersionAgent)
		require.False(t, set.PDPAMember)
		require.Nil(t, set.PDPAMemberVersion)
	})

	t.Run("a suspended customer cannot accept", func(t *testing.T) {
		bob := w.Customer(0)
		w.In(func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE customer SET status = 4 WHERE id = $1`, bob.Subject)
			return err
		})
		require.Error(t, accept(bob, terms))
	})
}
