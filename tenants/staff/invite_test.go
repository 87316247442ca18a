package staff_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/staff"
)

func (o *fixture) invite(by staff.Account, in staff.InviteInput) (staff.Invited, error) {
	if in.Area == "" {
		in.Area = token.Staff
	}
	return o.Invite(o.t.Context(), o.org, "shop", as(by), in)
}

func (o *fixture) mustInvite(by staff.Account, in staff.InviteInput) staff.Invited {
	o.t.Helper()
	made, err := o.invite(by, in)
	require.NoError(o.t, err)
	return made
}

func (o *fixture) join(plain, subject string) (staff.Joined, error) {
	return o.Join(context.Background(), o.org, token.Hash(plain), subject, "https://picture", "r")
}

func TestInvitation(t *testing.T) {
	o := newFixture(t)
	newAccount := staff.InviteInput{Name: "น้องใหม่", Role: staff.RoleUser, Permission: &o.clerkSet.ID}

	t.Run("an invited account is pending until its person joins, who then signs in by LINE", func(t *testing.T) {
		made := o.mustInvite(o.owner, newAccount)
		waiting := o.account(made.Account)
		require.Equal(t, resource.Pending, waiting.Status)
		require.NotNil(t, waiting.Invited)
		_, err := o.ByPassword(t.Context(), o.org, waiting.Username, "")
		require.ErrorIs(t, err, staff.ErrWrongPassword)

		shown, err := o.Invitation(t.Context(), o.org, made.Token)
		require.NoError(t, err)
		require.Equal(t, "น้องใหม่", shown.Name)

		joined, err := o.join(made.Token, "U-new")
		require.NoError(t, err)
		require.Equal(t, staff.Joined{Account: made.Account, Area: token.Staff}, joined)
		p, err := o.ByLINE(t.Context(), o.org, "U-new")
		require.NoError(t, err)
		require.Equal(t, made.Account, p.ID)
		require.Nil(t, o.account(made.Account).Invited)

		_, err = o.join(made.Token, "U-second")
		require.ErrorIs(t, err, staff.ErrInvitationUsed)
		_, err = o.Invitation(t.Context(), o.org, made.Token)
		require.ErrorIs(t, err, staff.ErrInvitationUsed)
	})

	t.Run("of twenty that join by one invitation at once one succeeds", func(t *testing.T) {
		made := o.mustInvite(o.owner, newAccount)
		results := make([]error, 20)
		var group sync.WaitGroup
		for i := range results {
			group.Go(func() { _, results[i] = o.join(made.Token, uuid.NewString()) })
		}
		group.Wait()
		won := 0
		for _, err := range results {
			if err == nil {
				won++
			} else {
				require.ErrorIs(t, err, staff.ErrInvitationUsed)
			}
		}
		require.Equal(t, 1, won)
	})

	t.Run("an invitation tampered with, foreign, revoked, replaced or of a dismissed account is invalid", func(t *testing.T) {
		made := o.mustInvite(o.owner, newAccount)
		for _, plain := range []string{"", ".", made.Token + "x", made.Token[:len(made.Token)-1], strings.Replace(made.Token, "shop", "shop2", 1), strings.ToUpper(made.Token)} {
			_, err := o.join(plain, "U-thief")
			require.ErrorIs(t, err, staff.ErrInvitation, plain)
		}
		other := newFixture(t)
		_, err := other.join(made.Token, "U-thief")
		require.ErrorIs(t, err, staff.ErrInvitation)

		second := o.mustInvite(o.owner, staff.InviteInput{Account: &made.Account})
		_, err = o.join(made.Token, "U-thief")
		require.ErrorIs(t, err, staff.ErrInvitation, "a newer link replaces it")
		require.NoError(t, o.RevokeInvitation(t.Context(), o.org, as(o.owner), made.Account))
		_, err = o.join(second.Token, "U-thief")
		require.ErrorIs(t, err, staff.ErrInvitation, "taken back")

		third := o.mustInvite(o.owner, staff.InviteInput{Account: &made.Account})
		require.NoError(t, o.SetAccountStatus(t.Context(), o.org, as(o.owner), []uuid.UUID{made.Account}, resource.Inactive))
		_, err = o.join(third.Token, "U-thief")
		require.ErrorIs(t, err, staff.ErrInvitation, "dismissed meanwhile")
		_, err = o.invite(o.owner, staff.InviteInput{Account: &made.Account})
		require.ErrorIs(t, err, fault.Missing)
		_, err = o.ByLINE(t.Context(), o.org, "U-thief")
		require.ErrorIs(t, err, staff.ErrWrongPassword)
	})

	t.Run("an invitation expires after 72 hours", func(t *testing.T) {
		made := o.mustInvite(o.owner, newAccount)
		o.Clock.Advance(72 * time.Hour)
		_, err := o.join(made.Token, "U-late")
		require.ErrorIs(t, err, staff.ErrInvitationExpired)
	})

	t.Run("a LINE account is linked to one account, and free again once that is deleted", func(t *testing.T) {
		first := o.mustInvite(o.owner, newAccount)
		_, err := o.join(first.Token, "U-kai")
		require.NoError(t, err)
		second := o.mustInvite(o.owner, newAccount)
		_, err = o.join(second.Token, "U-kai")
		require.ErrorIs(t, err, staff.ErrLineTaken)

		require.NoError(t, o.SetAccountStatus(t.Context(), o.org, as(o.owner), []uuid.UUID{first.Account}, resource.Deleted))
		joined, err := o.join(second.Token, "U-kai")
		require.NoError(t, err, "the refused try has not used the invitation up")
		require.Equal(t, second.Account, joined.Account)
	})

	t.Run("an invitation links an existing account, and ends its sessions", func(t *testing.T) {
		made := o.mustInvite(o.owner, staff.InviteInput{Account: &o.clerk.ID, Area: token.Owner})
		require.Equal(t, resource.Active, o.account(o.clerk.ID).Status)
		o.revoked = nil
		joined, err := o.join(made.Token, "U-clerk")
		require.NoError(t, err)
		require.Equal(t, token.Owner, joined.Area)
		require.Equal(t, []uuid.UUID{o.clerk.ID}, o.revoked)
		_, err = o.ByPassword(t.Context(), o.org, "clerk", "Abcd1234")
		require.NoError(t, err, "the password stays")
	})

	t.Run("an account does not invite beyond its own rights", func(t *testing.T) {
		for name, in := range map[string]staff.InviteInput{
			"an owner":            {Name: "ก", Role: staff.RoleAdminOwner},
			"wider rights":        {Name: "ก", Role: staff.RoleUser, Permission: &o.wider.ID},
			"the owner's account": {Account: &o.owner.ID},
		} {
			_, err := o.invite(o.manager, in)
			require.ErrorIs(t, err, staff.ErrBeyond, name)
		}
		require.ErrorIs(t, o.RevokeInvitation(t.Context(), o.org, as(o.manager), o.owner.ID), staff.ErrBeyond)
		_, err := o.invite(o.owner, staff.InviteInput{Role: staff.RoleAdmin})
		require.ErrorIs(t, err, fault.BadInput, "a name is needed")
		_, err = o.invite(o.owner, staff.InviteInput{Name: "ก", Role: staff.RoleUser})
		require.ErrorIs(t, err, fault.BadInput, "and a permission set")
	})

	t.Run("an invitation ends with its inviter's dismissal, or when its account outranks him", func(t *testing.T) {
		risen := o.mustInvite(o.manager, newAccount)
		row := o.account(risen.Account)
		row.Role, row.Permission = staff.RoleAdmin, nil
		_, err := o.SaveAccount(t.Context(), o.org, as(o.owner), row)
		require.NoError(t, err)
		_, err = o.join(risen.Token, "U-risen")
		require.ErrorIs(t, err, staff.ErrInvitation)
		_, err = o.Invitation(t.Context(), o.org, risen.Token)
		require.ErrorIs(t, err, staff.ErrInvitation)

		left := o.mustInvite(o.manager, newAccount)
		require.NoError(t, o.SetAccountStatus(t.Context(), o.org, as(o.owner), []uuid.UUID{o.manager.ID}, resource.Inactive))
		_, err = o.join(left.Token, "U-back")
		require.ErrorIs(t, err, staff.ErrInvitation)
		again := o.mustInvite(o.owner, staff.InviteInput{Account: &left.Account})
		_, err = o.join(again.Token, "U-back")
		require.NoError(t, err)
	})

	t.Run("an admin of the platform invites with all rights, as long as he may invite", func(t *testing.T) {
		admin := auditlog.Actor{Kind: token.Admin, ID: uuid.New()}
		byPlatform := func(in staff.PlatformInviteInput) (staff.Invited, error) {
			return o.InviteByPlatform(t.Context(), o.org, "shop", admin, in)
		}
		made, err := byPlatform(staff.PlatformInviteInput{Name: "เจ้าของใหม่", Role: staff.RoleSuperAdmin})
		require.NoError(t, err)
		waiting := o.account(made.Account)
		require.Equal(t, resource.Pending, waiting.Status)
		require.Equal(t, staff.RoleSuperAdmin, waiting.Role)

		o.dismissed = []uuid.UUID{admin.ID}
		_, err = o.Invitation(t.Context(), o.org, made.Token)
		require.ErrorIs(t, err, staff.ErrInvitation)
		_, err = o.join(made.Token, "U-platform")
		require.ErrorIs(t, err, staff.ErrInvitation)
		o.dismissed = nil
		shown, err := o.Invitation(t.Context(), o.org, made.Token)
		require.NoError(t, err)
		require.Equal(t, token.Owner, shown.Area)
		_, err = o.join(made.Token, "U-platform")
		require.NoError(t, err)

		second, err := byPlatform(staff.PlatformInviteInput{Name: "อีกคน", Role: staff.RoleAdmin})
		require.NoError(t, err)
		require.NoError(t, o.RevokeInvitation(t.Context(), o.org, as(o.owner), second.Account), "the organisation takes it back")
		_, err = o.join(second.Token, "U-other")
		require.ErrorIs(t, err, staff.ErrInvitation)

		_, err = byPlatform(staff.PlatformInviteInput{Name: " ", Role: staff.RoleAdmin})
		require.ErrorIs(t, err, fault.BadInput, "a name is needed")
		_, err = byPlatform(staff.PlatformInviteInput{Name: "ก", Role: staff.RoleUser})
		require.ErrorIs(t, err, fault.BadInput, "which permission set is the organisation's matter")
	})

	t.Run("no invitation's token is stored or audited", func(t *testing.T) {
		made := o.mustInvite(o.owner, newAccount)
		var leaked int
		require.NoError(t, o.DB.InOrg(t.Context(), o.org, func(tx db.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM audit_log r WHERE r::text LIKE '%' || $1 || '%')
				+ (SELECT count(*) FROM staff_invitation r WHERE r::text LIKE '%' || $1 || '%')`, made.Token[5:]).Scan(&leaked)
		}))
		require.Zero(t, leaked)
	})
}
