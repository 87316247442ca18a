package isolation

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	"welovevoucher/tenants/presence"
	"welovevoucher/tools/harness"
)

// standing is what somebody has of a card, or is on the way to have.
type standing struct {
	Card        *struct{ State string }
	Application *struct {
		ID    uuid.UUID
		State string
	}
}

// cardType is a card of a year that the shop approves.
func (s *shop) cardType() map[string]any {
	return map[string]any{
		"name_th": s.named("บัตร"), "name_en": s.canary, "position": 1, "picture_id": s.picture, "validity": "months", "length": 12, "approval": "first", "level": 1, "least_age": 0, "price_satang": 0, "class": "ordinary",
		"asks_email": "off", "asks_idcard": "off", "asks_gender": "off", "asks_birthdate": "off", "asks_address": "off", "asks_nationality": "off", "asks_receipt": "off",
	}
}

// pricedCardType is the same, for a price.
func (s *shop) pricedCardType() map[string]any {
	row := s.cardType()
	row["price_satang"] = priceOfCard
	return row
}

// wish is an application for the card that the shop approves.
func (s *shop) wish() map[string]any {
	return map[string]any{
		"card_type_id": s.rows["membercardtype"], "version_ids": []string{}, "lang": "th",
		"form": map[string]any{
			"firstname": s.canary, "lastname": s.canary, "mobilenumber": "0812345678", "emailaddress": "", "idcard": "", "gender": "", "birthdate": "", "nationality": "", "address": "",
			"subdistrict": "", "district": "", "province": "", "postcode": "", "name_on_card": "", "issued_name": "", "office_type": "", "tax_id": "", "taxpayer_type": "",
		},
	}
}

// purchase is an application for a card that has a price, by somebody who has the money.
func (s *shop) purchase(who *person) map[string]any {
	s.T.Helper()
	s.unmember(who)
	s.FundWallet(who.Browser, priceOfCard)
	in := s.wish()
	in["card_type_id"], in["price_satang"], in["accepted"] = s.priced, priceOfCard, []string{}
	return in
}

// priceOfCard is what the priced card costs, in satang.
const priceOfCard = 10_000

// unmember ends what somebody has of a card, and what he applied for, so that he can apply.
func (s *shop) unmember(who *person) {
	s.T.Helper()
	require.NoError(s.T, s.ForgetLimits())
	at := harness.MustPost[standing](who.Browser, "/api/user/member/get", "", nil)
	if at.Application != nil && at.Application.State == "pending" {
		harness.MustPost[any](who.Browser, "/api/user/member/takeback", "", nil)
	}
	if at.Card != nil && at.Card.State != "left" {
		harness.MustPost[any](who.Browser, "/api/user/member/leave", "", nil)
	}
}

// wished is what somebody has applied for.
func (s *shop) wished(who *person) uuid.UUID {
	s.T.Helper()
	s.unmember(who)
	return harness.MustPost[standing](who.Browser, "/api/user/member/apply", "", s.wish()).Application.ID
}

// enrol makes somebody a member.
func (s *shop) enrol(who *person) (id uuid.UUID) {
	s.T.Helper()
	harness.MustPost[any](s.owner.Browser, "/api/owner/memberlist/approve", "", map[string]any{"id": s.wished(who), "reason": s.canary})
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM membership WHERE customer_id = $1`, who.id).Scan(&id)
	})
	return id
}

// cardNumber makes somebody a member, and returns the number of his card.
func (s *shop) cardNumber(who *person) (number string) {
	s.T.Helper()
	membership := s.enrol(who)
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT number FROM member_card WHERE membership_id = $1`, membership).Scan(&number)
	})
	return number
}

// liveCode makes somebody a member, and returns what his phone shows staff now.
func (s *shop) liveCode(who *person) string {
	s.T.Helper()
	s.enrol(who)
	key := harness.MustPost[struct {
		ID     uuid.UUID
		Secret string
	}](who.Browser, "/api/user/member/key", "", nil)
	secret, err := base64.RawURLEncoding.DecodeString(key.Secret)
	require.NoError(s.T, err)
	now := time.Now()
	if s.Clock != nil {
		now = s.Clock.Now()
	}
	qr, _ := presence.Codes(s.ID, key.ID, secret, now)
	return qr
}
