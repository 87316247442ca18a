package org_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/platform/secret"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/tenanttest"
)

func TestAddAdmin(t *testing.T) {
	w, name := tenanttest.New(t), tenanttest.Key()
	box, err := secret.New(make([]byte, 32))
	require.NoError(t, err)
	passwords, err := secret.NewPasswords(box)
	require.NoError(t, err)
	admins := org.NewAdmins(w.DB, passwords, nil, session.New(w.DB).RevokeAll)

	require.EqualError(t, admins.Add(t.Context(), name, "มาลี", "too short"),
		"field.password_weak: A password of the platform needs at least 10 characters")
	require.NoError(t, admins.Add(t.Context(), name, "มาลี", "long enough"))
	require.ErrorIs(t, admins.Add(t.Context(), name, "มานี", "another one"), org.ErrTaken)

	_, err = admins.ByPassword(t.Context(), name, "long enough")
	require.NoError(t, err, "an admin who exists keeps his password")
}
