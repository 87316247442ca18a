package demo

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"welovevoucher/platform/clock"
	"welovevoucher/tenants/contact"
	"welovevoucher/tenants/voucher"
)

// shop is an organisation being filled by its owner.
type shop struct {
	*loader
	site, token string
	o           organisation

	org, ownerID, accountantID, doorID, agentType uuid.UUID
	tags, servicePoints, types, gifts, packages   []uuid.UUID
	cards                                         []uuid.UUID          // types of cards
	drawn                                         map[string]uuid.UUID // pictures by name
}

func (s *shop) fill(ctx context.Context) error {
	s.drawn = map[string]uuid.UUID{}
	for _, step := range []func(context.Context) error{
		s.addContact, s.addTags, s.addLists, s.addQuestions, s.addServicePoints, s.addPartner, s.addClosings, s.addTypes, s.addGifts, s.addPackages, s.addDiscounts, s.addCardTypes, s.addStaff, s.addLogo, s.addBoard, s.addPeople, s.addPast, s.addLife, s.addRates,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// save adds a row to a table and, for what begins as a draft, activates it.
func (s *shop) save(ctx context.Context, table string, row map[string]any) (uuid.UUID, error) {
	saved, err := post[struct {
		ID     uuid.UUID
		Status int
	}](ctx, s.loader, s.site, "/api/owner/save/"+table, s.token, row)
	if err != nil || saved.Status == active {
		return saved.ID, err
	}
	_, err = post[any](ctx, s.loader, s.site, "/api/owner/status/"+table, s.token, map[string]any{"ids": []uuid.UUID{saved.ID}, "status": active})
	return saved.ID, err
}

const active = 5

func (s *shop) picture(ctx context.Context, name string) (*uuid.UUID, error) {
	if name == "" {
		return nil, nil
	}
	if id, ok := s.drawn[name]; ok {
		return &id, nil
	}
	id, err := s.upload(ctx, s.site, s.token, name)
	s.drawn[name] = id
	return &id, err
}

func (s *shop) addContact(ctx context.Context) error {
	_, err := post[any](ctx, s.loader, s.site, "/api/owner/setting/contactus/save", s.token, s.o.Contact)
	return err
}

func (s *shop) addTags(ctx context.Context) error {
	for i, t := range s.o.Tags {
		id, err := s.save(ctx, "tags", map[string]any{"name_th": t.TH, "name_en": t.EN, "position": i})
		if err != nil {
			return err
		}
		s.tags = append(s.tags, id)
	}
	return nil
}

func (s *shop) addLists(ctx context.Context) error {
	for table, options := range s.o.Lists {
		for i, option := range options {
			row := map[string]any{"name_th": option.TH, "name_en": option.EN, "position": 10 * (i + 1)}
			if _, err := s.save(ctx, table, row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *shop) addQuestions(ctx context.Context) error {
	for i, q := range s.o.Questions {
		row := map[string]any{"name_th": q.TH, "name_en": q.EN, "answer_th": q.AnswerTH, "answer_en": q.AnswerEN, "position": 10 * (i + 1)}
		if _, err := s.save(ctx, "faq", row); err != nil {
			return err
		}
	}
	return nil
}

func (s *shop) addServicePoints(ctx context.Context) error {
	for _, p := range s.o.ServicePoints {
		id, err := s.save(ctx, "service_point", map[string]any{
			"name_th": p.TH, "name_en": p.EN, "address_th": p.AddressTH, "address_en": p.AddressEN, "phone": p.Phone,
			"hours_th": p.HoursTH, "hours_en": p.HoursEN, "latitude": p.Latitude, "longitude": p.Longitude, "partner_id": nil, "staff": []string{},
		})
		if err != nil {
			return err
		}
		s.servicePoints = append(s.servicePoints, id)
	}
	return nil
}

// addPartner makes somebody a partner of the last service point, who earns a tenth of what is used there. What he says of himself waits for a second person.
func (s *shop) addPartner(ctx context.Context) error {
	id, err := s.save(ctx, "partner", map[string]any{"name_th": "บริษัท บ้านสวนสปา จำกัด", "name_en": "Baan Suan Spa"})
	if err != nil {
		return err
	}
	rate := map[string]any{"partner_id": id, "basis_points": 1000, "first_day": clock.Day(time.Now()).Format(time.DateOnly)}
	if _, err := s.save(ctx, "partnerrate", rate); err != nil {
		return err
	}
	form := map[string]any{
		"kind": "company", "firstname": "มาลี", "lastname": "สวนงาม", "company_name": "บริษัท บ้านสวนสปา จำกัด", "tax_id": "0105561000017", "branch": "00000", "vat_registered": true, "resident": true,
		"idcard": "1101700203450", "birthdate": "", "mobilenumber": "0812345670", "emailaddress": "malee@mail.example", "address": "88 ถนนนิมมานเหมินท์", "subdistrict": "สุเทพ", "district": "เมืองเชียงใหม่",
		"province": "เชียงใหม่", "postcode": "50200", "nationality": "TH", "referercode": "", "bank": "004", "account_number": "1234567890", "account_name": "บจก. บ้านสวนสปา",
	}
	if _, err := post[any](ctx, s.loader, s.site, "/api/owner/partner/fill", s.token, map[string]any{"partner_id": id, "form": form}); err != nil {
		return err
	}
	at := s.servicePoints[len(s.servicePoints)-1]
	row, err := post[map[string]any](ctx, s.loader, s.site, "/api/owner/detail/service_point", s.token, map[string]any{"id": at})
	if err != nil {
		return err
	}
	row["partner_id"] = id
	_, err = s.save(ctx, "service_point", row)
	return err
}

// addClosings lets the shop be closed on the next New Year's Day, and its last service point for three days in two weeks.
func (s *shop) addClosings(ctx context.Context) error {
	today := clock.Day(time.Now())
	newYear := time.Date(today.Year()+1, time.January, 1, 0, 0, 0, 0, time.UTC)
	if _, err := s.save(ctx, "closed_day", map[string]any{"day": newYear.Format(time.DateOnly), "name_th": "วันขึ้นปีใหม่", "name_en": "New Year's Day"}); err != nil {
		return err
	}
	_, err := s.save(ctx, "closure", map[string]any{
		"service_point_id": s.servicePoints[len(s.servicePoints)-1], "first_day": today.AddDate(0, 0, 14).Format(time.DateOnly), "last_day": today.AddDate(0, 0, 16).Format(time.DateOnly),
		"reason_th": "สาขาปิดปรับปรุง", "reason_en": "Closed for renovation",
	})
	return err
}

func (s *shop) addTypes(ctx context.Context) error {
	for _, t := range s.o.Types {
		picture, err := s.picture(ctx, t.Picture)
		if err != nil {
			return err
		}
		servicePoints := []uuid.UUID{}
		for _, i := range t.ServicePoints {
			servicePoints = append(servicePoints, s.servicePoints[i])
		}
		expiry := "breakage"
		if t.ExpiryToWay != "" {
			expiry = t.ExpiryToWay
		}
		id, err := s.save(ctx, "vouchertype", map[string]any{
			"name_th": t.TH, "name_en": t.EN, "items": t.Items, "list_price_satang": t.ListPrice, "valid_days": t.Days, "valid_until": nil,
			"transfer_rule": t.Rule, "transfer_times": t.Times, "transfer_together": t.Together, "expiry_rule": expiry, "vat_point": "sale",
			"conditions_th": t.Conditions, "conditions_en": t.Condition, "persons": t.Persons, "picture_id": picture, "service_points": servicePoints,
		})
		if err != nil {
			return err
		}
		s.types = append(s.types, id)
	}
	return nil
}

func (s *shop) addGifts(ctx context.Context) error {
	for _, g := range s.o.Gifts {
		picture, err := s.picture(ctx, g.Picture)
		if err != nil {
			return err
		}
		id, err := s.save(ctx, "giftvoucher", map[string]any{
			"name_th": g.TH, "name_en": g.EN, "value_satang": g.Value, "valid_days": g.Days, "valid_until": nil,
			"transfer_rule": "unlimited", "transfer_times": 0, "transfer_together": false, "expiry_rule": "breakage", "vat_point": "use",
			"conditions_th": "", "conditions_en": "", "picture_id": picture, "service_points": []uuid.UUID{},
		})
		if err != nil {
			return err
		}
		s.gifts = append(s.gifts, id)
	}
	return nil
}

func (s *shop) addPackages(ctx context.Context) error {
	for i, p := range s.o.Packages {
		picture, err := s.picture(ctx, p.Picture)
		if err != nil {
			return err
		}
		tags, items := []uuid.UUID{}, []map[string]any{}
		for _, t := range p.Tags {
			tags = append(tags, s.tags[t])
		}
		for _, it := range p.Items {
			item := map[string]any{"voucher_type_id": nil, "gift_voucher_id": nil, "quantity": it.Quantity}
			if it.Type > 0 {
				item["voucher_type_id"] = s.types[it.Type-1]
			} else {
				item["gift_voucher_id"] = s.gifts[it.Gift-1]
			}
			items = append(items, item)
		}
		refunds := "self"
		if i%4 == 3 {
			refunds = "asking"
		}
		id, err := s.save(ctx, "salepackage", map[string]any{
			"code": fmt.Sprintf("PK-%04d", 101+i), "name_th": p.TH, "name_en": p.EN, "description_th": p.AboutTH, "description_en": p.AboutEN,
			"badge_th": p.BadgeTH, "badge_en": p.BadgeEN, "picture_id": picture, "price_satang": p.Price, "list_price_satang": positive(p.ListPrice),
			"sale_from": nil, "sale_to": nil, "per_customer": positive(int64(p.PerCustomer)), "featured": p.Featured,
			"class": "ordinary", "refund_rule": refunds, "refund_days": 7, "refund_fee_basis_points": 0,
			"quantity": positive(int64(p.Stock)), "tags": tags, "parts": items,
		})
		if err != nil {
			return err
		}
		s.packages = append(s.packages, id)
	}
	return nil
}

// addDiscounts adds those that a customer asks for by a code: for all, for a first purchase, and for guests who were sent one.
func (s *shop) addDiscounts(ctx context.Context) error {
	if _, err := s.discount(ctx, "ลด 10% ต้อนรับหน้าหนาว", "10% off for the cool season", map[string]any{
		"how": "code", "code": s.o.Code, "kind": "percent", "value": 1000, "max_satang": 500_00, "uses": 1000, "least_satang": 300_00,
	}); err != nil {
		return err
	}
	if _, err := s.discount(ctx, "ซื้อครั้งแรกลด 100", "฿100 off your first purchase", map[string]any{
		"how": "code", "code": "FIRST100", "kind": "baht", "value": 100_00, "first_only": true, "uses_each": 1, "least_satang": 500_00,
	}); err != nil {
		return err
	}
	sent, err := s.discount(ctx, "โค้ดขอบคุณลูกค้า", "A thank-you to guests", map[string]any{"how": "codes", "kind": "baht", "value": 50_00})
	if err != nil {
		return err
	}
	_, err = post[any](ctx, s.loader, s.site, "/api/owner/discountcode/make", s.token, map[string]any{"id": sent, "number": 40, "uses": 1})
	return err
}

func (s *shop) discount(ctx context.Context, th, en string, changes map[string]any) (uuid.UUID, error) {
	row := map[string]any{
		"name_th": th, "name_en": en, "position": 10, "class": "cart", "max_satang": nil, "payer": "organisation", "least_satang": 0, "least_items": 0,
		"first_only": false, "starts_at": nil, "ends_at": nil, "uses_each": nil, "stack": "alone", "uses": nil, "budget_satang": nil, "code": "",
	}
	maps.Copy(row, changes)
	return s.save(ctx, "discount", row)
}

// addCardTypes offers a card that is granted at once, one that the shop approves, and one that has a price.
func (s *shop) addCardTypes(ctx context.Context) error {
	for _, change := range []map[string]any{
		{"name_th": "คลาสสิก", "name_en": "Classic", "position": 20, "validity": "endless", "length": 0, "approval": "none", "level": 1, "points_baht": 25, "points_due": "window", "points_months": 12},
		{"name_th": "โกลด์", "name_en": "Gold", "position": 10, "validity": "months", "length": 12, "approval": "first", "level": 3, "asks_gender": "optional", "asks_birthdate": "required", "least_age": 10, "points_baht": 20, "points_due": "window", "points_months": 24},
		{"name_th": "แพลทินัม", "name_en": "Platinum", "position": 5, "validity": "months", "length": 12, "approval": "first", "level": 5, "price_satang": 2_990_00},
	} {
		row := map[string]any{
			"picture_id": nil, "least_age": 0, "price_satang": 0, "class": "ordinary", "asks_email": "required", "asks_idcard": "off", "asks_gender": "off", "asks_birthdate": "off", "asks_address": "off",
			"asks_nationality": "off", "asks_receipt": "off",
		}
		maps.Copy(row, change)
		id, err := s.save(ctx, "membercardtype", row)
		if err != nil {
			return err
		}
		s.cards = append(s.cards, id)
	}
	return nil
}

// positive is null for nothing.
func positive(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

// addStaff makes the account that scans and the one that counts, and looks up who owns the shop and what its agents earn.
func (s *shop) addStaff(ctx context.Context) error {
	set, err := s.first(ctx, "permission", "Counter staff")
	if err != nil {
		return err
	}
	s.doorID, err = s.save(ctx, "staff", map[string]any{
		"username": doorName, "name": "ต้อม หน้าร้าน", "password": doorPassword, "role": "user", "permission_id": set,
	})
	if err != nil {
		return err
	}
	s.accountantID, err = s.save(ctx, "staff", map[string]any{"username": accountName, "name": "มาลี บัญชี", "password": accountPassword, "role": "admin", "permission_id": nil})
	if err != nil {
		return err
	}
	if s.ownerID, err = s.first(ctx, "staff", ownerName); err != nil {
		return err
	}
	s.agentType, err = s.first(ctx, "agenttype", "")
	return err
}

// addRates lets agents earn 12 % of the second package for two months, and 30 baht of each gift card.
func (s *shop) addRates(ctx context.Context) error {
	today := clock.Day(time.Now())
	if _, err := s.save(ctx, "commissionrate", map[string]any{
		"agent_type_id": s.agentType, "package_id": s.packages[1], "tag_id": nil, "kind": "percent", "value": 1200, "recruiter_basis_points": 0,
		"first_day": today.Format(time.DateOnly), "last_day": today.AddDate(0, 2, 0).Format(time.DateOnly),
	}); err != nil {
		return err
	}
	_, err := s.save(ctx, "commissionrate", map[string]any{
		"agent_type_id": s.agentType, "package_id": s.packages[5], "tag_id": nil, "kind": "baht", "value": 30_00, "recruiter_basis_points": 0, "first_day": today.Format(time.DateOnly), "last_day": nil,
	})
	return err
}

// first is the id of the first row that is found.
func (s *shop) first(ctx context.Context, table, search string) (uuid.UUID, error) {
	found, err := post[struct{ Data []created }](ctx, s.loader, s.site, "/api/owner/get/"+table, s.token, map[string]any{"search": search})
	if err == nil && len(found.Data) == 0 {
		err = fmt.Errorf("no %s is called %q", table, search)
	}
	if err != nil {
		return uuid.Nil, err
	}
	return found.Data[0].ID, nil
}

func (s *shop) addLogo(ctx context.Context) error {
	logo, err := s.picture(ctx, s.o.Logo)
	if err != nil {
		return err
	}
	now, err := post[map[string]any](ctx, s.loader, s.site, "/api/owner/setting/get", s.token, nil)
	if err != nil {
		return err
	}
	_, err = post[any](ctx, s.loader, s.site, "/api/owner/setting/save", s.token, map[string]any{
		"name_th": now["name_th"], "name_en": now["name_en"], "tagline_th": now["tagline_th"], "tagline_en": now["tagline_en"],
		"background_color_primary": now["background_color_primary"], "background_color_secondary": now["background_color_secondary"],
		"register_before_use": false, "logo_id": logo,
	})
	return err
}

// disputer is whose bank wants a payment back.
const disputer = "wipa"

// people are customers of every demo organisation; the same LINE person is another customer in each.
var people = []struct{ id, name string }{
	{"nat", "ณัฐกานต์"}, {"ploy", "พลอย"}, {"somchai", "สมชาย"}, {"mali", "มะลิ"}, {"krit", "กฤษณ์"}, {agentPerson, "นภัทร"}, {disputer, "วิภา"},
}

// addPeople makes the demo's people known to the imitated LINE.
func (s *shop) addPeople(ctx context.Context) error {
	for _, p := range people {
		if err := s.control(ctx, s.LineURL+"/emulator/people", map[string]string{"id": p.id, "name": p.name}); err != nil {
			return err
		}
	}
	return nil
}

// addLife lets people sign in, pay, buy and use, so that no screen is empty.
func (s *shop) addLife(ctx context.Context) error {
	tokens := map[string]string{}
	for _, p := range people {
		token, err := s.signIn(ctx, p.id)
		if err != nil {
			return err
		}
		tokens[p.id] = token
	}
	link, err := s.agentLink(ctx)
	if err != nil {
		return err
	}
	for i, p := range people[:5] {
		if _, err := s.topUp(ctx, tokens[p.id], 800000); err != nil {
			return err
		}
		if i == 1 {
			if _, err := post[any](ctx, s.loader, s.site, "/api/user/link/open", tokens[p.id], map[string]string{"code": link}); err != nil {
				return err
			}
		}
		for _, pkg := range []int{i % len(s.packages), (i + 2) % len(s.packages)} {
			codes := []string{}
			if i == 4 { // he knows one
				codes = append(codes, s.o.Code)
			}
			if err := s.buy(ctx, tokens[p.id], s.packages[pkg], codes...); err != nil {
				return err
			}
		}
		if err := s.useOne(ctx, tokens[p.id]); err != nil {
			return err
		}
	}
	if err := s.dispute(ctx, tokens[disputer]); err != nil {
		return err
	}
	return s.write(ctx, tokens[people[2].id], people[2].name)
}

// dispute has somebody buy, whose bank wants the money back then.
func (s *shop) dispute(ctx context.Context, token string) error {
	charge, err := s.topUp(ctx, token, 800000)
	if err != nil {
		return err
	}
	if err := s.buy(ctx, token, s.packages[0]); err != nil {
		return err
	}
	return s.control(ctx, s.PayURL+"/emulator/charges/"+charge+"/dispute", map[string]any{})
}

// write has a customer ask the shop something by its form.
func (s *shop) write(ctx context.Context, token, name string) error {
	for _, one := range [][2]string{
		{"ขอใบกำกับภาษี", "ซื้อไปเมื่อวานสองรายการ อยากได้ใบกำกับภาษีในนามบริษัท ต้องส่งข้อมูลอะไรบ้าง"},
		{"เปลี่ยนวันได้ไหม", "จองไว้วันเสาร์ ติดธุระพอดี ขอเลื่อนเป็นวันอาทิตย์บ่ายได้ไหม"},
	} {
		asked := contact.Input{Name: name, Phone: "0812345678", Subject: one[0], Text: one[1]}
		if _, err := post[any](ctx, s.loader, s.site, "/api/user/contact/send", token, asked); err != nil {
			return err
		}
	}
	return nil
}

// claims is what LINE says of a person to this shop.
func (s *shop) claims(ctx context.Context, person string) (who struct {
	jwt.RegisteredClaims
	Name    string `json:"name"`
	Picture string `json:"picture"`
}, err error,
) {
	login, err := s.controlAnswer(ctx, s.LineURL+"/emulator/login", map[string]string{"person": person, "client_id": s.o.Channel})
	if err != nil {
		return who, err
	}
	idToken, _ := login["id_token"].(string)
	_, _, err = jwt.NewParser().ParseUnverified(idToken, &who) // the emulator's own, and nobody is let in by it here
	return who, err
}

func (s *shop) signIn(ctx context.Context, person string) (string, error) {
	login, err := s.controlAnswer(ctx, s.LineURL+"/emulator/login", map[string]string{"person": person, "client_id": s.o.Channel})
	if err != nil {
		return "", err
	}
	answer, err := post[signedIn](ctx, s.loader, s.site, "/api/authen/webclient/"+s.o.Unique+"/line", "",
		map[string]any{"LINETOKEN": login["id_token"], "unique": s.o.Unique, "addorg": true})
	return answer.Token, err
}

// agentLink is the code of the link of the demo's own agent.
func (s *shop) agentLink(ctx context.Context) (string, error) {
	login, err := s.controlAnswer(ctx, s.LineURL+"/emulator/login", map[string]string{"person": agentPerson, "client_id": s.o.Channel})
	if err != nil {
		return "", err
	}
	agent, err := post[signedIn](ctx, s.loader, s.site, "/api/authen/agent/"+s.o.liff("agent")+"/line", "", map[string]any{"LINETOKEN": login["id_token"]})
	if err != nil {
		return "", err
	}
	link, err := post[struct{ Code string }](ctx, s.loader, s.site, "/api/agent/link/create", agent.Token, map[string]any{"package_id": s.packages[0]})
	return link.Code, err
}

// topUp pays a PromptPay QR at the imitated gateway and waits for the money. It returns the gateway's charge.
func (s *shop) topUp(ctx context.Context, token string, satang int64) (charge string, err error) {
	started, err := post[struct {
		ID     uuid.UUID
		Charge string `json:"charge_id"`
	}](ctx, s.loader, s.site, "/api/user/wallet/topup", token, map[string]any{"amount_satang": satang, "method": "promptpay"})
	if err != nil {
		return "", err
	}
	if err := s.control(ctx, s.PayURL+"/emulator/charges/"+started.Charge+"/pay", map[string]any{}); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		now, err := post[struct{ State string }](ctx, s.loader, s.site, "/api/user/wallet/topup/get", token, created{started.ID})
		if err != nil || now.State == "captured" {
			return started.Charge, err
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("a top-up was not captured: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (s *shop) buy(ctx context.Context, token string, pkg uuid.UUID, codes ...string) error {
	lines := []map[string]any{{"package_id": pkg, "quantity": 1}}
	quote, err := post[struct {
		Hash     string
		Missing  int64 `json:"missing_satang"`
		Consents []struct {
			Version uuid.UUID `json:"_id"`
		}
	}](ctx, s.loader, s.site, "/api/user/order/quote", token, map[string]any{"lines": lines, "codes": codes})
	if err != nil {
		return err
	}
	if quote.Missing > 0 {
		return nil // he keeps what he has
	}
	accepted := []uuid.UUID{}
	for _, c := range quote.Consents {
		accepted = append(accepted, c.Version)
	}
	_, err = post[any](ctx, s.loader, s.site, "/api/user/order/confirm", token,
		map[string]any{"lines": lines, "codes": codes, "hash": quote.Hash, "accepted": accepted, "lang": "th"})
	return err
}

// useOne uses one item of the person's first voucher that is neither on sale nor on its way, at a service point that honours it.
func (s *shop) useOne(ctx context.Context, token string) error {
	type listed struct {
		ID          uuid.UUID
		Kind, State string
	}
	list, err := post[struct{ Data []listed }](ctx, s.loader, s.site, "/api/user/voucher/list", token, map[string]any{"filter": map[string]string{"state": "ready"}})
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list.Data, func(v listed) bool { return v.State == "ready" })
	if at < 0 {
		return nil
	}
	v := list.Data[at]
	detail, err := post[struct{ Where []created }](ctx, s.loader, s.site, "/api/user/voucher/detail", token, created{v.ID})
	if err != nil {
		return err
	}
	items := 1
	if v.Kind == "baht" {
		items = 15000
	}
	servicePoint := detail.Where[0].ID
	use, err := post[struct {
		ID     uuid.UUID `json:"id"`
		Secret string    `json:"secret"`
	}](ctx, s.loader, s.site, "/api/user/voucher/use", token, map[string]any{"voucher_id": v.ID, "service_point_id": servicePoint, "items": items})
	if err != nil {
		return err
	}
	door, err := post[signedIn](ctx, s.loader, s.site, "/api/authen/staff/user", "", map[string]string{"username": doorName, "password": doorPassword})
	if err != nil {
		return err
	}
	secret, err := base64.RawURLEncoding.DecodeString(use.Secret)
	if err != nil {
		return err
	}
	shown := map[string]any{"code": voucher.QR(s.org, use.ID, secret, time.Now()), "service_point_id": servicePoint}
	if _, err = post[any](ctx, s.loader, s.site, "/api/staff/voucher/verify", door.Token, shown); err != nil {
		return err
	}
	_, err = post[any](ctx, s.loader, s.site, "/api/staff/voucher/confirm", door.Token, map[string]any{"use_session_id": use.ID, "service_point_id": servicePoint})
	return err
}
