package provisioning_test

import (
	"context"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"welovevoucher/tenants/provisioning"
)

func TestOwnHost(t *testing.T) {
	t.Run("a host of one's own becomes the address only once its DNS confirms the organisation", func(t *testing.T) {
		d := newFixture(t)
		in := d.input(t)
		own := in.Unique + ".example.org"
		in.Hosts = []string{own}
		records := map[string][]string{}
		provisioning.Resolve(d.service, func(_ context.Context, name string) ([]string, error) {
			if found, ok := records[name]; ok {
				return found, nil
			}
			return nil, &net.DNSError{Name: name, IsNotFound: true}
		})
		id, err := d.service.Create(t.Context(), admin, in)
		require.NoError(t, err)
		require.NoError(t, d.service.Run(t.Context(), id))

		before, err := d.directory.ByID(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, in.Unique+".localhost", before.Host, "invitations and pages must not go to a host of somebody else")
		steps, err := d.service.Steps(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, own, steps[4].Detail)

		records["_voucher-verify."+own] = []string{"something else"}
		require.NoError(t, d.service.VerifyPendingHosts(t.Context()))
		_, err = d.directory.ByHost(t.Context(), own)
		require.Error(t, err)

		records["_voucher-verify."+own] = []string{"something else", id.String()}
		require.NoError(t, d.service.VerifyPendingHosts(t.Context()))

		after, err := d.directory.ByHost(t.Context(), own)
		require.NoError(t, err)
		require.Equal(t, own, after.Host)
		steps, err = d.service.Steps(t.Context(), id)
		require.NoError(t, err)
		require.Empty(t, steps[4].Detail)
	})
}
