package provisioning

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/org"
)

// Faults of choosing who collects.
var (
	ErrNoPlatformAccount = fault.New(fault.Invalid, "org.no_platform_account", "The platform has no gateway account of its own")
	// ErrFloat refuses to have money held elsewhere than where it lies: the platform would stand for what it never had.
	ErrFloat = fault.New(fault.Conflict, "org.float", "Customers still hold money here")
	// ErrAwaited refuses the same for money that may still come in where it would lie.
	ErrAwaited = fault.New(fault.Conflict, "org.awaited", "Payments may still arrive here")
	// ErrTestSales asks whether what was made with test keys may become void: real money would stand for it.
	ErrTestSales = fault.New(fault.Conflict, "org.test_sales", "Sales were made here with test keys")
	// ErrRealBooks refuses test keys where real money has come in: what they fill wallets with would be spent as if it were real.
	ErrRealBooks    = fault.New(fault.Conflict, "org.real_books", "Real money has been taken here")
	ErrProvisioning = fault.New(fault.Conflict, "org.provisioning", "This organisation is still being built")
)

// PaymentChange sets the collector of an organisation's money from now on.
type PaymentChange struct {
	Collector payment.Collector `json:"collector" enum:"platform,organisation"`
	Pay       PayInput          `json:"payment" doc:"The organisation's own keys; an empty secret keeps the one that is there for this public key"`
	// VoidTest is the admin's word that orders, vouchers, wallets and charges made with test keys are void before live keys start.
	VoidTest bool `json:"void_test,omitempty" doc:"What was sold with test keys becomes void; needed where org.test_sales is answered"`
}

// SettlePaymentJob brings an organisation's schema to what the platform's table says about who collects.
type SettlePaymentJob struct {
	Org uuid.UUID `json:"org"`
}

// Kind names the job.
func (SettlePaymentJob) Kind() string { return "onboard.settle_payment" }

// Who holds money and whether it is real: what customers hold may not change it.
type holder struct {
	collector payment.Collector
	live      bool
}

func (s *Service) holderOf(collector payment.Collector, public string) holder {
	live := payment.Live(public)
	if collector == payment.CollectorPlatform {
		live = s.proofs.PlatformLive
	}
	return holder{collector, live}
}

// querier is a transaction of the organisation's role, or of the schema's owner.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// books has the collector so far, whether its charges were of real money, and whether anything was sold.
type books struct {
	holder
	charged *bool // whether the charges so far were of real money; nil before the first
	sold    bool
}

// readBooks returns pgx.ErrNoRows while nobody collects.
func (s *Service) readBooks(ctx context.Context, tx querier) (b books, err error) {
	var collector payment.Collector
	var public string
	if err := tx.QueryRow(ctx, activeSystem).Scan(&collector, &public); err != nil {
		return b, fmt.Errorf("who collects now: %w", err)
	}
	b.holder = s.holderOf(collector, public)
	if err := tx.QueryRow(ctx, soldSoFar).Scan(&b.charged, &b.sold); err != nil {
		return b, fmt.Errorf("what was sold so far: %w", err)
	}
	if b.charged != nil {
		b.live = *b.charged // the platform's account may have changed its keys
	}
	return b, nil
}

// voids says whether what was made with test keys becomes void when to collects.
func (b books) voids(to holder) bool { return b.sold && !b.live && to.live }

// mayMove looks at what was sold so far before somebody else collects. It says whether what was made with test keys becomes void with
// it, for which void is the admin's word. It returns ErrTestSales without that, ErrRealBooks for test keys where real money has come in, and
// ErrFloat or ErrAwaited when money would go over to the platform that does not lie there.
func (s *Service) mayMove(ctx context.Context, tx db.Tx, to holder, void bool) (voids bool, err error) {
	from, err := s.readBooks(ctx, tx)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return false, nil
	case err != nil:
		return false, err
	case from.voids(to) && void:
		return true, nil
	case from.voids(to):
		made, err := readSales(ctx, tx)
		if err != nil {
			return false, err
		}
		return false, ErrTestSales.With(made)
	case from.charged != nil && *from.charged && !to.live:
		return false, ErrRealBooks
	case from.collector != payment.CollectorOrganisation || to.collector != payment.CollectorPlatform:
		return false, nil
	}
	return false, nothingHeld(ctx, tx)
}

// nothingHeld returns ErrFloat or ErrAwaited while the organisation's own account holds money of customers, or may yet get some.
func nothingHeld(ctx context.Context, tx db.Tx) error {
	float, err := ledger.ReadFloat(ctx, tx)
	if err != nil {
		return err
	}
	leaving, err := ledger.SystemBalance(ctx, tx, ledger.BankClearing)
	if err != nil {
		return err
	}
	float.Wallets += leaving // what does not reach a card or a bank account is in its wallet again
	if float.Wallets+float.Unearned > 0 {
		return ErrFloat.With(float)
	}
	var awaited bool
	if err := tx.QueryRow(ctx, ownAwaited, tx.Now.Add(-charge.StillPayable)).Scan(&awaited); err != nil {
		return fmt.Errorf("what may still be paid: %w", err)
	}
	if awaited {
		return ErrAwaited
	}
	return nil
}

// keptSystem is a system that was kept, as a holder, and whether the admin's word is given that what was made with test keys is void for it.
// It returns pgx.ErrNoRows when the schema was restored from before it.
func (s *Service) keptSystem(ctx context.Context, tx querier, system uuid.UUID) (to holder, void bool, err error) {
	var collector payment.Collector
	var public string
	if err := tx.QueryRow(ctx, keptSystem, system).Scan(&collector, &public, &void); err != nil {
		return to, false, fmt.Errorf("payment system %s: %w", system, err)
	}
	return s.holderOf(collector, public), void, nil
}

// maySwitch is mayMove to a system that was kept: money may have come in since.
func (s *Service) maySwitch(ctx context.Context, tx db.Tx, system uuid.UUID) (voids bool, err error) {
	to, void, err := s.keptSystem(ctx, tx, system)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil // nothing is switched
	}
	if err != nil {
		return false, err
	}
	return s.mayMove(ctx, tx, to, void)
}

// stillVoids is what maySwitch said, asked once more when nobody else works in the schema.
func (s *Service) stillVoids(ctx context.Context, tx querier, system uuid.UUID) (bool, error) {
	to, void, err := s.keptSystem(ctx, tx, system)
	if err != nil {
		return false, err
	}
	from, err := s.readBooks(ctx, tx)
	return void && from.voids(to), err
}

// system is a payment system as both sides know it.
type system struct {
	id        uuid.UUID
	endpoint  string
	collector payment.Collector
}

const (
	insertSystem = `INSERT INTO payment_system (id, kind, collector, name_th, name_en, public_key, secret_key, webhook_secret, methods, endpoint_id, status, created_at, updated_at, voids_test)
		VALUES ($1, 'omise', $2, $3, $4, $5, $6, $7, '{promptpay,card}', $8, $9, $10, $10, $11)`
	activeSystem = `SELECT collector, public_key FROM payment_system WHERE status = 5 ORDER BY created_at DESC LIMIT 1`
	keptSystem   = `SELECT collector, public_key, voids_test FROM payment_system WHERE id = $1`
	soldSoFar    = `SELECT (SELECT live FROM ledger), EXISTS (SELECT FROM orders) OR EXISTS (SELECT FROM charge) OR EXISTS (SELECT FROM transfer)`
	ownAwaited   = `SELECT EXISTS (SELECT FROM charge c JOIN payment_system s ON s.id = c.system_id
		WHERE s.collector = 'organisation' AND (c.state IN ('created', 'awaiting') OR c.state = 'expired' AND c.created_at > $1))`
	// Whoever has begun a charge has read the table and is done before it is locked, so what he began is seen.
	lockSystems = `LOCK TABLE payment_system IN ACCESS EXCLUSIVE MODE`
	firstSystem = `SELECT id, endpoint_id, collector FROM payment_system WHERE status = 5 ORDER BY created_at DESC LIMIT 1`
	sameAccount = `SELECT id, endpoint_id, collector, secret_key, webhook_secret FROM payment_system
		WHERE collector = $1 AND public_key = $2 ORDER BY created_at DESC LIMIT 1 FOR UPDATE`
	changeKeys = `UPDATE payment_system SET secret_key = $2, webhook_secret = $3, updated_at = $4 WHERE id = $1`
	sayVoid    = `UPDATE payment_system SET voids_test = (id = $1 AND $2) WHERE voids_test <> (id = $1 AND $2)`
	// The ways to pay that the organisation has chosen go with it.
	switchSystem = `UPDATE payment_system SET status = CASE WHEN id = $1 THEN 5 ELSE 2 END, updated_at = $2,
			methods = coalesce((SELECT a.methods FROM payment_system a WHERE a.status = 5 ORDER BY a.created_at DESC LIMIT 1), methods)
		WHERE status IN (2, 5) AND (status = 5) <> (id = $1) AND EXISTS (SELECT FROM payment_system WHERE id = $1)`

	insertEndpoint = `INSERT INTO payment_endpoint (id, org_id, system_id, collector, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`
	chooseSystem   = `UPDATE organisation SET payment_system_id = $2, collector = $3, updated_at = $4 WHERE id = $1`
	chosen         = `SELECT payment_system_id FROM organisation WHERE id = $1`
	settled        = `UPDATE organisation o SET collector = e.collector FROM payment_endpoint e
		WHERE o.id = $1 AND o.payment_system_id = $2 AND e.org_id = o.id AND e.system_id = o.payment_system_id`
	lockChosen = `SELECT o.collector, coalesce(e.collector, '') FROM organisation o
		LEFT JOIN payment_endpoint e ON e.org_id = o.id AND e.system_id = o.payment_system_id WHERE o.id = $1 FOR UPDATE OF o`
)

// systemNames are the names of payment systems in the back office's list, Thai and English.
var systemNames = map[payment.Collector][2]string{
	payment.CollectorOrganisation: {"พร้อมเพย์และบัตร", "PromptPay and cards"},
	payment.CollectorPlatform:     {"พร้อมเพย์และบัตร ผ่านแพลตฟอร์ม", "PromptPay and cards, through the platform"},
}

// firstSystem is how a new organisation is paid: through its own keys, or without them through the platform's account.
func (s *Service) firstSystem(ctx context.Context, tx db.Tx, keys PayInput) (first system, err error) {
	err = tx.QueryRow(ctx, firstSystem).Scan(&first.id, &first.endpoint, &first.collector)
	if !errors.Is(err, pgx.ErrNoRows) {
		return first, err
	}
	return s.addSystem(ctx, tx, PaymentChange{Collector: keys.collector(), Pay: keys}, 5)
}

func (s *Service) addSystem(ctx context.Context, tx db.Tx, in PaymentChange, status int) (system, error) {
	added := system{id: db.NewID(), endpoint: token.Random(24), collector: in.Collector}
	secretKey, webhook, err := s.sealKeys(tx.Key, added, in.Pay)
	if err != nil {
		return added, err
	}
	names := systemNames[in.Collector]
	_, err = tx.Exec(ctx, insertSystem, added.id, in.Collector, names[0], names[1], in.Pay.PublicKey, secretKey, webhook, added.endpoint, status, tx.Now, in.VoidTest)
	return added, err
}

// sealKeys encrypts an organisation's own keys; the platform's account has none here.
func (s *Service) sealKeys(key uuid.UUID, at system, keys PayInput) (secretKey, webhook []byte, err error) {
	if at.collector == payment.CollectorPlatform {
		return nil, nil, nil
	}
	if secretKey, err = s.box.Seal(charge.KeyAAD(key, "secret_key", at.id), []byte(keys.SecretKey)); err != nil {
		return nil, nil, err
	}
	webhook, err = s.box.Seal(charge.KeyAAD(key, "webhook_secret", at.id), []byte(keys.WebhookSecret))
	return secretKey, webhook, err
}

// choose writes down in the platform's tables where the system's webhooks come in, that new charges go through it, and who holds money
// from now on.
func (c system) choose(ctx context.Context, tx db.Tx, org uuid.UUID, holder payment.Collector) error {
	if _, err := tx.Exec(ctx, insertEndpoint, c.endpoint, org, c.id, c.collector, tx.Now); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, chooseSystem, org, c.id, holder, tx.Now)
	return err
}

// SavePayment changes who collects, once the gateway has confirmed the keys. The organisation's schema may be on another
// node than the platform's tables, so it goes in three steps, of which each may be the last for a while:
//
//  1. the schema keeps the new system, still switched off,
//  2. the platform's tables name it, with the job that
//  3. switches it on in the schema and the others off (SettlePayment).
//
// Others are only switched off: their open charges and late webhooks still finish. But where what was made with test keys becomes
// void, step 3 empties the books in the same moment. Buyers see the sign of protection only
// while the platform's account collects: it goes in step 2 and comes in step 3.
// It returns fault.BadInput with the fields that are wrong, org.ErrNotFound, ErrProvisioning, the faults of mayMove or payment.ErrUnavailable.
func (s *Service) SavePayment(ctx context.Context, id uuid.UUID, who auditlog.Actor, in PaymentChange) error {
	o, err := s.directory.ByID(ctx, id)
	switch {
	case err != nil:
		return err
	case o.State == org.Provisioning:
		return ErrProvisioning
	case in.Collector == payment.CollectorPlatform && !s.proofs.Platform:
		return fault.At("account", ErrNoPlatformAccount)
	case in.Collector == payment.CollectorPlatform:
		in.Pay = PayInput{}
	default:
		if in.Pay, err = s.withKept(ctx, id, in.Pay); err != nil {
			return err
		}
		if bad := in.Pay.check(); len(bad) > 0 {
			return fault.Of(bad...)
		}
		if err := s.provePay(ctx, in.Pay.keys()); err != nil {
			return err
		}
	}

	var chosen system
	err = s.db.InOrg(ctx, id, func(tx db.Tx) error {
		if _, err := s.mayMove(ctx, tx, s.holderOf(in.Collector, in.Pay.PublicKey), in.VoidTest); err != nil {
			return err
		}
		chosen, err = s.keepSystem(ctx, tx, who, in)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep a payment system of %s: %w", id, err)
	}
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		tx.Publish(org.Topic, id.String())
		return nameSystem(ctx, tx, id, who, chosen)
	})
	if err != nil {
		return fmt.Errorf("name the payment system of %s: %w", id, err)
	}
	return nil
}

// withKept fills in the secrets that the admin left as they are.
func (s *Service) withKept(ctx context.Context, id uuid.UUID, in PayInput) (PayInput, error) {
	if in.PublicKey == "" || in.SecretKey != "" && in.WebhookSecret != "" {
		return in, nil
	}
	err := s.db.InOrg(ctx, id, func(tx db.Tx) error {
		kept, keys, err := s.sameAccount(ctx, tx, payment.CollectorOrganisation, in.PublicKey)
		if err != nil || kept.id == uuid.Nil {
			return err
		}
		if in.SecretKey == "" {
			in.SecretKey = keys.Secret
		}
		if in.WebhookSecret == "" {
			in.WebhookSecret = keys.Webhook
		}
		return nil
	})
	return in, err
}

// sameAccount finds the organisation's payment system of an account that it had before; none has a zero id.
func (s *Service) sameAccount(ctx context.Context, tx db.Tx, collector payment.Collector, public string) (found system, keys charge.Keys, err error) {
	var sealedKey, sealedHook []byte
	err = tx.QueryRow(ctx, sameAccount, collector, public).Scan(&found.id, &found.endpoint, &found.collector, &sealedKey, &sealedHook)
	if errors.Is(err, pgx.ErrNoRows) {
		return system{}, keys, nil
	}
	if err != nil || collector == payment.CollectorPlatform {
		return found, keys, err
	}
	keys, err = charge.OpenKeys(s.box, tx.Key, found.id, public, sealedKey, sealedHook)
	return found, keys, err
}

// paymentState is the payment system as the audit log keeps it: of a secret only its end.
type paymentState struct {
	Collector  payment.Collector `json:"collector"`
	PublicKey  string            `json:"public_key"`
	SecretEnd  string            `json:"secret_key_end"`
	WebhookEnd string            `json:"webhook_secret_end"`
	VoidTest   bool              `json:"void_test"` // the admin's word, which stands until the switch
}

// keepSystem writes a system into the organisation's schema, or changes the keys of the one that is the same account.
func (s *Service) keepSystem(ctx context.Context, tx db.Tx, who auditlog.Actor, in PaymentChange) (system, error) {
	kept, keys, err := s.sameAccount(ctx, tx, in.Collector, in.Pay.PublicKey)
	if err != nil {
		return kept, err
	}
	after := paymentState{in.Collector, in.Pay.PublicKey, end(in.Pay.SecretKey), end(in.Pay.WebhookSecret), in.VoidTest}
	if _, err := tx.Exec(ctx, sayVoid, kept.id, in.VoidTest); err != nil {
		return kept, err
	}
	if kept.id == uuid.Nil {
		if kept, err = s.addSystem(ctx, tx, in, 2); err != nil {
			return kept, err
		}
		return kept, auditlog.Record(ctx, tx, who, "connect_payment", "payment_system/"+kept.id.String(), nil, after)
	}
	if in.Collector == payment.CollectorOrganisation {
		secretKey, webhook, err := s.sealKeys(tx.Key, kept, in.Pay)
		if err != nil {
			return kept, err
		}
		if _, err := tx.Exec(ctx, changeKeys, kept.id, secretKey, webhook, tx.Now); err != nil {
			return kept, err
		}
	}
	before := paymentState{Collector: in.Collector, PublicKey: keys.Public, SecretEnd: end(keys.Secret), WebhookEnd: end(keys.Webhook)}
	return kept, auditlog.Record(ctx, tx, who, "connect_payment", "payment_system/"+kept.id.String(), before, after)
}

// chosenCollector is the collector as the platform's audit log keeps it.
type chosenCollector struct {
	Collector payment.Collector `json:"collector"`
}

func nameSystem(ctx context.Context, tx db.Tx, id uuid.UUID, who auditlog.Actor, chosen system) error {
	var holder payment.Collector
	var before chosenCollector
	if err := tx.QueryRow(ctx, lockChosen, id).Scan(&holder, &before.Collector); err != nil {
		return err
	}
	if chosen.collector == payment.CollectorOrganisation {
		holder = chosen.collector
	}
	if err := chosen.choose(ctx, tx, id, holder); err != nil {
		return err
	}
	if err := auditlog.Record(ctx, tx, who, "connect_payment", "organisation/"+id.String(), before, chosenCollector{chosen.collector}); err != nil {
		return err
	}
	return queue.Enqueue(ctx, tx, SettlePaymentJob{Org: id})
}

// SettlePayment lets new charges of an organisation go through the system that the platform's table names. It may run any
// number of times and beside itself: when the choice has changed meanwhile, it starts again.
func (s *Service) SettlePayment(ctx context.Context, id uuid.UUID) error {
	for {
		var system *uuid.UUID
		err := s.db.InPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, chosen, id).Scan(&system) })
		if err != nil || system == nil {
			return err
		}
		voids := false
		err = s.db.InOrg(ctx, id, func(tx db.Tx) error {
			if _, err := tx.Exec(ctx, lockSystems); err != nil {
				return err
			}
			voids, err = s.maySwitch(ctx, tx, *system)
			if err != nil || voids {
				return err
			}
			_, err := tx.Exec(ctx, switchSystem, system, tx.Now)
			return err
		})
		if err == nil && voids {
			if err = s.voidTest(ctx, id, *system); err == nil {
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("switch to payment system %s: %w", system, err)
		}
		done := false
		err = s.db.InPlatform(ctx, func(tx db.Tx) error {
			tag, err := tx.Exec(ctx, settled, id, system)
			if done = tag.RowsAffected() == 1; done {
				tx.Publish(org.Topic, id.String())
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("who collects for %s: %w", id, err)
		}
		if done {
			return nil
		}
	}
}

func (in PayInput) keys() charge.Keys {
	return charge.Keys{Public: in.PublicKey, Secret: in.SecretKey, Webhook: in.WebhookSecret}
}

func (in PayInput) check() (bad []fault.Field) {
	for _, key := range []struct{ path, text string }{
		{"payment.public_key", in.PublicKey}, {"payment.secret_key", in.SecretKey}, {"payment.webhook_secret", in.WebhookSecret},
	} {
		if key.text == "" {
			bad = append(bad, fault.Field{Path: key.path, Fault: fault.Required.Code})
		}
	}
	if _, err := base64.StdEncoding.DecodeString(in.WebhookSecret); err != nil {
		bad = append(bad, fault.Field{Path: "payment.webhook_secret", Fault: fault.WrongFormat.Code})
	}
	return bad
}

func (s *Service) provePay(ctx context.Context, keys charge.Keys) error {
	err := s.proofs.Pay(ctx, keys)
	switch {
	case errors.Is(err, payment.ErrKeys):
		return fault.At("payment.secret_key", payment.ErrKeys)
	case errors.Is(err, payment.ErrPair):
		return fault.At("payment.public_key", payment.ErrPair)
	}
	return err
}
