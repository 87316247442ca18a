package isolation

import (
	"bytes"
	"context"
	"crypto/rand"
	"image"
	"image/color"
	"image/png"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	outbox "welovevoucher/platform/queue"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/payout"
	"welovevoucher/tenants/receipt"
	"welovevoucher/tools/harness"
)

// shop is an organisation with a row of every kind. Its canary stands in every text, name and picture that is its own.
type shop struct {
	*harness.Organisation
	canary string
	admin  *person

	owner, deputy, counter, visitor *person
	ann, eve                        *person           // customers
	giver                           *person           // another, who gives and offers what they receive and buy; made when it is asked for
	gone                            *person           // whom the platform suspends; made when asked for
	wisher                          *person           // another, who asks for refunds; made when it is asked for
	debtor                          *person           // another, whose payments owe; made when it is asked for
	may, joy                        *person           // agents
	paid                            uuid.UUID         // another agent, who can be paid; made when he is asked for
	account                         uuid.UUID         // the organisation's own that the platform has approved
	rows                            map[string]string // declared table -> a row
	spare                           map[string]string // the same, for a row that may be given another status
	type_, gift, picture, priced    string
	quietID                         string
	templateID                      string
}

// person is somebody's open session.
type person struct {
	*harness.Browser
	kind token.Audience
	id   uuid.UUID
	name string

	username string   // of who signs in by a password
	recovery []string // codes that open a sign-in of his which waits

	voucher, order, topUp, use, job, link string // one's own
}

// own are the texts by which an answer would speak of him.
func (p *person) own() []string {
	texts := []string{p.name, p.voucher, p.order, p.topUp, p.use, p.job, p.link}
	if p.id != uuid.Nil {
		texts = append(texts, p.id.String())
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

const password = "Abcd1234"

func newCanary() string { return "canary" + strings.ToLower(rand.Text()[:10]) }

// open makes an organisation and fills it by the calls that its people would make.
func open(p *harness.Platform, unique, channel string, admin *person) *shop {
	s := &shop{canary: newCanary(), admin: admin, rows: map[string]string{}, spare: map[string]string{}}
	s.Organisation = p.Open(unique, s.named("ร้าน"), channel)
	s.owner = &person{Browser: s.Owner, kind: token.Owner}
	s.visitor = &person{Browser: s.Browser(s.Host), kind: token.Client}
	s.visitor.Token = harness.SignIn(s.visitor.Browser, "/api/authen/web/client/"+unique, map[string]any{}).Token
	s.fillCatalogue()
	s.fillPeople()
	s.fillSales()
	return s
}

// named is a text that is this organisation's own.
func (s *shop) named(text string) string { return text + " " + s.canary }

// add saves a row and gives it a status.
func (s *shop) add(table string, status int, row map[string]any) string {
	s.T.Helper()
	saved := s.owner.Post("/api/owner/save/"+table, "", row)
	require.True(s.T, saved.Result, "%s refuses %v: %s %v; %s", table, row, saved.Fault, saved.Fields, whereBodiesStand)
	var made harness.Saved
	require.NoError(s.T, decode(saved.Detail, &made))
	id := made.ID()
	if status != 0 {
		harness.MustPost[any](s.owner.Browser, "/api/owner/status/"+table, "", map[string]any{"ids": []string{id}, "status": status})
	}
	s.spare[table] = s.rows[table]
	s.rows[table] = id
	if s.spare[table] == "" {
		s.spare[table] = id
	}
	return id
}

func (s *shop) fillCatalogue() {
	s.T.Helper()
	var made struct{ ID string }
	r := s.owner.picture(s.canary)
	require.True(s.T, r.Result, r.Fault)
	require.NoError(s.T, decode(r.Detail, &made))
	s.picture = made.ID

	for _, rule := range []string{"asking", "self"} {
		point := s.add("service_point", 5, map[string]any{
			"name_th": s.named("สาขา"), "name_en": s.named("Place"), "address_th": s.named("ถนน"), "address_en": s.canary, "phone": "021234567",
			"latitude": 18.79, "longitude": 98.96, "hours_th": s.canary, "hours_en": s.canary, "partner_id": nil, "staff": []string{},
		})
		s.add("closure", 5, s.closure())
		s.add("closed_day", 5, s.closedDay())
		tag := s.add("tags", 5, map[string]any{"name_th": s.named("สปา"), "name_en": s.canary, "position": 1})
		s.type_ = s.add("vouchertype", 5, s.template(map[string]any{"items": 3, "list_price_satang": 50000, "vat_point": "sale"}, point))
		s.gift = s.add("giftvoucher", 5, s.template(map[string]any{"value_satang": 50000}, point))
		s.add("salepackage", 5, map[string]any{
			"code": "", "name_th": s.named("แพ็ก"), "name_en": s.named("Pack"), "description_th": s.canary, "description_en": s.canary, "badge_th": s.canary, "badge_en": s.canary,
			"picture_id": s.picture, "price_satang": 10000, "list_price_satang": 15000, "sale_from": nil, "sale_to": nil, "per_customer": nil, "featured": true,
			"class": "ordinary", "refund_rule": rule, "refund_days": 7, "refund_fee_basis_points": 0,
			"quantity": nil, "tags": []string{tag}, "parts": []map[string]any{{"voucher_type_id": s.type_, "gift_voucher_id": nil, "quantity": 1}},
		})
		s.priced = s.add("membercardtype", 5, s.pricedCardType())
		s.add("membercardtype", 5, s.cardType())
		s.add("definestatus", 0, map[string]any{"table_name": "staff", "number": 50 + counter.Add(1)%40, "name_th": s.canary, "name_en": s.canary, "color": "ok"})
		s.add("agenttype", 5, map[string]any{"name_th": s.named("ตัวแทน"), "name_en": s.canary, "rate_basis_points": 1000, "recruiter_basis_points": 0, "matures": "use", "mature_days": 0})
		s.add("commissionrate", 0, s.specialRate())
		s.add("partner", 5, map[string]any{"name_th": s.named("พาร์ตเนอร์"), "name_en": s.canary})
		s.add("partnerrate", 0, s.partnerRate())
		s.add("permission", 5, map[string]any{"name_th": s.named("สิทธิ์"), "name_en": s.canary, "modules": map[string][]string{}})
	}
	for i, audience := range []string{"customer", "agent"} {
		for _, table := range []string{"pdpa", "termsandconditions"} {
			s.add(table, 5, map[string]any{
				"purpose": "customer", "audience": audience, "version": strconv.Itoa(i), "name_th": s.named("ข้อ"), "name_en": s.canary, "body_th": s.canary, "body_en": s.canary,
			})
		}
	}
	s.looked()
	s.Package, s.ServicePoint = uuid.MustParse(s.rows["salepackage"]), uuid.MustParse(s.rows["service_point"])
}

// partnerRate begins on a day on which no other does, and that does not come before the shop is gone, so that it can be withdrawn.
func (s *shop) partnerRate() map[string]any {
	return map[string]any{"partner_id": s.rows["partner"], "basis_points": 1000, "first_day": time.Now().AddDate(1, 0, int(counter.Add(1))).Format(time.DateOnly)}
}

// partnerForm is a form that was filled in of a partner of its own, and waits.
func (s *shop) partnerForm(by *person) map[string]any {
	made := harness.MustPost[harness.Saved](s.owner.Browser, "/api/owner/save/partner", "", map[string]any{"name_th": s.named("พาร์ตเนอร์"), "name_en": ""})
	harness.MustPost[any](by.Browser, "/api/owner/partner/fill", "", map[string]any{"partner_id": made.ID(), "form": s.form()})
	var version uuid.UUID
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT id FROM payee_version WHERE payee_id = $1`, made.ID()).Scan(&version)
	})
	return map[string]any{"version_id": version}
}

// accountForm is what somebody filled in of the organisation's own account, and waits.
func (s *shop) accountForm(by *person) map[string]any {
	harness.MustPost[any](by.Browser, "/api/owner/account/fill", "", map[string]any{"form": s.form()})
	var version uuid.UUID
	s.in(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT v.id FROM payee_version v JOIN payee y ON y.id = v.payee_id WHERE y.kind = 'organisation' AND v.state = 'pending'`).Scan(&version)
	})
	return map[string]any{"version_id": version}
}

// secondedAccount is an account of the organisation that waits for the platform.
func (s *shop) secondedAccount() map[string]any {
	form := s.accountForm(s.deputy)
	harness.MustPost[any](s.owner.Browser, "/api/owner/account/accept", "", map[string]any{"version_id": form["version_id"], "reason": ""})
	require.Eventually(s.T, func() bool {
		list := harness.MustPost[struct {
			Data []struct {
				Version uuid.UUID `json:"version_id"`
			}
		}](s.Admin(), "/api/admin/account/list", "", map[string]any{})
		for _, one := range list.Data {
			if one.Version == form["version_id"] {
				return true
			}
		}
		return false
	}, time.Minute, 50*time.Millisecond)
	return form
}

// specialRate is of one day that no other has, and does not come before the shop is gone, so that it can be withdrawn. It is before those of others: a body that is
// tried without a last day holds for all days after its first.
func (s *shop) specialRate() map[string]any {
	day := time.Now().AddDate(400, 0, -int(counter.Add(1))).Format(time.DateOnly)
	return map[string]any{
		"agent_type_id": s.rows["agenttype"], "package_id": s.rows["salepackage"], "tag_id": nil, "kind": "percent", "value": 1200, "recruiter_basis_points": 0, "first_day": day, "last_day": day,
	}
}

// closure and closedDay are of other days than this, so that what is used here is not refused.
func (s *shop) closure() map[string]any {
	day := func(n int) string { return time.Now().AddDate(0, 0, n).Format(time.DateOnly) }
	return map[string]any{"service_point_id": s.rows["service_point"], "first_day": day(30), "last_day": day(32), "reason_th": s.canary, "reason_en": s.canary}
}

func (s *shop) closedDay() map[string]any {
	day := time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -int(counter.Add(1))) // back, so that many calls never come to today
	return map[string]any{"day": day.Format(time.DateOnly), "name_th": s.canary, "name_en": s.canary}
}

// template is a voucher type or a gift voucher.
func (s *shop) template(own map[string]any, point string) map[string]any {
	row := map[string]any{
		"name_th": s.named("นวด"), "name_en": s.named("Massage"), "valid_days": 90, "valid_until": nil, "transfer_rule": "unlimited", "transfer_times": 0,
		"transfer_together": false, "expiry_rule": "breakage", "vat_point": "sale", "conditions_th": s.canary, "conditions_en": s.canary, "picture_id": nil, "service_points": []string{point},
	}
	maps.Copy(row, own)
	return row
}

// fillPeople lets customers, agents and somebody who scans sign in.
func (s *shop) fillPeople() {
	s.T.Helper()
	s.counter, s.deputy = s.staff(token.Staff, "admin"), s.staff(token.Owner, "admin")
	s.ann, s.eve = s.customer("ann"), s.customer("eve")
	for i, p := range []**person{&s.may, &s.joy} {
		name := []string{"may", "joy"}[i]
		customer := s.customer(name)
		harness.MustPost[any](s.owner.Browser, "/api/owner/agent/approve", "", map[string]any{"customer_id": customer.id, "agent_type_id": s.rows["agenttype"]})
		*p = &person{Browser: s.Browser(s.Host), kind: token.Agent, id: customer.id, name: customer.name}
		(*p).Token = harness.SignIn(s.Browser(s.Host), "/api/authen/agent/"+s.Unique+"/line", map[string]any{"LINETOKEN": s.idToken(name)}).Token
		s.accept(*p, "agent")
		(*p).link = harness.MustPost[struct{ Code string }]((*p).Browser, "/api/agent/link/create", "", map[string]any{"package_id": s.Package}).Code
	}
}

// staff adds an account and signs it in.
func (s *shop) staff(kind token.Audience, role string) *person {
	s.T.Helper()
	name := fresh(string(kind))
	row := map[string]any{"username": name, "name": s.named(name), "role": role, "permission_id": nil, "password": password}
	if role == "user" {
		row["permission_id"] = s.rows["permission"]
	}
	id := uuid.MustParse(s.add("staff", 0, row))
	p := &person{Browser: s.Browser(s.Host), kind: kind, id: id, name: s.named(name), username: name}
	p.Token = harness.SignIn(p.Browser, "/api/authen/"+string(kind)+"/user", map[string]any{"username": name, "password": password, "unique": s.Unique}).Token
	return p
}

// in runs fn in the organisation's schema. A job that it leaves is looked for at once, as one of a call's.
func (s *shop) in(fn func(ctx context.Context, tx db.Tx) error) {
	s.T.Helper()
	ctx := outbox.NewWaker(s.Redis).With(s.T.Context())
	require.NoError(s.T, s.DB.InOrg(ctx, s.ID, func(tx db.Tx) error { return fn(ctx, tx) }))
}

// settle waits until no job of the organisation is under way, nor one of the platform's that books settlements, and puts off those
// that look at a payment later: on a slow machine its ten minutes end during a call that has nothing to do with it.
func (s *shop) settle() {
	s.T.Helper()
	s.in(func(ctx context.Context, tx db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE outbox SET due_at = due_at + interval '1 day' WHERE kind = 'charge.check' AND done_at IS NULL AND due_at BETWEEN $1 AND $1 + interval '10 minutes'`, tx.Now)
		return err
	})
	const open = `SELECT kind || ' ' || attempts || ' ' || last_error FROM outbox WHERE done_at IS NULL AND due_at <= $1 AND kind LIKE $2 AND attempts < $3` // not those that were given up
	list := func(ctx context.Context, tx db.Tx, kinds string) ([]string, error) {
		rows, err := tx.Query(ctx, open, tx.Now, kinds, outbox.MaxAttempts)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowTo[string])
	}
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		var settling, left []string // in this order: what books settlements leaves jobs in an organisation
		require.NoError(s.T, s.DB.InPlatform(s.T.Context(), func(tx db.Tx) (err error) {
			settling, err = list(s.T.Context(), tx, "settlement.%")
			return err
		}))
		s.in(func(ctx context.Context, tx db.Tx) (err error) {
			left, err = list(ctx, tx, "%")
			return err
		})
		if len(left)+len(settling) == 0 {
			return
		}
		if time.Since(began) > time.Minute {
			require.Empty(s.T, append(left, settling...), "jobs that are not done")
		}
	}
}

func (s *shop) idToken(name string) any { return s.IDToken(s.named(name), s.Channel) }

func (s *shop) customer(name string) *person {
	s.T.Helper()
	p := &person{Browser: s.Customer(s.named(name)), kind: token.User, name: s.named(name)}
	p.id = harness.MustPost[struct{ Profile struct{ ID uuid.UUID } }](p.Browser, "/api/authen/rechecktoken", "", map[string]any{}).Profile.ID
	s.accept(p, "user")
	return p
}

// accept agrees to everything that is asked after signing in.
func (s *shop) accept(p *person, area string) {
	s.T.Helper()
	open := harness.MustPost[struct {
		Data []struct {
			Version string `json:"_id"`
		}
	}](p.Browser, "/api/"+area+"/consent/open", "", nil)
	versions := []string{}
	for _, text := range open.Data {
		versions = append(versions, text.Version)
	}
	harness.MustPost[any](p.Browser, "/api/"+area+"/consent/accept", "", map[string]any{"version_ids": versions, "lang": "th"})
}

// fillSales lets the customers buy, order, use, and the owners ask for files.
func (s *shop) fillSales() {
	s.T.Helper()
	for _, p := range []*person{s.ann, s.eve} {
		harness.MustPost[any](p.Browser, "/api/user/profile/save", "", map[string]any{"firstname": s.canary, "lastname": "x", "emailaddress": "guest@mail.example", "gender": ""})
		harness.MustPost[any](p.Browser, "/api/user/link/open", "", map[string]any{"code": s.may.link})
		p.topUp = p.StartTopUp(50_000_00).ID.String()
		s.PayFor(uuid.MustParse(p.topUp), map[string]any{})
	}
	for _, p := range []*person{s.ann, s.eve} {
		s.Eventually("the money arrives", func() bool { return p.Balance() == 50_000_00 })
		bought := s.Buy(p.Browser)
		p.order, p.voucher = bought.ID.String(), bought.Vouchers[0].ID.String()
		use := s.askUse(p)
		p.use = use.ID.String()
		s.Scan(s.counter.Browser, use)
		harness.MustPost[any](s.counter.Browser, "/api/staff/voucher/confirm", uuid.NewString(), map[string]any{"use_session_id": p.use, "service_point_id": s.ServicePoint})
	}
	day := clock.Day(s.DB.Now()).Format(time.DateOnly)
	for _, p := range []*person{s.owner, s.deputy} {
		p.job = harness.MustPost[harness.Saved](p.Browser, "/api/owner/report/job", "",
			map[string]any{"report": "daily", "filter": map[string]any{"from": day, "to": day}, "format": "csv"}).ID()
		s.Eventually("the file is made", func() bool {
			return harness.MustPost[harness.Saved](p.Browser, "/api/owner/report/job/get", "", map[string]any{"id": p.job})["state"] == "done"
		})
	}
	harness.MustPost[any](s.visitor.Browser, "/api/user/contact/send", uuid.NewString(), s.letter())
	s.linkTo(nil)
	s.openBoard()
	s.offered(s.another())
	s.objected()
	s.asked(s.deputy)
	s.requested(s.asker())
	s.reduced()
	s.disputed()
	s.transfer()
	s.taking(s.asker())
	s.addPayout(s.payee(), payout.Draft, payout.LeftOut) // which moves nothing
	s.madeReturn()
	s.held()
	s.enrol(s.customer(fresh("member")))
	s.noDraft()
	s.fillOthers()
}

// disputed is a payment that its payer's bank took back, all of which is in his wallet still.
func (s *shop) disputed() {
	s.T.Helper()
	payer := s.customer("disputer")
	topUp := payer.StartTopUp(100_00).ID
	s.PayFor(topUp, map[string]any{})
	s.Eventually("the money arrives", func() bool { return payer.Balance() == 100_00 })
	s.Control(s.Pay.URL, "/emulator/charges/"+s.Charge(topUp)+"/dispute", map[string]any{})
	s.Eventually("the bank takes the money back", func() bool { return payer.Balance() == 0 })
}

// letter is what somebody writes to the organisation or the platform.
func (s *shop) letter() map[string]any {
	return map[string]any{"name": s.named("แอน"), "email": "ann@mail.example", "subject": s.named("จองโต๊ะ"), "text": s.named("สองที่")}
}

// receipt names the receipt of something that somebody has just bought.
func (s *shop) receipt(who *person) map[string]any {
	return map[string]any{"kind": receipt.Order, "id": s.Buy(who.Browser).ID}
}

// toPlatform writes to the platform.
func (s *shop) toPlatform() uuid.UUID {
	s.T.Helper()
	return harness.MustPost[struct{ ID uuid.UUID }](s.Browser("localhost"), "/api/public/contact/send", uuid.NewString(), s.letter()).ID
}

// givenUp is a job of the organisation that failed too often.
func (s *shop) givenUp() map[string]any {
	s.T.Helper()
	id := db.NewID()
	require.NoError(s.T, s.DB.InOrg(context.Background(), s.ID, func(tx db.Tx) error {
		_, err := tx.Exec(context.Background(), `INSERT INTO outbox (id, kind, payload, due_at, attempts) VALUES ($1, 'push.send', '{"job": {}}', $2, $3)`, id, tx.Now, outbox.MaxAttempts)
		return err
	}))
	return map[string]any{"id": id, "org_id": s.ID}
}

// fillOthers gives every declared table a row that has none yet, made from its schema, or finds the one that is there.
func (s *shop) fillOthers() {
	s.T.Helper()
	all := operations(s.T)
	for _, o := range all {
		table := o.table()
		if !strings.HasPrefix(o.Path, "/api/owner/save/") || s.rows[table] != "" {
			continue
		}
		for range 2 {
			row := example(o.Body, s.given(o)).(map[string]any)
			for name, property := range o.Body.Properties {
				if strings.HasSuffix(name, "_th") && (property.Value.MaxLength == nil || *property.Value.MaxLength > 20) {
					row[name] = s.canary
				}
			}
			s.add(table, 0, row)
		}
	}
	for _, o := range all {
		table := o.table()
		if !strings.HasPrefix(o.Path, "/api/owner/get/") || s.rows[table] != "" {
			continue
		}
		rows := harness.MustPost[struct{ Data []harness.Saved }](s.owner.Browser, "/api/owner/get/"+table, "", map[string]any{}).Data
		require.NotEmpty(s.T, rows, table)
		s.rows[table], s.spare[table] = rows[0].ID(), rows[0].ID()
	}
}

// askUse is a use that waits to be scanned.
func (s *shop) askUse(p *person) harness.Use {
	s.T.Helper()
	return harness.MustPost[harness.Use](p.Browser, "/api/user/voucher/use", uuid.NewString(), map[string]any{"voucher_id": p.voucher, "service_point_id": s.ServicePoint, "items": 1})
}

// picture uploads one whose file speaks the canary as well.
func (p *person) picture(canary string) harness.Reply {
	p.T.Helper()
	kind, body := pictureForm(p.T, canary)
	return p.Send(http.MethodPost, "/api/owner/upload/image", kind, bytes.NewReader(body))
}

func pictureForm(t testing.TB, name string) (contentType string, body []byte) {
	m := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range name {
		m.Set(i, 0, color.Gray{name[i]})
	}
	var text bytes.Buffer
	form := multipart.NewWriter(&text)
	file, err := form.CreateFormFile("images", name+".png")
	require.NoError(t, err)
	require.NoError(t, png.Encode(file, m))
	require.NoError(t, form.Close())
	return form.FormDataContentType(), text.Bytes()
}
