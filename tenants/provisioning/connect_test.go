package provisioning_test

import (
	"context"
	"net"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/provisioning"
)

var admin = auditlog.Actor{Kind: token.Admin, ID: uuid.New()}

// open makes an organisation that is live; without keys the platform's account collects for it.
func (d fixture) open(t *testing.T, change func(*provisioning.NewOrg)) uuid.UUID {
	t.Helper()
	in := d.input(t)
	in.Pay = provisioning.PayInput{}
	if change != nil {
		change(&in)
	}
	id, err := d.service.Create(t.Context(), admin, in)
	require.NoError(t, err)
	require.NoError(t, d.service.Run(t.Context(), id))
	return id
}

func (d fixture) own(public string) provisioning.PaymentChange {
	return provisioning.PaymentChange{Collector: payment.CollectorOrganisation, Pay: provisioning.PayInput{PublicKey: public, SecretKey: d.known.pay[public], WebhookSecret: "d2ViaG9vayBzZWNyZXQgb2YgYSBzaG9w"}}
}

// active is the payment system that new charges of an organisation go through, and how many there are.
func (d fixture) active(t *testing.T, id uuid.UUID) (account, public string, all int) {
	t.Helper()
	require.NoError(t, d.server.DB.InOrg(t.Context(), id, func(tx db.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT collector, public_key, (SELECT count(*) FROM payment_system) FROM payment_system WHERE status = 5`).Scan(&account, &public, &all)
	}))
	return account, public, all
}

func (d fixture) holds(t *testing.T, id uuid.UUID) bool {
	t.Helper()
	found, err := d.directory.ByID(t.Context(), id)
	require.NoError(t, err)
	return found.Collector == payment.CollectorOrganisation
}

func TestSavePayment(t *testing.T) {
	d := newFixture(t)

	t.Run("without keys the platform's account collects", func(t *testing.T) {
		id := d.open(t, nil)
		account, public, _ := d.active(t, id)
		require.Equal(t, []string{"platform", ""}, []string{account, public})
		require.False(t, d.holds(t, id))
		seen, err := d.service.Connections(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, payment.CollectorPlatform, seen.Payment.Collector)
	})

	t.Run("an organisation whose customers hold money keeps its collector, and its test keys", func(t *testing.T) {
		id := d.open(t, nil)
		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey_test_shop")))
		require.NoError(t, d.service.SettlePayment(t.Context(), id))
		fill := func(from, to ledger.Kind, amount money.Amount) {
			require.NoError(t, d.server.DB.InOrg(t.Context(), id, func(tx db.Tx) error {
				return ledger.Post(tx, ledger.NewTransfer(ledger.Cause{Kind: "topup", ID: db.NewID()}, ledger.Posting{Debit: ledger.SystemAccount(from), Credit: ledger.SystemAccount(to), Amount: amount}))
			}))
		}
		fill(ledger.GatewayOwnTest, ledger.Unearned, 100_00)
		err := d.service.SavePayment(t.Context(), id, admin, provisioning.PaymentChange{Collector: payment.CollectorPlatform})
		require.ErrorIs(t, err, provisioning.ErrFloat)
		require.Equal(t, ledger.Float{Unearned: 100_00}, fault.From(err).Detail)
		fill(ledger.Unearned, ledger.BankClearing, 100_00)
		err = d.service.SavePayment(t.Context(), id, admin, provisioning.PaymentChange{Collector: payment.CollectorPlatform})
		require.ErrorIs(t, err, provisioning.ErrFloat, "what is on its way to a card may come back")
		require.Equal(t, ledger.Float{Wallets: 100_00}, fault.From(err).Detail)
		fill(ledger.BankClearing, ledger.Unearned, 100_00)
		require.ErrorIs(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey")), provisioning.ErrTestSales)
		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey_test_other")), "from test keys to test keys")
		require.NoError(t, d.service.SettlePayment(t.Context(), id))

		fill(ledger.Unearned, ledger.Payable, 100_00)
		require.ErrorIs(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey")), provisioning.ErrTestSales, "what was earned with test keys is not real either")
		fill(ledger.Payable, ledger.GatewayOwnTest, 100_00)
		require.ErrorIs(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey")), provisioning.ErrTestSales, "nor are books that add up to nothing")

		id = d.open(t, nil)
		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey_test_other")))
		require.NoError(t, d.service.SettlePayment(t.Context(), id))
		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey")))
		fill(ledger.GatewayOwnTest, ledger.Unearned, 1)
		require.ErrorIs(t, d.service.SettlePayment(t.Context(), id), provisioning.ErrTestSales, "what came in meanwhile counts")
		_, public, _ := d.active(t, id)
		require.Equal(t, "pkey_test_other", public)
	})

	t.Run("a collector switch that stopped half-way promises no protection, and the job ends it", func(t *testing.T) {
		id := d.open(t, nil)
		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey")))
		account, _, all := d.active(t, id)
		require.Equal(t, "platform", account, "no worker has come by yet: charges go on as before")
		require.Equal(t, 2, all)
		require.True(t, d.holds(t, id))
		seen, err := d.service.Connections(t.Context(), id)
		require.NoError(t, err)
		require.True(t, seen.Payment.Switching)

		for range 2 {
			require.NoError(t, d.service.SettlePayment(t.Context(), id))
			account, public, _ := d.active(t, id)
			require.Equal(t, []string{"organisation", "pkey"}, []string{account, public})
			require.True(t, d.holds(t, id))
		}

		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, provisioning.PaymentChange{Collector: payment.CollectorPlatform}))
		require.True(t, d.holds(t, id), "its own account still collects")
		require.NoError(t, d.service.SettlePayment(t.Context(), id))
		require.False(t, d.holds(t, id))
		account, _, all = d.active(t, id)
		require.Equal(t, "platform", account)
		require.Equal(t, 2, all, "the platform's is the one that was there")
	})

	t.Run("the last chosen collector wins, whatever order the jobs run in", func(t *testing.T) {
		id := d.open(t, nil)
		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey")))
		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey_test")))
		for range 2 {
			require.NoError(t, d.service.SettlePayment(t.Context(), id))
		}
		_, public, _ := d.active(t, id)
		require.Equal(t, "pkey_test", public)
	})

	t.Run("new secrets of the same account keep its webhook address, and an empty one is kept", func(t *testing.T) {
		id := d.open(t, nil)
		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey")))
		require.NoError(t, d.service.SettlePayment(t.Context(), id))
		before, err := d.service.Connections(t.Context(), id)
		require.NoError(t, err)

		change := d.own("pkey")
		change.Pay.SecretKey, change.Pay.WebhookSecret = "", "YW5vdGhlciB3ZWJob29rIHNlY3JldA=="
		require.NoError(t, d.service.SavePayment(t.Context(), id, admin, change))
		after, err := d.service.Connections(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, before.Payment.Endpoint, after.Payment.Endpoint)
		require.Equal(t, before.Payment.SecretEnd, after.Payment.SecretEnd)
		require.NotEqual(t, before.Payment.WebhookEnd, after.Payment.WebhookEnd)
	})

	t.Run("keys that are wrong or not confirmed change nothing", func(t *testing.T) {
		id := d.open(t, nil)
		for name, test := range map[string]struct {
			change func(*provisioning.PaymentChange)
			path   string
		}{
			"an unknown key":         {func(c *provisioning.PaymentChange) { c.Pay.SecretKey = "skey_wrong" }, "payment.secret_key"},
			"another's public key":   {func(c *provisioning.PaymentChange) { c.Pay.PublicKey = "pkey_test" }, "payment.public_key"},
			"no secret":              {func(c *provisioning.PaymentChange) { c.Pay.SecretKey = "" }, "payment.secret_key"},
			"no way to know webhook": {func(c *provisioning.PaymentChange) { c.Pay.WebhookSecret = "" }, "payment.webhook_secret"},
			"not base64":             {func(c *provisioning.PaymentChange) { c.Pay.WebhookSecret = "§" }, "payment.webhook_secret"},
		} {
			change := d.own("pkey")
			test.change(&change)
			err := d.service.SavePayment(t.Context(), id, admin, change)
			require.ErrorIs(t, err, fault.BadInput, name)
			require.Equal(t, test.path, fault.From(err).Fields[0].Path, name)
		}
		d.known.down = payment.ErrUnavailable
		defer func() { d.known.down = nil }()
		require.ErrorIs(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey")), payment.ErrUnavailable)
		account, _, all := d.active(t, id)
		require.Equal(t, "platform", account)
		require.Equal(t, 1, all)
	})

	t.Run("an organisation that is being provisioned, or unknown, is refused", func(t *testing.T) {
		id, err := d.service.Create(t.Context(), admin, d.input(t))
		require.NoError(t, err)
		require.ErrorIs(t, d.service.SavePayment(t.Context(), id, admin, d.own("pkey")), provisioning.ErrProvisioning)
		require.ErrorIs(t, d.service.SavePayment(t.Context(), uuid.New(), admin, d.own("pkey")), org.ErrNotFound)
		_, err = d.service.Connections(t.Context(), uuid.New())
		require.ErrorIs(t, err, org.ErrNotFound)
	})
}

func TestSaveLine(t *testing.T) {
	d := newFixture(t)
	d.known.line["1650000002"] = "another-secret"
	id := d.open(t, func(in *provisioning.NewOrg) { in.Line, in.Liff = provisioning.LineInput{}, org.Liff{} })
	other := d.input(t)
	_, err := d.service.Create(t.Context(), admin, other)
	require.NoError(t, err)

	t.Run("a channel is known to pages at once, and shows its secret's end", func(t *testing.T) {
		in := provisioning.LineChange{Line: provisioning.LineInput{ChannelID: "1650000002", Secret: "another-secret"}, Liff: org.Liff{User: "1650000002-abcdefgh"}}
		require.NoError(t, d.service.SaveLine(t.Context(), id, admin, in))
		found, err := d.directory.ByLiff(t.Context(), "1650000002-abcdefgh")
		require.NoError(t, err)
		require.Equal(t, id, found.ID)
		channel, err := org.New(d.server.DB, d.directory, d.box).LineChannel(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "another-secret", channel.Secret)
		seen, err := d.service.Connections(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, provisioning.LineConnection{ChannelID: "1650000002", SecretSet: true, SecretEnd: "cret"}, seen.Line)

		in.Line.Secret, in.Liff.Agent = "", "1650000002-ABCDEFGH"
		require.NoError(t, d.service.SaveLine(t.Context(), id, admin, in), "an empty secret keeps the one that is there")
		channel, err = org.New(d.server.DB, d.directory, d.box).LineChannel(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "another-secret", channel.Secret)
	})

	t.Run("an invalid channel, secret or LIFF id is refused at its field", func(t *testing.T) {
		for name, test := range map[string]struct {
			line provisioning.LineInput
			liff org.Liff
			path string
			want *fault.Fault
		}{
			"a wrong secret":          {provisioning.LineInput{ChannelID: "1650000002", Secret: "wrong"}, org.Liff{}, "line.channel_secret", nil},
			"another channel, no key": {provisioning.LineInput{ChannelID: "1650000003"}, org.Liff{}, "line.channel_secret", fault.Required},
			"a LIFF of another":       {other.Line, org.Liff{User: other.Liff.User}, "liff.liffuser", provisioning.ErrLiffTaken},
			"of another channel":      {provisioning.LineInput{ChannelID: "1650000002"}, org.Liff{Trade: "1650000001-abcdefgh"}, "liff.lifftrade", provisioning.ErrLiffChannel},
			"twice the same":          {provisioning.LineInput{ChannelID: "1650000002"}, org.Liff{User: "1650000002-abcdefgh", Trade: "1650000002-abcdefgh"}, "liff.lifftrade", fault.Duplicate},
		} {
			err := d.service.SaveLine(t.Context(), id, admin, provisioning.LineChange{Line: test.line, Liff: test.liff})
			require.ErrorIs(t, err, fault.BadInput, name)
			require.Equal(t, test.path, fault.From(err).Fields[0].Path, name)
			if test.want != nil {
				require.Equal(t, test.want.Code, fault.From(err).Fields[0].Fault, name)
			}
		}
	})

	t.Run("an empty channel disconnects LINE", func(t *testing.T) {
		require.NoError(t, d.service.SaveLine(t.Context(), id, admin, provisioning.LineChange{}))
		_, err := org.New(d.server.DB, d.directory, d.box).LineChannel(t.Context(), id)
		require.ErrorIs(t, err, org.ErrNoLine)
		_, err = d.directory.ByLiff(t.Context(), "1650000002-abcdefgh")
		require.ErrorIs(t, err, org.ErrNotFound)
	})
}

func TestHosts(t *testing.T) {
	d := newFixture(t)
	records := map[string][]string{}
	provisioning.Resolve(d.service, func(_ context.Context, name string) ([]string, error) {
		if found, ok := records[name]; ok {
			return found, nil
		}
		return nil, &net.DNSError{Name: name, IsNotFound: true}
	})

	t.Run("a host belongs to the organisation that verifies it, not to the first that added it", func(t *testing.T) {
		squatter, owner := d.open(t, nil), d.open(t, nil)
		require.NoError(t, d.service.AddHost(t.Context(), squatter, admin, "Shop.Example.org"))
		require.NoError(t, d.service.AddHost(t.Context(), owner, admin, "shop.example.org"))
		require.ErrorIs(t, d.service.VerifyHost(t.Context(), owner, admin, "shop.example.org"), provisioning.ErrHostUnverified)

		records["_voucher-verify.shop.example.org"] = []string{owner.String()}
		require.ErrorIs(t, d.service.VerifyHost(t.Context(), squatter, admin, "shop.example.org"), provisioning.ErrHostUnverified)
		require.NoError(t, d.service.VerifyHost(t.Context(), owner, admin, "shop.example.org"))
		found, err := d.directory.ByHost(t.Context(), "shop.example.org")
		require.NoError(t, err)
		require.Equal(t, owner, found.ID)

		records["_voucher-verify.shop.example.org"] = []string{owner.String(), squatter.String()}
		require.NoError(t, d.service.VerifyPendingHosts(t.Context()), "of two that verify it the first has it")
		found, err = d.directory.ByHost(t.Context(), "shop.example.org")
		require.NoError(t, err)
		require.Equal(t, owner, found.ID)

		err = d.service.AddHost(t.Context(), d.open(t, nil), admin, "shop.example.org")
		require.Equal(t, provisioning.ErrHostTaken.Code, fault.From(err).Fields[0].Fault)
	})

	t.Run("a host below the platform's domain belongs at once to the first that adds it", func(t *testing.T) {
		first, second := d.open(t, nil), d.open(t, nil)
		require.NoError(t, d.service.AddHost(t.Context(), first, admin, "first-come.localhost"))
		require.Error(t, d.service.AddHost(t.Context(), second, admin, "first-come.localhost"))
		found, err := d.directory.ByHost(t.Context(), "first-come.localhost")
		require.NoError(t, err)
		require.Equal(t, first, found.ID)
		for _, bad := range []string{"localhost", "no dots", "x", "http://x.example.org"} {
			require.ErrorIs(t, d.service.AddHost(t.Context(), first, admin, bad), fault.BadInput, bad)
		}
	})

	t.Run("the canonical host is a verified one, and the last host is not removed", func(t *testing.T) {
		id := d.open(t, nil)
		seen, err := d.service.Connections(t.Context(), id)
		require.NoError(t, err)
		require.Len(t, seen.Hosts, 1)
		last := seen.Hosts[0].Host
		require.ErrorIs(t, d.service.RemoveHost(t.Context(), id, admin, last), provisioning.ErrHostLast)

		require.NoError(t, d.service.AddHost(t.Context(), id, admin, "later.example.org"))
		require.ErrorIs(t, d.service.CanonicalHost(t.Context(), id, admin, "later.example.org"), provisioning.ErrHostUnverified)
		require.ErrorIs(t, d.service.RemoveHost(t.Context(), id, admin, last), provisioning.ErrHostLast, "the other host is not verified yet")
		require.ErrorIs(t, d.service.RemoveHost(t.Context(), id, admin, "shop.example.org"), org.ErrNotFound, "another organisation's")

		records["_voucher-verify.later.example.org"] = []string{id.String()}
		require.NoError(t, d.service.VerifyHost(t.Context(), id, admin, "later.example.org"))
		require.NoError(t, d.service.CanonicalHost(t.Context(), id, admin, "later.example.org"))
		found, err := d.directory.ByID(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "later.example.org", found.Host)

		require.NoError(t, d.service.RemoveHost(t.Context(), id, admin, "later.example.org"))
		found, err = d.directory.ByID(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, last, found.Host, "links lead to the one that is left")
		_, err = d.directory.ByHost(t.Context(), "later.example.org")
		require.ErrorIs(t, err, org.ErrNotFound)
	})
}
