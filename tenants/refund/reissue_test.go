package refund_test

import (
	"context"
	"encoding/base64"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

func (s *shop) reissue(id uuid.UUID) error {
	return s.Voucher.Reissue(context.Background(), s.Org, s.owner(), voucher.ReissueInput{ID: id, Reason: "seen by others"})
}

func (s *shop) code(id uuid.UUID) (code string) {
	s.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT code FROM voucher WHERE id = $1`, id).Scan(&code)
	})
	return code
}

// qr is what the phone showed of a use.
func (s *shop) qr(t *testing.T, use voucher.UseSession) voucher.ScanInput {
	t.Helper()
	secret, err := base64.RawURLEncoding.DecodeString(use.Secret)
	require.NoError(t, err)
	return voucher.ScanInput{Code: voucher.QR(s.Org, use.ID, secret, s.Clock.Now()), ServicePoint: s.point}
}

// TestReissue: a voucher that is not over gets another code. A use under way ends with it, a gift and an offer go on.
func TestReissue(t *testing.T) {
	for _, from := range tenanttest.States {
		t.Run(string(from), func(t *testing.T) {
			s := open(t)
			s.OpenBoard(200)
			s.VerifyMobile(s.ann)
			h := s.buyOne(t)
			s.reach(t, &h, from, voucher.MakeVoid)
			before := s.code(h.voucher)
			err := s.reissue(h.voucher)
			s.MustBalance()
			if over := map[voucher.State]error{
				voucher.Used: voucher.ErrAlreadyUsed, voucher.Expired: voucher.ErrExpired, voucher.Refunded: voucher.ErrRefunded, voucher.Void: voucher.ErrVoid,
			}[from]; over != nil {
				require.ErrorIs(t, err, over)
				require.Equal(t, before, s.code(h.voucher))
				return
			}
			require.NoError(t, err)
			require.NotEqual(t, before, s.code(h.voucher))
			require.Contains(t, s.messagesTo(t, s.ann), string(message.VoucherReissued))
			bob := s.Customer(500_00)
			switch from {
			case voucher.InUse:
				require.Equal(t, voucher.Ready, s.stateOf(h.voucher))
				_, err = s.Voucher.Verify(t.Context(), s.staff, s.qr(t, h.use))
				require.ErrorIs(t, err, voucher.ErrSessionOver, "the QR of before")
				require.NoError(t, s.use(t, s.ann, h.voucher, 1))
			case voucher.InTransfer:
				_, err = s.Gift.Receive(t.Context(), bob, gift.Link{Ref: h.gift.Ref})
				require.NoError(t, err)
			case voucher.OnSale:
				_, err = s.Board.Buy(t.Context(), bob, tenanttest.Key(), board.BuyInput{Offer: h.offer.ID, Accepted: []uuid.UUID{}, Lang: "th"})
				require.NoError(t, err)
			default:
				require.Equal(t, from, s.stateOf(h.voucher))
			}
			s.MustBalance()
		})
	}

	t.Run("not without a reason, nor another organisation's, nor after its last day", func(t *testing.T) {
		s := open(t)
		h := s.buyOne(t)
		require.Error(t, s.Voucher.Reissue(t.Context(), s.Org, s.owner(), voucher.ReissueInput{ID: h.voucher, Reason: " "}))
		require.ErrorIs(t, s.reissue(uuid.New()), fault.Missing)
		other := tenanttest.On(t, s.Server)
		stranger := auditlog.Actor{Kind: token.Owner, ID: other.Staff().Subject}
		require.ErrorIs(t, other.Voucher.Reissue(t.Context(), other.Org, stranger, voucher.ReissueInput{ID: h.voucher, Reason: "mine"}), fault.Missing)
		s.Clock.Advance(91 * 24 * time.Hour)
		require.ErrorIs(t, s.reissue(h.voucher), voucher.ErrExpired, "no worker has ended it yet")
	})

	t.Run("while its use is confirmed: one comes first", func(t *testing.T) {
		s := open(t)
		for range 8 {
			s.ann = s.Customer(0)
			h := s.buyOne(t)
			s.reach(t, &h, voucher.InUse, "")
			s.Scan(s.staff, h.use, s.point)
			var used, given error
			var both sync.WaitGroup
			both.Go(func() {
				_, used = s.Voucher.Confirm(context.Background(), s.staff, tenanttest.Key(), voucher.ConfirmInput{Session: h.use.ID, ServicePoint: s.point})
			})
			both.Go(func() { given = s.reissue(h.voucher) })
			both.Wait()
			s.MustBalance()
			if used == nil {
				require.ErrorIs(t, given, voucher.ErrAlreadyUsed)
				continue
			}
			require.ErrorIs(t, used, voucher.ErrSessionOver)
			require.NoError(t, given)
		}
	})
}
