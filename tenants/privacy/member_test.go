package privacy_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/org"
)

// TestMember: a member takes along his card and what he said of himself, and nothing of it is left of him once he is erased but that there was a card.
func TestMember(t *testing.T) {
	w := newWorld(t)
	who := w.Customer(0)
	w.Force(`WITH kind AS (INSERT INTO card_type (id, name_th, name_en, position, version, status, created_at, updated_at) VALUES (gen_random_uuid(), 'บัตร', 'Card', 1, 1, 5, now(), now()) RETURNING id)
		INSERT INTO card_type_version (id, card_type_id, number, validity, length, approval, level, least_age, asks_email, asks_idcard, asks_gender, asks_birthdate, asks_address, asks_nationality, asks_receipt, created_at)
		SELECT id, id, 1, 'endless', 0, 'none', 1, 0, 'off', 'off', 'off', 'off', 'off', 'off', 'off', now() FROM kind`)
	var types uuid.UUID
	w.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM card_type`).Scan(&types)
	})
	cards := member.New(w.DB, w.Box(), org.NewDirectory(w.DB))
	form := member.Form{FirstName: "พิมพ์ชนก", LastName: "สุขใจ", Mobile: "0895550146"}
	_, err := cards.Apply(t.Context(), who, auditlog.Actor{Kind: token.User, ID: who.Subject}, member.ApplyInput{Type: types, Form: form, Lang: "th"})
	require.NoError(t, err)
	require.NoError(t, cards.Save(t.Context(), who, form))

	held, err := w.Export(t.Context(), who)
	require.NoError(t, err)
	require.Equal(t, "พิมพ์ชนก สุขใจ", held.Member.Card.Name)
	require.Len(t, held.Member.Forms, 2)
	for _, f := range held.Member.Forms {
		require.Equal(t, form, f.Form)
	}

	require.NoError(t, w.erase(who))
	require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM membership WHERE state = 'left' AND name = ''`))
	require.Zero(t, w.Count(`SELECT count(*) FROM application WHERE form IS NOT NULL OR mobile_index IS NOT NULL OR mobile_digits <> ''`))
	require.Zero(t, w.Count(`SELECT count(*) FROM member_draft`))
}
