package suspension_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/session"
	"welovevoucher/tenants/story"
	"welovevoucher/tenants/suspension"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// TestSetStatus: who suspends a customer, the organisation or the platform, stands with what he had under way.
func TestSetStatus(t *testing.T) {
	for name, kind := range map[string]token.Audience{"by the organisation": token.Owner, "by the platform": token.Admin} {
		t.Run(name, func(t *testing.T) {
			w := tenanttest.New(t)
			sessions := session.New(w.DB)
			s := suspension.New(w.DB, sessions)
			who := auditlog.Actor{Kind: kind, ID: w.Staff().Subject}
			ann, bob, pkg := w.Customer(5_000_00), w.Customer(0), w.Package(tenanttest.Package{Price: 500_00, Items: 3, Transfers: 2})
			w.OpenBoard(0)
			w.VerifyMobile(ann)
			given, offered, sold := w.MustBuy(ann, pkg), w.MustBuy(ann, pkg), w.MustBuy(ann, pkg)
			open, err := w.Gift.Give(t.Context(), ann, tenanttest.Key(), gift.Input{Voucher: given.ID, Items: 3, Card: "birthday", To: "บี"})
			require.NoError(t, err)
			taken, err := w.Gift.Give(t.Context(), ann, tenanttest.Key(), gift.Input{Voucher: sold.ID, Items: 3, Card: "birthday", To: "บี"})
			require.NoError(t, err)
			_, err = w.Gift.Receive(t.Context(), bob, gift.Link{Ref: taken.Ref})
			require.NoError(t, err)
			offer, err := w.Board.Offer(t.Context(), ann, tenanttest.Key(), board.Input{Part: board.Part{Voucher: offered.ID, Items: 3}, Price: 400_00})
			require.NoError(t, err)
			signedIn, err := sessions.Open(t.Context(), token.User, w.Org, ann.Subject, "phone")
			require.NoError(t, err)

			require.NoError(t, s.SetStatus(t.Context(), w.Org, who, []uuid.UUID{ann.Subject}, resource.Suspended))
			require.NoError(t, s.SetStatus(t.Context(), w.Org, who, []uuid.UUID{ann.Subject}, resource.Suspended), "twice")
			_, err = sessions.Find(t.Context(), signedIn)
			require.ErrorIs(t, err, fault.NoSession)
			_, err = w.Order.Buy(t.Context(), ann, tenanttest.Key(), w.Quote(bob, pkg, 1))
			require.ErrorIs(t, err, customer.ErrSuspended)
			_, err = w.Gift.Receive(t.Context(), bob, gift.Link{Ref: open.Ref})
			require.ErrorIs(t, err, gift.ErrOver)
			w.MustBalance()

			require.NoError(t, s.SetStatus(t.Context(), w.Org, who, []uuid.UUID{ann.Subject}, resource.Active))
			seen, err := w.Gift.Detail(t.Context(), ann, open.ID)
			require.NoError(t, err)
			require.Equal(t, voucher.Stopped, seen.State)
			require.Equal(t, [2]bool{kind == token.Owner, kind == token.Admin}, [2]bool{seen.ByShop, seen.ByPlatform})
			f, err := w.Board.Detail(t.Context(), ann, offer.ID)
			require.NoError(t, err)
			require.Equal(t, [2]bool{kind == token.Owner, kind == token.Admin}, [2]bool{f.ByShop, f.ByPlatform})
			kept, err := w.Gift.Detail(t.Context(), ann, taken.ID)
			require.NoError(t, err)
			require.Equal(t, [2]bool{}, [2]bool{kept.ByShop, kept.ByPlatform}, "what was received before stays received")

			want := map[token.Audience]string{token.Owner: "stopped_by_shop", token.Admin: "stopped_by_platform"}[kind]
			stories := story.New(w.DB, w.Box())
			off, err := stories.Offer(t.Context(), w.Org, offer.ID, story.Visible{})
			require.NoError(t, err)
			require.Equal(t, want, off.Events[0].Reason)
			back, err := stories.Gift(t.Context(), w.Org, open.ID, story.Visible{})
			require.NoError(t, err)
			require.Equal(t, want, back.Events[0].Reason)

			w.Clock.Advance(time.Minute)
			again := w.Quote(ann, pkg, 1)
			_, err = w.Order.Buy(t.Context(), ann, tenanttest.Key(), again)
			require.NoError(t, err)
			require.EqualValues(t, 2, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'status' AND object = $1 AND actor_id = $2`, "customer/"+ann.Subject.String(), who.ID))
		})
	}

	w := tenanttest.New(t)
	s := suspension.New(w.DB, session.New(w.DB))
	who := auditlog.Actor{Kind: token.Admin, ID: w.Staff().Subject}
	require.ErrorIs(t, s.SetStatus(t.Context(), w.Org, who, []uuid.UUID{uuid.New()}, resource.Suspended), fault.Missing)
	require.ErrorIs(t, s.SetStatus(t.Context(), w.Org, who, []uuid.UUID{w.Customer(0).Subject}, 9), fault.BadInput, "nobody is erased so")
}
