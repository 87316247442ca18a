package chaos

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/money"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/commission"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/refund"
	"welovevoucher/tenants/tenanttest"
	"welovevoucher/tenants/voucher"
)

// TestOrderOracle: random carts are bought, and their vouchers used, given, refunded, voided, disputed and expired, by the use cases. What is stored of
// each line and voucher, and every account after each step, is what the oracle says.
func TestOrderOracle(t *testing.T) {
	t.Parallel()
	const short, each = 60, 30
	orders := begin(t, "orderoracle", short)
	database := dbtest.OpenOwn(t) // with a clock of its own, which passes over the validity of vouchers
	for orders.more() {
		orders.round(func(t *testing.T, part *result) {
			m := openOracleMarket(t, database, part)
			for range each {
				m.trade()
			}
			m.expire()
			m.w.MustBalance()
			part.Did = each
		})
	}
}

// oracleMarket is an organisation beside which the oracle keeps its books.
type oracleMarket struct {
	t                    *testing.T
	part                 *result
	dice                 *rand.Rand
	w                    *tenanttest.World
	system, agent, point uuid.UUID
	rate                 int64 // the agent's, in basis points
	staff                token.Session
	buyers               [2]token.Session // who pay from their wallets: nobody's customer, and the agent's
	friends              [2]token.Session
	orders               []*oracleOrder
	wallets              map[uuid.UUID]int64
	books                oracleBooks
}

// oracleBooks are credits less debits. What the platform has is its fees less what it pays of prices.
type oracleBooks struct{ Unearned, Payable, Breakage, Platform, Pending, Receivable int64 }

// oracleOrder is an order as it stands for money.
type oracleOrder struct {
	id       uuid.UUID
	who      token.Session
	direct   bool
	asking   bool // the payer's own refund goes by asking
	vouchers []*storedVoucher
	unpaid   int64 // of its price, because the bank has it
}

// storedVoucher is a voucher of the oracle's, and where it is.
type storedVoucher struct {
	oracleVoucher
	sold   *soldKind
	order  uuid.UUID
	id     uuid.UUID
	holder token.Session
	handed bool // somebody else has held it
	over   bool
}

// soldKind is a kind of voucher on sale.
type soldKind struct {
	price    int64 // on the list: of an item, or of all of a voucher in baht
	baht     bool
	self     bool // its payer has it refunded by himself
	toWallet bool // what is left when it expires
}

// oracleFee is the platform's fee in a test's organisation, and keeps what the organisation has of a refund by the payer: in basis points.
const oracleFee, keeps = 300, 725

func openOracleMarket(t *testing.T, database *dbtest.Server, part *result) *oracleMarket {
	t.Helper()
	dice, w := rand.New(rand.NewPCG(part.Seed, 6)), tenanttest.On(t, database)
	m := &oracleMarket{t: t, part: part, dice: dice, w: w, system: w.AddPaymentSystem(), point: w.ServicePoint(), staff: w.Staff(), rate: 1 + dice.Int64N(3000)}
	m.agent, m.wallets = w.Agent(w.Customer(0), int(m.rate)), map[uuid.UUID]int64{}
	m.buyers = [2]token.Session{m.customer(1_000_000_00), m.customer(1_000_000_00)}
	w.Visit(m.buyers[1], m.agent, w.Package(tenanttest.Package{}))
	m.friends = [2]token.Session{m.customer(0), m.customer(0)}
	return m
}

func (m *oracleMarket) customer(balance int64) token.Session {
	who := m.w.Customer(money.Amount(balance))
	m.wallets[who.Subject] = balance
	return who
}

// trade has a cart bought, and its vouchers go their ways.
func (m *oracleMarket) trade() {
	in := randomCart(m.dice)
	for len(in.Lines) > 3 {
		in.remove(3)
	}
	for i := range in.Lines {
		if m.dice.IntN(5) == 0 {
			in.Lines[i].Price = m.dice.Int64N(20) // the fee rounds to nothing, so the platform may pay all of it
		}
	}
	in.Fee, in.Agent, in.Recruiter = oracleFee, 0, 0
	kinds := m.kinds(in)
	o := &oracleOrder{who: m.buyers[0], direct: m.dice.IntN(2) == 0}
	if m.dice.IntN(2) == 0 {
		in.Agent, o.who = m.rate, m.buyers[1]
	}
	for i := range in.Lines {
		if in.Agent == 0 {
			in.Lines[i].Special = nil
		}
	}
	price := m.buy(o, in, kinds)
	m.check("bought %+v", in)
	for range 2 + m.dice.IntN(5) {
		m.step(o)
	}
	if o.direct {
		m.dispute(o, price)
	}
}

// kinds chooses what kind of voucher each part of a cart's packages is. The list price of a voucher is that of its items.
func (m *oracleMarket) kinds(in CartInput) (kinds [][]*soldKind) {
	for _, l := range in.Lines {
		self, of := m.dice.IntN(2) == 0, []*soldKind{}
		for n := range l.Parts {
			k := &soldKind{price: l.Parts[n], baht: l.Parts[n] > 0 && m.dice.IntN(3) == 0, self: self, toWallet: m.dice.IntN(2) == 0}
			if k.baht {
				l.Items[n] = l.Parts[n]
			} else {
				l.Parts[n] *= l.Items[n]
			}
			of = append(of, k)
		}
		kinds = append(kinds, of)
	}
	return kinds
}

// buy has a cart bought, looks at what is stored of it, and returns its price.
func (m *oracleMarket) buy(o *oracleOrder, in CartInput, kinds [][]*soldKind) int64 {
	lines, codes := m.sell(in, kinds)
	for i, l := range in.Lines {
		if special := l.Special; special != nil {
			m.w.SpecialRate(m.agent, lines[i].Package, special.Baht, special.Value)
		}
	}
	in, out, bought := m.quote(o.who, in, lines, codes)
	o.direct = o.direct && out.Total >= 100_00 && out.Total <= 10_000_00
	ctx, key := context.Background(), tenanttest.Key()
	if o.direct {
		if o.who = m.customer(0); in.Agent > 0 {
			m.w.Visit(o.who, m.agent, lines[0].Package)
		}
		placed, err := m.w.Order.Pay(ctx, o.who, key, "", order.PayInput{BuyInput: bought, PaymentMethod: charge.PaymentMethod{Method: "promptpay"}})
		require.NoError(m.t, err)
		o.id = placed.ID
		m.w.PayAtGateway(o.id)
	} else {
		placed, err := m.w.Order.Buy(ctx, o.who, key, bought)
		require.NoError(m.t, err)
		o.id = placed.ID
		m.wallets[o.who.Subject] -= out.Total
	}

	want, kindsOf := storedCart{}, []*soldKind{}
	for i, line := range out.Lines {
		want.Total, want.Fee, want.Commission = want.Total+line.Sums.paid(), want.Fee+line.Sums.Fee, want.Commission+line.Sums.Commission
		want.Lines = append(want.Lines, line.Sums.paid())
		for d, off := range line.Discounts {
			if off > 0 {
				want.Discounts = append(want.Discounts, fmt.Sprintf("%d off line %d, paid by %s", off, i, in.Discounts[d].Payer))
				o.asking = o.asking || in.Discounts[d].Least > 0
			}
		}
		for n, sums := range line.Vouchers {
			part := n % len(kinds[i])
			want.Vouchers = append(want.Vouchers, storedSums{i, in.Lines[i].Items[part], sums})
			kindsOf = append(kindsOf, kinds[i][part])
			m.books.Unearned += sums.Share
			m.books.Platform -= sums.Platform
		}
	}
	is, ids := m.stored(o.id)
	require.Equal(m.t, want, is, "%+v", in)
	for n, v := range want.Vouchers {
		o.vouchers = append(o.vouchers, &storedVoucher{
			oracleVoucher: oracleVoucher{sums: v.Sums, baht: kindsOf[n].baht, total: v.Items}, sold: kindsOf[n], order: o.id, id: ids[n], holder: o.who,
		})
	}
	m.orders = append(m.orders, o)
	return out.Total
}

// quote has a cart priced as often as codes reduce nothing: who types them leaves these out. It returns the cart without them, what the oracle says of it,
// and what confirms it.
func (m *oracleMarket) quote(who token.Session, in CartInput, lines []order.Line, codes []string) (CartInput, CartAmounts, order.BuyInput) {
	for {
		typed := slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return code == "" })
		out := oracleOfCart(in)
		q, err := m.w.Order.Quote(context.Background(), who, order.QuoteInput{Lines: lines, Codes: typed})
		require.NoError(m.t, err)
		require.EqualValues(m.t, out.Total, q.Total, "%+v", in)
		for i, line := range out.Lines {
			require.EqualValues(m.t, line.Sums.paid(), q.Lines[i].Amount, "%+v", in)
		}
		if len(q.Lost) == 0 {
			return in, out, order.BuyInput{Lines: lines, Codes: typed, Hash: q.Hash, Accepted: []uuid.UUID{}, Lang: "th"}
		}
		for _, lost := range q.Lost {
			n := slices.Index(codes, lost.Code)
			codes, in.Discounts = slices.Delete(slices.Clone(codes), n, n+1), slices.Delete(slices.Clone(in.Discounts), n, n+1)
		}
	}
}

// storedCart is what is stored of a cart.
type storedCart struct {
	Total, Fee, Commission int64
	Lines                  []int64
	Discounts              []string
	Vouchers               []storedSums
}

type storedSums struct {
	Line  int
	Items int64
	Sums  Sums
}

func (m *oracleMarket) stored(order uuid.UUID) (is storedCart, vouchers []uuid.UUID) {
	m.w.In(func(ctx context.Context, tx db.Tx) error {
		tx.Queue(`SELECT total_satang, platform_fee_satang, commission_satang FROM orders WHERE id = $1`, order).QueryRow(func(row pgx.Row) error {
			return row.Scan(&is.Total, &is.Fee, &is.Commission)
		})
		tx.Queue(`SELECT amount_satang FROM order_line WHERE order_id = $1 ORDER BY position`, order).Query(func(rows pgx.Rows) (err error) {
			is.Lines, err = pgx.CollectRows(rows, pgx.RowTo[int64])
			return err
		})
		tx.Queue(`SELECT position, payer, amount_satang FROM line_discount WHERE order_id = $1 ORDER BY position, discount_id`, order).Query(func(rows pgx.Rows) error {
			var line, off int64
			var payer string
			_, err := pgx.ForEachRow(rows, []any{&line, &payer, &off}, func() error {
				is.Discounts = append(is.Discounts, fmt.Sprintf("%d off line %d, paid by %s", off, line, payer))
				return nil
			})
			return err
		})
		tx.Queue(`SELECT id, line_position, items_total, share_satang, fee_satang, commission_satang, platform_discount_satang
			FROM voucher WHERE order_id = $1 ORDER BY line_position, id`, order).Query(func(rows pgx.Rows) error {
			var id uuid.UUID
			var v storedSums
			_, err := pgx.ForEachRow(rows, []any{&id, &v.Line, &v.Items, &v.Sums.Share, &v.Sums.Fee, &v.Sums.Commission, &v.Sums.Platform}, func() error {
				is.Vouchers, vouchers = append(is.Vouchers, v), append(vouchers, id)
				return nil
			})
			return err
		})
		return tx.Flush(ctx)
	})
	return is, vouchers
}

// sell puts the packages of a cart on sale with its discounts, which are for nothing else. It returns what is bought, and each discount's code, which is
// empty if it needs none.
func (m *oracleMarket) sell(in CartInput, kinds [][]*soldKind) (lines []order.Line, codes []string) {
	m.w.In(func(ctx context.Context, tx db.Tx) error {
		for i, l := range in.Lines {
			id, rule := db.NewID(), "asking"
			if kinds[i][0].self {
				rule = "self"
			}
			tx.Queue(`INSERT INTO package (id, code, name_th, name_en, price_satang, class, refund_rule, refund_days, refund_fee_basis_points, status, created_at, updated_at)
				VALUES ($1, $2, 'แพ็กเกจทดสอบ', 'Test package', $3, 'ordinary', $4, 7, $5, 5, $6, $6)`, id, id.String(), l.Price, rule, keeps, tx.Now)
			for n, k := range kinds[i] {
				sellKind(tx, id, n, k, l.Items[n])
			}
			tx.Queue(`INSERT INTO stock (package_id, quantity) VALUES ($1, NULL)`, id)
			lines = append(lines, order.Line{Package: id, Quantity: int(l.Quantity)})
		}
		for i, d := range in.Discounts {
			codes = append(codes, m.reduce(tx, i, d, lines))
		}
		return catalog.BumpRevision(ctx, tx)
	})
	return lines, codes
}

// sellKind makes a package issue a kind of voucher.
func sellKind(tx db.Tx, pkg uuid.UUID, n int, k *soldKind, items int64) {
	id, rule := db.NewID(), "breakage"
	if k.toWallet {
		rule = "wallet"
	}
	if k.baht {
		tx.Queue(`INSERT INTO gift_voucher (id, name_th, name_en, value_satang, valid_days, transfer_rule, expiry_rule, status, created_at, updated_at)
			VALUES ($1, 'บัตรของขวัญ', 'Gift card', $2, 90, 'unlimited', $3, 5, $4, $4)`, id, k.price, rule, tx.Now)
		tx.Queue(`INSERT INTO package_part (package_id, position, gift_voucher_id, quantity) VALUES ($1, $2, $3, 1)`, pkg, n, id)
	} else {
		tx.Queue(`INSERT INTO voucher_type (id, name_th, name_en, items, list_price_satang, valid_days, transfer_rule, expiry_rule, status, created_at, updated_at)
			VALUES ($1, 'นวดอโรมา 90 นาที', 'Aroma massage', $2, $3, 90, 'unlimited', $4, 5, $5, $5)`, id, items, k.price, rule, tx.Now)
		tx.Queue(`INSERT INTO package_part (package_id, position, voucher_type_id, quantity) VALUES ($1, $2, $3, 1)`, pkg, n, id)
	}
	tx.Queue(`INSERT INTO template_version (id, template_id, conditions_th, conditions_en, service_point_ids, current, created_at)
		VALUES ($1, $2, '', '', '{}', true, $3)`, db.NewID(), id, tx.Now)
}

// reduce makes a discount for some packages, and returns its code if it has one.
func (m *oracleMarket) reduce(tx db.Tx, n int, d CartDiscount, lines []order.Line) (code string) {
	id, how, class, kind := db.NewID(), "automatic", "cart", "baht"
	if m.dice.IntN(2) == 0 {
		how, code = "code", "CODE"+strings.ToUpper(id.String()[24:])
	}
	if d.OnLine {
		class = "line"
	}
	if d.Percent {
		kind = "percent"
	}
	var most *int64
	if d.Max > 0 {
		most = &d.Max
	}
	tx.Queue(`INSERT INTO discount (id, name_th, name_en, how, class, kind, value, max_satang, payer, least_satang, least_items, first_only, stack, position, status, created_at, updated_at)
		VALUES ($1, 'ส่วนลดทดสอบ', 'Test discount', $2, $3, $4, $5, $6, $7, $8, $9, false, $10, $11, 5, $12, $12)`,
		id, how, class, kind, d.Value, most, d.Payer, d.Least, d.Pieces, cmp.Or(d.Stack, "all"), n, tx.Now)
	tx.Queue(`INSERT INTO discount_count (discount_id) VALUES ($1)`, id)
	if code != "" {
		tx.Queue(`INSERT INTO discount_code (id, discount_id, code, created_at) VALUES ($1, $2, $3, $4)`, db.NewID(), id, code, tx.Now)
	}
	for i, line := range lines {
		if d.touches(i) {
			tx.Queue(`INSERT INTO discount_scope (discount_id, position, package_id) VALUES ($1, $2, $3)`, id, i, line.Package)
		}
	}
	return code
}

// step does something with a voucher of an order. Of one that is paid past the wallet nothing goes into a wallet.
func (m *oracleMarket) step(o *oracleOrder) {
	var live []*storedVoucher
	for _, v := range o.vouchers {
		if !v.over && v.left() > 0 {
			live = append(live, v)
		}
	}
	if len(live) == 0 {
		return
	}
	v := live[m.dice.IntN(len(live))]
	n := 1 + m.dice.Int64N(v.left())
	if m.dice.IntN(4) == 0 {
		n = v.left()
	}
	before := v.oracleVoucher
	ways := []func(*oracleOrder, *storedVoucher, int64) string{m.use, m.use, m.give, m.refund, m.refundOwn, m.void}
	if o.direct {
		ways = ways[:3]
	}
	done := ways[m.dice.IntN(len(ways))](o, v, n)
	m.part.count(done, 1)
	m.check("%s: %d of %+v", done, n, before)
	if !o.direct {
		m.comeAlong(o)
	}
}

// comeAlong finds what was worth nothing and went with the last that was paid for.
func (m *oracleMarket) comeAlong(o *oracleOrder) {
	states := m.states(o.id)
	for _, v := range o.vouchers {
		if state := states[v.id]; !v.over && v.left() > 0 && (state == voucher.Refunded || state == voucher.Void) {
			require.Zero(m.t, v.last(v.left()), "%+v", v)
			v.over = true
		}
	}
}

// states are those of an order's vouchers.
func (m *oracleMarket) states(order uuid.UUID) map[uuid.UUID]voucher.State {
	states := map[uuid.UUID]voucher.State{}
	m.w.In(func(ctx context.Context, tx db.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id, state FROM voucher WHERE order_id = $1`, order)
		if err != nil {
			return err
		}
		var id uuid.UUID
		var state voucher.State
		_, err = pgx.ForEachRow(rows, []any{&id, &state}, func() error {
			states[id] = state
			return nil
		})
		return err
	})
	return states
}

func (m *oracleMarket) use(_ *oracleOrder, v *storedVoucher, n int64) string {
	m.w.MustRedeem(v.holder, v.id, n, m.staff, m.point)
	worth := v.use(n)
	m.books.Unearned -= worth.Share
	m.books.Payable += worth.Share
	return "used"
}

// give gives items to somebody else: a part as a voucher of its own.
func (m *oracleMarket) give(o *oracleOrder, v *storedVoucher, n int64) string {
	g, err := m.w.Gift.Give(context.Background(), v.holder, tenanttest.Key(), gift.Input{Voucher: v.id, Items: n, Card: "love"})
	require.NoError(m.t, err)
	friend := m.friends[0]
	if v.holder.Subject == friend.Subject {
		friend = m.friends[1]
	}
	got, err := m.w.Gift.Receive(context.Background(), friend, gift.Link{Ref: g.Ref})
	require.NoError(m.t, err)
	if n == v.left() {
		v.holder, v.handed = friend, true
		return "given"
	}
	o.vouchers = append(o.vouchers, &storedVoucher{oracleVoucher: *v.give(n), sold: v.sold, order: v.order, id: *got.Contents[0].Voucher, holder: friend, handed: true})
	return "given in part"
}

func (m *oracleMarket) actor() auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: m.staff.Subject}
}

func (m *oracleMarket) choice(v *storedVoucher, n int64) refund.Choice {
	return refund.Choice{Order: v.order, Parts: []refund.Part{{Voucher: v.id, Items: n}}}
}

// refund is the organisation's, to the wallet of who holds it.
func (m *oracleMarket) refund(_ *oracleOrder, v *storedVoucher, n int64) string {
	worth := v.last(n)
	made, err := m.w.Refund.Make(context.Background(), m.w.Org, m.actor(), tenanttest.Key(), refund.Input{Choice: m.choice(v, n), Reason: "asked"})
	if worth.paid() == 0 {
		require.ErrorIs(m.t, err, refund.ErrNothing)
		return "nothing paid, nothing refunded"
	}
	require.NoError(m.t, err)
	require.EqualValues(m.t, worth.paid(), made.Amount)
	m.wallets[v.holder.Subject] += m.takeBack(v, n)
	return "refunded"
}

// refundOwn is the payer's, less what the organisation keeps: at most its own part.
func (m *oracleMarket) refundOwn(o *oracleOrder, v *storedVoucher, n int64) string {
	if v.handed || !v.sold.self || o.asking {
		return m.refund(o, v, n)
	}
	if v.baht {
		n = v.left()
	}
	worth := v.last(n)
	kept := max(0, min(portion(worth.paid(), keeps), worth.Share-worth.Platform))
	made, err := m.w.Refund.RefundOwn(context.Background(), o.who, tenanttest.Key(), refund.OwnInput{Choice: m.choice(v, n), Amount: money.Amount(worth.paid() - kept)})
	if worth.paid() == 0 {
		require.ErrorIs(m.t, err, refund.ErrNothing)
		return "nothing paid, nothing refunded"
	}
	require.NoError(m.t, err)
	require.EqualValues(m.t, worth.paid()-kept, made.Amount)
	m.wallets[v.holder.Subject] += m.takeBack(v, n) - kept
	m.books.Payable += kept
	return "refunded by its payer"
}

func (m *oracleMarket) void(_ *oracleOrder, v *storedVoucher, _ int64) string {
	require.NoError(m.t, m.w.Refund.Void(context.Background(), m.w.Org, m.actor(), tenanttest.Key(), refund.VoidInput{ID: v.id, Reason: "printed twice"}))
	m.wallets[v.holder.Subject] += m.takeBack(v, v.left())
	return "voided"
}

// takeBack takes items back, and returns what was paid for them.
func (m *oracleMarket) takeBack(v *storedVoucher, n int64) int64 {
	worth := v.takeBack(n)
	m.books.Unearned -= worth.Share
	m.books.Platform += worth.Platform
	return worth.paid()
}

// dispute is where a bank takes some of an order's price back. Vouchers of it are frozen until that is decided, and void if it is lost.
func (m *oracleMarket) dispute(o *oracleOrder, price int64) {
	o.unpaid = price
	if m.dice.IntN(4) > 0 {
		o.unpaid = 1 + m.dice.Int64N(price)
	}
	taken := o.unpaid
	m.gatewaySays(o, func(c *payment.Charge) { c.Dispute, c.Disputed = payment.DisputeOpen, money.Amount(taken) })
	frozen := m.frozen(o)
	states := m.states(o.id)
	for _, v := range o.vouchers {
		is := states[v.id] == voucher.Frozen
		if v.last(v.left()) != (Sums{}) {
			require.Equal(m.t, slices.Contains(frozen, v), is, "%d of %d disputed: %+v", taken, price, v)
		}
	}
	m.check("disputed %d", taken)
	switch m.dice.IntN(3) {
	case 0:
		m.part.count("dispute won", 1)
		o.unpaid = 0
		m.gatewaySays(o, func(c *payment.Charge) { c.Dispute = payment.DisputeWon })
	case 1:
		m.part.count("dispute lost", 1)
		m.gatewaySays(o, func(c *payment.Charge) { c.Dispute = payment.DisputeLost })
		for _, v := range frozen {
			paid := m.takeBack(v, v.left())
			covers := min(paid, o.unpaid)
			o.unpaid -= covers
			m.wallets[v.holder.Subject] += paid - covers
		}
	default:
		m.part.count("dispute open", 1)
	}
	m.check("dispute of %d decided", taken)
}

// frozen are the vouchers that stand for what a bank has taken back, the newest first, those in the payer's hand before those that he has given away.
func (m *oracleMarket) frozen(o *oracleOrder) (list []*storedVoucher) {
	left := slices.DeleteFunc(slices.Clone(o.vouchers), func(v *storedVoucher) bool { return v.left() == 0 })
	slices.SortFunc(left, func(a, b *storedVoucher) int {
		if a.handed != b.handed {
			return map[bool]int{false: -1, true: 1}[a.handed]
		}
		return -bytes.Compare(a.id[:], b.id[:])
	})
	covered := int64(0)
	for _, v := range left {
		if paid := v.last(v.left()).paid(); paid > 0 && covered < o.unpaid {
			list, covered = append(list, v), covered+paid
		}
	}
	return list
}

func (m *oracleMarket) gatewaySays(o *oracleOrder, change func(*payment.Charge)) {
	name := m.w.Pay.SetCharge(o.id, change)
	require.NoError(m.t, m.w.Charge.HandleGatewayEvent(context.Background(), m.w.Org, charge.GatewayEventJob{System: m.system, GatewayID: name}))
}

// expire is where the validity of all vouchers has ended.
func (m *oracleMarket) expire() {
	m.w.Clock.Advance(91 * 24 * time.Hour)
	for _, o := range m.orders {
		states := m.states(o.id)
		for _, v := range o.vouchers {
			if states[v.id] != voucher.Ready {
				continue
			}
			worth := v.last(v.left())
			m.books.Unearned -= worth.Share
			if v.sold.toWallet {
				m.wallets[v.holder.Subject] += worth.Share - worth.Platform
				m.books.Platform += worth.Platform
			} else {
				m.books.Breakage += worth.Share
			}
		}
	}
	require.NoError(m.t, m.w.Voucher.ExpireAllVouchers(context.Background(), m.w.Org))
	m.check("expired")
}

// check compares every account with the oracle's books. Fee and commission are what the orders owe, whatever happened before.
func (m *oracleMarket) check(after string, args ...any) {
	want := m.books
	for _, o := range m.orders {
		var of []*oracleVoucher
		kept := Sums{}
		for _, v := range o.vouchers {
			of, kept = append(of, &v.oracleVoucher), kept.plus(v.kept())
		}
		fee, commission := owes(of, o.unpaid)
		want.Platform += fee
		want.Pending += commission
		want.Receivable += kept.Commission - commission - o.unpaid
	}
	accounts := []uuid.UUID{commission.Pending(m.agent).ID(m.w.Key)}
	for _, kind := range []ledger.Kind{ledger.Unearned, ledger.Payable, ledger.Breakage, ledger.PlatformFee, ledger.ChargebackReceivable} {
		accounts = append(accounts, ledger.SystemAccount(kind).ID(m.w.Key))
	}
	holders := slices.Collect(maps.Keys(m.wallets))
	for _, who := range holders {
		accounts = append(accounts, ledger.AccountOf(ledger.Wallet, who).ID(m.w.Key))
	}
	balances := map[uuid.UUID]int64{}
	m.w.In(func(ctx context.Context, tx db.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id, sum(satang)::bigint FROM (SELECT credit_id AS id, amount_satang AS satang FROM entry UNION ALL SELECT debit_id, -amount_satang FROM entry) e
			WHERE id = ANY ($1) GROUP BY id`, accounts)
		if err != nil {
			return err
		}
		var id uuid.UUID
		var satang int64
		_, err = pgx.ForEachRow(rows, []any{&id, &satang}, func() error {
			balances[id] = satang
			return nil
		})
		return err
	})
	is := oracleBooks{balances[accounts[1]], balances[accounts[2]], balances[accounts[3]], balances[accounts[4]], balances[accounts[0]], balances[accounts[5]]}
	require.Equalf(m.t, want, is, after, args...)
	for i, who := range holders {
		require.Equalf(m.t, m.wallets[who], balances[accounts[6+i]], after, args...)
	}
}
