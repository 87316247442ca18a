package content_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/tenanttest"
)

// TestProductWord: what is sold is a voucher until somebody decides, and no word takes the address of another report.
func TestProductWord(t *testing.T) {
	w := tenanttest.New(t)
	by := auditlog.Actor{Kind: token.Owner, ID: w.Owner().Subject}
	read := func() (word content.ProductWord) {
		w.In(func(ctx context.Context, tx db.Tx) (err error) {
			word, err = content.ReadProductWord(ctx, tx)
			return err
		})
		return word
	}
	save := func(word content.ProductWord) error {
		return w.DB.InOrg(t.Context(), w.Org, func(tx db.Tx) error { return content.SaveProductWord(t.Context(), tx, by, word) })
	}
	require.Equal(t, content.ProductWord{Slug: "voucher", TH: "เวาเชอร์", EN: "voucher"}, read())
	ticket := content.ProductWord{Slug: "ticket", TH: "บัตรเข้าชม", EN: "ticket"}
	require.NoError(t, save(ticket))
	require.Equal(t, ticket, read())
	require.Equal(t, fault.At("slug", fault.Duplicate), save(content.ProductWord{Slug: "pay", TH: "บัตร", EN: "pay"}))
	for _, bad := range []content.ProductWord{{Slug: "a", TH: "บัตร", EN: "x"}, {Slug: "a-b", TH: "บัตร", EN: "x"}, {Slug: "ab", EN: "x"}} {
		require.Error(t, save(bad), "the table refuses what the form would")
	}
	require.Equal(t, ticket, read())
}
