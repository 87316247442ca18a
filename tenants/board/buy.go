package board

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/idempotency"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/message"
	"welovevoucher/tenants/notice"
	"welovevoucher/tenants/voucher"
)

// BuyInput names an offer. Its price does not change, so there is no quote.
type BuyInput struct {
	Offer    uuid.UUID   `json:"id"`
	Accepted []uuid.UUID `json:"accepted" maxItems:"20" doc:"Consent versions he ticked"`
	Lang     string      `json:"lang" enum:"th,en" doc:"The language he read them in"`
}

const (
	forSale = `SELECT f.seller_id, f.state, f.expires_at, f.price_satang, f.royalty_satang, f.fee_satang, r.buyer_id FROM offer f LEFT JOIN resale r ON r.offer_id = f.id WHERE f.id = $1`
	// The vouchers are locked; whoever ended the offer before that had them locked, too.
	sellOffer    = `UPDATE offer SET state = 'sold', ended_at = $2 WHERE id = $1 AND state = 'open' AND expires_at > $2`
	insertResale = `INSERT INTO resale (id, number, offer_id, buyer_id, sold_at) VALUES ($1, $2, $3, $4, $5)`
	boughtToday  = `SELECT count(*) FROM resale WHERE buyer_id = $1 AND sold_at >= $2`
	resaleOf     = `SELECT r.number, r.offer_id, f.price_satang, r.sold_at, array(SELECT n.voucher_id FROM voucher_event n WHERE n.offer_id = f.id AND n.event = 'sell' ORDER BY n.voucher_id)
		FROM resale r JOIN offer f ON f.id = r.offer_id WHERE r.id = $1 AND r.buyer_id = $2`
)

// onSale is an offer as its buyer meets it.
type onSale struct {
	id, seller          uuid.UUID
	state               string
	expires             time.Time
	price, royalty, fee money.Amount
	buyer               *uuid.UUID
}

func readOnSale(ctx context.Context, tx db.Tx, id uuid.UUID) (f onSale, err error) {
	f.id = id
	err = tx.QueryRow(ctx, forSale, id).Scan(&f.seller, &f.state, &f.expires, &f.price, &f.royalty, &f.fee, &f.buyer)
	if errors.Is(err, pgx.ErrNoRows) {
		return f, ErrNotFound
	}
	if err != nil {
		return f, fmt.Errorf("offer %s: %w", id, err)
	}
	return f, nil
}

// admit returns why a customer cannot buy it: ErrOwn or ErrOver.
func (f onSale) admit(buyer uuid.UUID, now time.Time) error {
	switch {
	case f.seller == buyer:
		return ErrOwn
	case f.state != open:
		return ErrOver.With(OverDetail{f.state})
	case !now.Before(f.expires):
		return ErrOver.With(OverDetail{voucher.Ended})
	}
	return nil
}

// Buy pays an offer from the customer's wallet: its seller has the money, and the customer the vouchers, or nothing happens. It returns
// ErrNotFound, ErrClosed, ErrOwn, ErrOver, ErrEnough, ledger.ErrInsufficient, customer.ErrDebt, customer.ErrSuspended, idempotency.ErrReused and the
// faults of consent.Requirements.
func (s *Service) Buy(ctx context.Context, who token.Session, key string, in BuyInput) (p Purchase, err error) {
	var f onSale
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error { // it locks nothing, so that those who are too late wait for nobody
		if f, err = readOnSale(ctx, tx, in.Offer); err != nil {
			return err
		}
		if f.buyer != nil && *f.buyer == who.Subject { // perhaps by this key
			return nil
		}
		return f.admit(who.Subject, tx.Now)
	})
	if err != nil {
		return Purchase{}, err
	}
	var required *consent.Requirements
	var seller customer.Locked
	id, err := idempotency.Once(ctx, s.db, who.Org, idempotency.Key{Actor: who.Subject, Operation: "offer.buy", Value: key}, in,
		func(tx db.Tx) {
			seller = customer.Lock(tx, f.seller, who.Subject)
			required = consent.LockRequirements(tx, consent.ForPurchase, who)
		},
		func(tx db.Tx, id uuid.UUID) error { return buy(ctx, tx, who, id, in, required, seller) })
	if err != nil {
		return Purchase{}, err
	}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		p.ID = id
		if err := tx.QueryRow(ctx, resaleOf, id, who.Subject).Scan(&p.Number, &p.Offer, &p.Price, &p.SoldAt, &p.Vouchers); err != nil {
			return fmt.Errorf("purchase %s: %w", id, err)
		}
		return nil
	})
	return p, err
}

// buy has seller and buyer locked.
func buy(ctx context.Context, tx db.Tx, who token.Session, id uuid.UUID, in BuyInput, required *consent.Requirements, seller customer.Locked) error {
	if err := required.Check(who.Subject); err != nil {
		return err
	}
	if debt := required.Debt(who.Subject); debt > 0 {
		return customer.ErrDebt.With(customer.Debt{Amount: debt})
	}
	agreed, err := required.Agree(consent.Submission{Customer: who.Subject, Versions: in.Accepted, Lang: in.Lang, Channel: "offer.buy", Address: who.Address})
	if err != nil {
		return err
	}
	setting, err := HoldSetting(ctx, tx)
	if err != nil {
		return err
	}
	if !setting.Open {
		return ErrClosed
	}
	var bought int
	if err := tx.QueryRow(ctx, boughtToday, who.Subject, clock.Start(clock.Day(tx.Now))).Scan(&bought); err != nil {
		return fmt.Errorf("what %s bought today: %w", who.Subject, err)
	}
	if bought >= maxBought {
		return ErrEnough.With(Most{maxBought})
	}
	lot, err := voucher.LockOffered(ctx, tx, in.Offer)
	if err != nil {
		return err
	}
	f, err := readOnSale(ctx, tx, in.Offer) // as it is under the locks
	if err != nil {
		return err
	}
	if err := f.admit(who.Subject, tx.Now); err != nil {
		return err
	}
	if seller.Check(f.seller) != nil {
		return ErrOver.With(OverDetail{voucher.Stopped})
	}
	required.Accept(agreed)
	required.Save(tx)
	if tag, err := tx.Exec(ctx, sellOffer, in.Offer, tx.Now); err != nil || tag.RowsAffected() == 0 {
		return fmt.Errorf("sell offer %s, which is open: %w", in.Offer, errors.Join(err, ErrOver))
	}
	tx.Queue(insertResale, id, voucher.NewCode(10), in.Offer, who.Subject, tx.Now)
	lot.Sell(tx, in.Offer, id, who.Subject)
	if err := f.pay(tx, id, who.Subject); err != nil {
		return err
	}
	if seller.Debt(f.seller) > 0 {
		if err := queue.Enqueue(ctx, tx, charge.SettleJob{Customer: f.seller}); err != nil {
			return err
		}
	}
	if err := message.Write(ctx, tx, f.seller, message.OfferSold, in.Offer, f.proceeds()); err != nil {
		return err
	}
	for _, person := range []uuid.UUID{f.seller, who.Subject} {
		for _, event := range []notice.Event{{Topic: "offer", ID: &in.Offer, State: sold}, {Topic: "wallet"}} {
			if err := notice.Send(ctx, tx, token.User, person, event); err != nil {
				return err
			}
		}
	}
	return nil
}

// proceeds are what its seller receives.
func (f onSale) proceeds() money.Amount { return f.price - f.royalty - f.fee }

// pay moves the price of an offer from who bought it.
func (f onSale) pay(tx db.Tx, resale, buyer uuid.UUID) error {
	from := ledger.AccountOf(ledger.Wallet, buyer)
	return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "resale", ID: resale, MemoTH: "ขายต่อเวาเชอร์", MemoEN: "Voucher sold on"},
		ledger.Posting{Debit: from, Credit: ledger.AccountOf(ledger.Wallet, f.seller), Amount: f.proceeds()},
		ledger.Posting{Debit: from, Credit: ledger.SystemAccount(ledger.Payable), Amount: f.royalty},
		ledger.Posting{Debit: from, Credit: ledger.SystemAccount(ledger.PlatformFee), Amount: f.fee}))
}
