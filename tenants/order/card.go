package order

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/discount"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/member"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/rollup"
	"welovevoucher/tenants/voucher"
)

// Cards sells member cards.
type Cards struct {
	db      *db.DB
	orgs    *org.Directory
	members *member.Service
}

// NewCards returns the service.
func NewCards(d *db.DB, orgs *org.Directory, members *member.Service) *Cards {
	return &Cards{d, orgs, members}
}

// CardInput applies for a member card that has a price.
type CardInput struct {
	member.ApplyInput
	Price    money.Amount `json:"price_satang" minimum:"100" maximum:"100000000" doc:"Which the customer saw"`
	Accepted []uuid.UUID  `json:"accepted" maxItems:"20" doc:"Of the texts of a purchase those that he ticked"`
}

const insertCardLine = `INSERT INTO order_line (order_id, position, card_version_id, name_th, name_en, quantity, unit_satang, amount_satang, refund_rule) VALUES ($1, 0, $2, $3, $4, 1, $5, $5, 'none')`

// Buy sends a customer's form for a member card and pays its price from his wallet: an order of one line, which issues no voucher, and which nobody sells for commission. What is
// refused or taken back comes back to the wallet. It returns ErrQuoteChanged for another price, ledger.ErrInsufficient, idempotency.ErrReused, and the faults of member.Send and of
// consent.Requirements.
func (s *Cards) Buy(ctx context.Context, who token.Session, by auditlog.Actor, key string, in CardInput) (member.Standing, error) {
	home, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return member.Standing{}, err
	}
	var required, purchase *consent.Requirements
	_, err = idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "card.buy", Value: key}, in,
		func(tx db.Tx) {
			required = consent.LockRequirements(tx, consent.ForMember, who)
			purchase = consent.LockRequirements(tx, consent.ForPurchase, who)
		},
		func(tx db.Tx, id uuid.UUID) error {
			sender := member.Sender{Session: who, Actor: by, Home: home, Required: required}
			return s.members.Send(ctx, tx, sender, in.ApplyInput, func(of member.ForSale) (uuid.UUID, error) {
				if of.Price != in.Price {
					return id, ErrQuoteChanged
				}
				accepted, err := purchase.Agree(consent.Submission{Customer: who.Subject, Versions: in.Accepted, Lang: in.Lang, Channel: "card.buy", Address: who.Address})
				if err != nil {
					return id, err
				}
				purchase.Accept(accepted)
				purchase.Save(tx)
				return id, sellCard(ctx, tx, id, who.Subject, home.FeeBasisPoints, of)
			})
		})
	if err != nil {
		return member.Standing{}, err
	}
	return s.members.Stands(ctx, who)
}

// sellCard saves the order of a card, which its customer's wallet pays.
func sellCard(ctx context.Context, tx db.Tx, id, customer uuid.UUID, feeBasisPoints int64, of member.ForSale) error {
	split := discount.Line{Quantity: 1, Gross: of.Price}.Split(feeBasisPoints, 0, 0, 0)
	lines := []PricedLine{{NameTH: of.NameTH, NameEN: of.NameEN, Quantity: 1, Unit: of.Price, Amount: of.Price}}
	o := pricedOrder{id: id, customer: customer, cart: cart{lines: lines, total: of.Price, lineSums: []voucher.Sums{{Share: split.Share, Fee: split.Fee}}}}
	var err error
	if o.hash, err = hash(lines, make([]catalog.PricedPackage, 1), of.Price); err != nil {
		return err
	}
	insertOrders.Queue(tx, []orderRow{{
		ID: id, Number: voucher.NewCode(10), Customer: customer, State: "paid", Channel: channelOnline, Total: of.Price, Fee: split.Fee, Hash: o.hash, CreatedAt: tx.Now, PaidAt: &tx.Now,
	}})
	tx.Queue(insertCardLine, id, of.Version, of.NameTH, of.NameEN, of.Price)
	if err := ledger.Post(tx, o.transfer(ledger.AccountOf(ledger.Wallet, customer))); err != nil {
		return err
	}
	if err := notice.Send(ctx, tx, token.User, customer, notice.Event{Topic: "wallet"}); err != nil {
		return err
	}
	return rollup.Enqueue(ctx, tx, rollup.Facts{Orders: []uuid.UUID{id}})
}
