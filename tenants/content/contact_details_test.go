package content_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/content"
)

func TestValidTaxID(t *testing.T) {
	for digits, valid := range map[string]bool{
		"0105536000313": true, "0107544000108": true,
		"0105536000314": false, "1005536000313": false, "": false, "010553600031": false, "01055360003155": false, "010553600031x": false,
	} {
		require.Equal(t, valid, content.ValidTaxID(digits), digits)
	}
}

func TestContactDetails(t *testing.T) {
	s := dbtest.Open(t)
	org, other := s.NewOrg(t), s.NewOrg(t)
	owner := auditlog.Actor{Kind: token.Owner, ID: db.NewID()}
	save := func(c content.ContactDetails) error {
		return s.DB.InOrg(t.Context(), org, func(tx db.Tx) error { return content.SaveContactDetails(t.Context(), tx, owner, c) })
	}
	read := func(id uuid.UUID) (c content.ContactDetails) {
		require.NoError(t, s.DB.InOrg(t.Context(), id, func(tx db.Tx) (err error) {
			c, err = content.ReadContactDetails(context.Background(), tx)
			return err
		}))
		return c
	}
	require.Zero(t, read(org))

	shop := content.ContactDetails{LegalNameTH: "บริษัท เรือนละไม จำกัด", TaxID: "0105536000313", Branch: "00000", Phone: "053 215 509", Email: "hello@lamai.example", LineID: "@lamai"}
	require.NoError(t, save(shop))
	require.Equal(t, shop, read(org))
	require.Zero(t, read(other), "another organisation has none of it")
	shop.Phone = ""
	require.NoError(t, save(shop))
	require.Equal(t, shop, read(org))

	for want, spoil := range map[string]func(c *content.ContactDetails){
		"tax_id field.tax_id": func(c *content.ContactDetails) { c.TaxID = "0105536000314" },
		"email field.email":   func(c *content.ContactDetails) { c.Email = "Lamai <hello@lamai.example>" },
	} {
		in := shop
		spoil(&in)
		err := save(in)
		require.ErrorIs(t, err, fault.BadInput)
		require.Equal(t, want, fault.From(err).Fields[0].Path+" "+fault.From(err).Fields[0].Fault)
	}
	require.Equal(t, shop, read(org))
}
