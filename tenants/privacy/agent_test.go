package privacy_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/payee"
)

// TestEraseApplicant: what somebody said of himself to become an agent is exported, and gone with him, its pictures too.
func TestEraseApplicant(t *testing.T) {
	w := newWorld(t)
	who := w.somebody(t, "U-canary-applicant", "applicant")
	who.Audience = token.Agent
	by := auditlog.Actor{Kind: token.Agent, ID: who.Subject}
	form := payee.Form{Kind: payee.Person, FirstName: "canary", IDCard: "1101700203646", Mobile: "0865550192"}
	_, err := w.Applications.Save(t.Context(), who, by, form)
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 64, 48))))
	_, err = w.Applications.AddPicture(t.Context(), who, by, payee.IDCardPicture, &file)
	require.NoError(t, err)

	who.Audience = token.User
	held, err := w.Export(t.Context(), who)
	require.NoError(t, err)
	require.Len(t, held.Selling, 1)
	require.Equal(t, form, held.Selling[0].Form)

	require.NoError(t, w.erase(who))
	require.NoError(t, w.Album.DeleteDropped(t.Context(), w.Org))
	require.EqualValues(t, 1, w.Count(`SELECT count(*) FROM agent WHERE customer_id = $1 AND state = 'erased' AND status = 9`, who.Subject))
	for _, table := range []string{"payee_draft", "payee_picture"} {
		require.Zero(t, w.Count(`SELECT count(*) FROM `+table), table)
	}
	objects, err := w.Objects.List(t.Context(), w.Org.String())
	require.NoError(t, err)
	require.Empty(t, objects)
}
