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
	"welovevoucher/tenants/gate"
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
	forSale = `SELECT f.seller_id, f.state, f.expires_at, f.price_satang, f.royalty_satang, f.fee_satang,
			EXISTS (SELECT FROM resale r WHERE r.offer_id = f.id AND r.buyer_id = $2) OR EXISTS (SELECT FROM reservation w WHERE w.offer_id = f.id AND w.buyer_id = $2)
		FROM offer f WHERE f.id = $1`
	// The vouchers are locked; whoever ended the offer before that had them locked, too.
	sellOffer    = `UPDATE offer SET state = 'sold', ended_at = $2 WHERE id = $1 AND state = $3`
	insertResale = `INSERT INTO resale (id, number, offer_id, buyer_id, sold_at) VALUES ($1, $2, $3, $4, $5)`
	// What he is paying counts as bought.
	boughtToday = `SELECT (SELECT count(*) FROM resale WHERE buyer_id = $1 AND sold_at >= $2) + (SELECT count(*) FROM reservation WHERE buyer_id = $1 AND state = 'open')`
	resaleOf    = `SELECT r.number, r.offer_id, f.price_satang, r.sold_at, array(SELECT n.voucher_id FROM voucher_event n WHERE n.offer_id = f.id AND n.event = 'sell' ORDER BY n.voucher_id)
		FROM resale r JOIN offer f ON f.id = r.offer_id WHERE r.id = $1 AND r.buyer_id = $2`
)

// onSale is an offer as its buyer meets it.
type onSale struct {
	id, seller          uuid.UUID
	state               string
	expires             time.Time
	price, royalty, fee money.Amount
	tried               bool // its buyer has bought it, or begun to pay it
}

func readOnSale(ctx context.Context, tx db.Tx, id, buyer uuid.UUID) (f onSale, err error) {
	f.id = id
	err = tx.QueryRow(ctx, forSale, id, buyer).Scan(&f.seller, &f.state, &f.expires, &f.price, &f.royalty, &f.fee, &f.tried)
	if errors.Is(err, pgx.ErrNoRows) {
		return f, ErrNotFound
	}
	if err != nil {
		return f, fmt.Errorf("offer %s: %w", id, err)
	}
	return f, nil
}

// admit returns why a customer cannot buy it: ErrOwn, ErrBeingPaid or ErrOver.
func (f onSale) admit(buyer uuid.UUID, now time.Time) error {
	switch {
	case f.seller == buyer:
		return ErrOwn
	case f.state == reserved:
		return ErrBeingPaid
	case f.state != open:
		return ErrOver.With(OverDetail{f.state})
	case !now.Before(f.expires):
		return ErrOver.With(OverDetail{voucher.Ended})
	}
	return nil
}

// Buy pays an offer from the customer's wallet: its seller has the money, and the customer the vouchers, or nothing happens. It returns
// ErrNotFound, ErrClosed, ErrOwn, ErrBeingPaid, ErrOver, ErrEnough, ledger.ErrInsufficient, customer.ErrDebt, customer.ErrSuspended, idempotency.ErrReused and the
// faults of consent.Requirements.
func (s *Service) Buy(ctx context.Context, who token.Session, key string, in BuyInput) (p Purchase, err error) {
	k := idempotency.Key{Actor: who.Subject, Operation: "offer.buy", Value: key}
	id, err := s.once(ctx, who, k, in, in, func(tx db.Tx, id uuid.UUID, f onSale, lot voucher.Lot, seller customer.Locked) error {
		if err := f.sell(ctx, tx, lot, open, id, who.Subject, ledger.AccountOf(ledger.Wallet, who.Subject)); err != nil {
			return err
		}
		if seller.Debt(f.seller) > 0 {
			return queue.Enqueue(ctx, tx, charge.SettleJob{Customer: f.seller})
		}
		return nil
	})
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

// once has then happen to an offer that a customer may buy, with its seller, him and what is on sale locked, and once under a key. body is what
// the key is of. It returns the id that then was given.
func (s *Service) once(ctx context.Context, who token.Session, key idempotency.Key, in BuyInput, body any,
	then func(tx db.Tx, id uuid.UUID, f onSale, lot voucher.Lot, seller customer.Locked) error,
) (uuid.UUID, error) {
	var f onSale
	err := s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) (err error) { // it locks nothing, so that those who are too late wait for nobody
		if f, err = readOnSale(ctx, tx, in.Offer, who.Subject); err != nil || f.tried { // perhaps by this key
			return err
		}
		return f.admit(who.Subject, tx.Now)
	})
	if err != nil {
		return uuid.Nil, err
	}
	organisation, err := s.orgs.ByID(ctx, who.Org)
	if err != nil {
		return uuid.Nil, err
	}
	var required *consent.Requirements
	var asked gate.Checked
	var seller customer.Locked
	return idempotency.Once(ctx, s.db, who.Org, key, body,
		func(tx db.Tx) {
			seller = customer.Lock(tx, f.seller, who.Subject)
			required = consent.LockRequirements(tx, consent.ForPurchase, who)
			asked = gate.Queue(tx, organisation, who.Subject)
		},
		func(tx db.Tx, id uuid.UUID) error {
			if err := asked.Check(who.Subject); err != nil {
				return err
			}
			f, lot, err := agree(ctx, tx, who, in, key.Operation, required, seller)
			if err != nil {
				return err
			}
			return then(tx, id, f, lot, seller)
		})
}

// agree locks what is on sale by an offer, and checks all that can stand against its purchase but the money. Seller and buyer are locked.
func agree(ctx context.Context, tx db.Tx, who token.Session, in BuyInput, channel string, required *consent.Requirements, seller customer.Locked) (f onSale, lot voucher.Lot, err error) {
	if err := required.Check(who.Subject); err != nil {
		return f, nil, err
	}
	if debt := required.Debt(who.Subject); debt > 0 {
		return f, nil, customer.ErrDebt.With(customer.Debt{Amount: debt})
	}
	agreed, err := required.Agree(consent.Submission{Customer: who.Subject, Versions: in.Accepted, Lang: in.Lang, Channel: channel, Address: who.Address})
	if err != nil {
		return f, nil, err
	}
	setting, err := HoldSetting(ctx, tx)
	if err != nil {
		return f, nil, err
	}
	if !setting.Open {
		return f, nil, ErrClosed
	}
	var bought int
	if err := tx.QueryRow(ctx, boughtToday, who.Subject, clock.Start(clock.Day(tx.Now))).Scan(&bought); err != nil {
		return f, nil, fmt.Errorf("what %s bought today: %w", who.Subject, err)
	}
	if bought >= maxBought {
		return f, nil, ErrEnough.With(Most{maxBought})
	}
	if lot, err = voucher.LockOffered(ctx, tx, in.Offer); err != nil {
		return f, nil, err
	}
	if f, err = readOnSale(ctx, tx, in.Offer, who.Subject); err != nil { // as it is under the locks
		return f, nil, err
	}
	if err := f.admit(who.Subject, tx.Now); err != nil {
		return f, nil, err
	}
	if seller.Check(f.seller) != nil {
		return f, nil, ErrOver.With(OverDetail{voucher.Stopped})
	}
	required.Accept(agreed)
	required.Save(tx)
	return f, lot, nil
}

// sell gives what is on sale to its buyer, and its price, which comes from an account, to its seller, the organisation and the platform.
func (f onSale) sell(ctx context.Context, tx db.Tx, lot voucher.Lot, state string, resale, buyer uuid.UUID, from ledger.Account) error {
	if tag, err := tx.Exec(ctx, sellOffer, f.id, tx.Now, state); err != nil || tag.RowsAffected() == 0 {
		return fmt.Errorf("sell offer %s, which is %s: %w", f.id, state, errors.Join(err, ErrOver))
	}
	tx.Queue(insertResale, resale, voucher.NewCode(10), f.id, buyer, tx.Now)
	lot.Sell(tx, f.id, resale, buyer)
	err := ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "resale", ID: resale, MemoTH: "ขายต่อเวาเชอร์", MemoEN: "Voucher sold on"},
		ledger.Posting{Debit: from, Credit: ledger.AccountOf(ledger.Wallet, f.seller), Amount: f.proceeds()},
		ledger.Posting{Debit: from, Credit: ledger.SystemAccount(ledger.Payable), Amount: f.royalty},
		ledger.Posting{Debit: from, Credit: ledger.SystemAccount(ledger.PlatformFee), Amount: f.fee}))
	if err != nil {
		return err
	}
	if err := message.Write(ctx, tx, f.seller, message.OfferSold, f.id, f.proceeds()); err != nil {
		return err
	}
	if err := f.notify(ctx, tx, sold, f.seller, buyer); err != nil {
		return err
	}
	for _, person := range []uuid.UUID{f.seller, buyer} {
		if err := notice.Send(ctx, tx, token.User, person, notice.Event{Topic: "wallet"}); err != nil {
			return err
		}
	}
	return nil
}

// notify notifies people's screens of an offer's state.
func (f onSale) notify(ctx context.Context, tx db.Tx, state string, people ...uuid.UUID) error {
	for _, person := range people {
		if err := notice.Send(ctx, tx, token.User, person, notice.Event{Topic: "offer", ID: &f.id, State: state}); err != nil {
			return err
		}
	}
	return nil
}

// proceeds are what its seller receives.
func (f onSale) proceeds() money.Amount { return f.price - f.royalty - f.fee }
