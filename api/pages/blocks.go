package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"welovevoucher/platform/money"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/optionlist"
)

// view is what a block shows: the page, and the row of it that the block is about.
type view struct {
	shown
	screens      *firstScreens
	lang         string
	org          *organisation
	card         *catalog.PackageCard
	item         *catalog.PartDetail
	servicePoint *catalog.PublicServicePoint
	tag          *catalog.Tag
	question     *optionlist.PublicQuestion
}

// escape writes what React would write for a text.
var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;")

// write appends the block with its values and the blocks within it. It fails if the build rendered no example that looks so.
func (v view) write(b *bytes.Buffer, block string) error {
	face := v.face(block)
	parts, known := v.screens.Blocks[v.lang][block][face]
	if !known {
		return fmt.Errorf("the first screens have no example of %s that is %q", block, face)
	}
	for i, part := range parts {
		inner, isBlock := strings.CutPrefix(part, "#")
		switch {
		case i%2 == 0:
			b.WriteString(part)
		case isBlock:
			for _, row := range v.rows(inner) {
				if err := row.write(b, inner); err != nil {
					return err
				}
			}
		default:
			value, filled := v.value(part)
			if !filled {
				return fmt.Errorf("nothing fills the hole %q in the first screens' %s", part, block)
			}
			_, _ = escape.WriteString(b, value) // a buffer takes everything
		}
	}
	return nil
}

// How much there must be of something before a page says so: the same as in apps/customer (market-page.tsx,
// package-page.tsx, shop-home-page.tsx), whose components choose by it.
const (
	worthSorting       = 4
	scarce, bestSeller = 20, 100
	frontTickets       = 3
	frontPackages      = 8
	frontServicePoints = 4
	frontQuestions     = 4
)

// face names the example that a block looks like, by the choices of apps/customer/src/first-screen/examples.tsx in their order.
// It is empty for a block that always looks the same.
func (v view) face(block string) string {
	for _, choices := range []func(string) []string{v.listChoices, v.packageChoices, v.frontChoices} {
		if chosen := choices(block); chosen != nil {
			return strings.Join(chosen, " ")
		}
	}
	return ""
}

// choose returns yes or no.
func choose(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// mark is what stands for the shop.
func (v view) mark() string { return choose(v.org.LogoURL != nil, "logo", "monogram") }

func (v view) listChoices(block string) []string {
	switch c := v.card; block {
	case "market":
		return []string{v.mark()}
	case "feature":
		return []string{
			choose(c.Picture != nil, "picture", v.mark()), choose(c.Featured, "featured", "plain"),
			choose(v.text(c.BadgeTH, c.BadgeEN) != "", "own", "none"), choose(reduced(c), "reduced", "whole"),
		}
	case "rest":
		sold := slices.ContainsFunc(v.market.Data, func(c catalog.PackageCard) bool { return c.Sold > 0 })
		return []string{choose(sold, "sold", "unsold"), choose(v.market.Total > worthSorting, "many", "few")}
	case "tile":
		badge := choose(v.text(c.BadgeTH, c.BadgeEN) != "", "own", choose(percent(c) > 0, "percent", "none"))
		stock := choose(c.ServicePoints > 1, "service points", "uncounted")
		if c.Remaining != nil {
			stock = choose(*c.Remaining == 0, "out", "left")
		}
		return []string{choose(c.Picture != nil, "picture", v.mark()), badge, stock, choose(c.Sold > 0, "sold", "unsold")}
	}
	return nil
}

func (v view) packageChoices(block string) []string {
	switch c := v.card; block {
	case "package":
		return []string{v.mark(), choose(c.Picture != nil, "picture", "none")}
	case "head":
		stock := "plenty"
		if c.Remaining != nil && *c.Remaining <= scarce {
			stock = choose(*c.Remaining == 0, "out", "scarce")
		}
		sold := choose(c.Sold >= bestSeller, "best", choose(c.Sold > 0, "sold", "unsold"))
		items := v.product.Items
		each := len(items) == 1 && items[0].Kind == "item" && uses(&items[0]) > 1
		return []string{stock, sold, choose(reduced(c), "reduced", "whole"), choose(each, "each", "single")}
	case "item":
		worth := choose(v.item.Quantity == 1, "worth", "worths")
		return []string{choose(v.item.Kind == "item", choose(uses(v.item) == 1, "use", "uses"), worth)}
	case "seller line":
		points := v.product.OfTheShop
		return []string{choose(points > 1, "several", choose(points == 1, "one", "none"))}
	case "validity":
		return []string{choose(v.item.ValidUntil != nil, "until", "days"), choose(len(v.distinct(lastDay)) > 1, "named", "plain")}
	case "transfer":
		once := v.item.TransferRule == "times" && v.item.TransferTimes == 1
		return []string{choose(once, "once", v.item.TransferRule), choose(v.item.TransferTogether, "together", "apart")}
	case "refund":
		handed := slices.ContainsFunc(v.product.Items, func(i catalog.PartDetail) bool { return i.TransferRule != "none" })
		return []string{v.product.Rule, choose(v.product.FeeBasisPoints > 0, "fee", "free"), choose(handed, "handed", "kept")}
	case "after expiry":
		return []string{v.item.ExpiryRule, choose(len(v.distinct(expiryRule)) > 1, "named", "plain")}
	case "booking":
		return []string{choose(len(v.phoned()) > 1, "several", "one")}
	case "where":
		if len(v.product.Where) > 1 {
			return []string{"several"}
		}
		return []string{choose(v.whereLine() == "", "bare", "one")}
	case "foot":
		return []string{choose(c.Remaining != nil && *c.Remaining == 0, "out", "left")}
	}
	return nil
}

func (v view) frontChoices(block string) []string {
	switch block {
	case "front":
		tagline := choose(v.text(v.org.TaglineTH, v.org.TaglineEN) != "", "tagline", "untold")
		sells := choose(len(v.market.Data) > 0, "packages", "nothing")
		return []string{v.mark(), tagline, choose(v.path == "/", "root", "beside"), sells}
	case "used at":
		return []string{choose(len(v.servicePoints) == 1, "one", "several")}
	case "fan":
		chosen := []string{v.mark()}
		for _, ticket := range v.tickets() {
			chosen = append(chosen, choose(ticket.Picture != nil, "picture", "mark"))
		}
		return chosen
	case "packages":
		return []string{choose(v.market.Total > frontPackages, "more", "all")}
	case "service points":
		return []string{choose(len(v.servicePoints) > frontServicePoints, "more", "all")}
	case "service point":
		mapped := v.servicePoint.Latitude != nil && v.servicePoint.Longitude != nil
		return []string{choose(v.servicePoint.Phone != "", "phone", "silent"), choose(mapped, "map", "unmapped")}
	case "questions":
		return []string{choose(len(v.questions) > frontQuestions, "more", "all")}
	}
	return nil
}

// rows returns what stands in a block's hole for other blocks: a view for each, or none.
func (v view) rows(block string) (rows []view) {
	shows := func(is bool) []view {
		if is {
			return []view{v}
		}
		return nil
	}
	switch block {
	case "tag":
		for i := range v.tags {
			row := v
			row.tag = &v.tags[i]
			rows = append(rows, row)
		}
		return rows
	case "feature":
		return v.of(v.market.Data[v.leading() : v.leading()+1])
	case "rest":
		return shows(len(v.market.Data) > 1)
	case "more":
		return shows(v.market.Next != nil)
	case "tile":
		if v.front {
			return v.of(v.market.Data[:min(len(v.market.Data), frontPackages)])
		}
		leading := v.leading()
		return v.of(slices.Concat(v.market.Data[:leading], v.market.Data[leading+1:]))
	case "item":
		for i := range v.product.Items {
			row := v
			row.item = &v.product.Items[i]
			rows = append(rows, row)
		}
		return rows
	case "validity":
		return v.distinct(lastDay)
	case "transfer":
		return v.distinct(func(i *catalog.PartDetail) string {
			return fmt.Sprint(i.TransferRule, i.TransferTimes, i.TransferTogether)
		})
	case "after expiry":
		return v.distinct(expiryRule)
	case "conditions":
		return slices.DeleteFunc(v.distinct(func(i *catalog.PartDetail) string { return i.ConditionsTH }),
			func(row view) bool { return v.text(row.item.ConditionsTH, row.item.ConditionsEN) == "" })
	case "usable":
		return slices.DeleteFunc(v.distinct(func(i *catalog.PartDetail) string { return i.UsableTH }),
			func(row view) bool { return v.text(row.item.UsableTH, row.item.UsableEN) == "" })
	case "refund":
		return shows(v.card.Price > 0)
	case "protection":
		return shows(v.product.Protected)
	case "where":
		return v.at(v.product.Where[:min(len(v.product.Where), 1)])
	case "booking":
		return v.phoned()[:min(len(v.phoned()), 1)]
	case "about":
		return shows(v.text(v.product.DescriptionTH, v.product.DescriptionEN) != "")
	case "fan":
		return v.of(v.tickets()[:1])
	case "kept safe":
		return shows(v.org.Protected)
	case "packages":
		return shows(len(v.market.Data) > 1)
	case "used at", "service points":
		return v.at(v.servicePoints[:min(len(v.servicePoints), 1)])
	case "service point":
		return v.at(v.servicePoints[:min(len(v.servicePoints), frontServicePoints)])
	case "questions":
		return shows(len(v.questions) > 0)
	case "question":
		for i := range v.questions[:min(len(v.questions), frontQuestions)] {
			row := v
			row.question = &v.questions[i]
			rows = append(rows, row)
		}
		return rows
	}
	return shows(true)
}

func (v view) of(cards []catalog.PackageCard) (rows []view) {
	for i := range cards {
		row := v
		row.card = &cards[i]
		rows = append(rows, row)
	}
	return rows
}

func (v view) at(points []catalog.PublicServicePoint) (rows []view) {
	for i := range points {
		row := v
		row.servicePoint = &points[i]
		rows = append(rows, row)
	}
	return rows
}

// distinct returns the first of the package's items of each different rule.
func (v view) distinct(rule func(*catalog.PartDetail) string) (rows []view) {
	seen := map[string]bool{}
	for i := range v.product.Items {
		row := v
		row.item = &v.product.Items[i]
		if r := rule(row.item); !seen[r] {
			seen[r] = true
			rows = append(rows, row)
		}
	}
	return rows
}

// What a package says of each of its parts that differ in it.
func lastDay(i *catalog.PartDetail) string    { return i.LastDay }
func expiryRule(i *catalog.PartDetail) string { return i.ExpiryRule }

// phoned returns the package's service points that can be called.
func (v view) phoned() (rows []view) {
	return slices.DeleteFunc(v.at(v.product.Where), func(row view) bool { return row.servicePoint.Phone == "" })
}

// leading is the index of the package that leads the market.
func (v view) leading() int {
	return max(0, slices.IndexFunc(v.market.Data, func(c catalog.PackageCard) bool { return c.Featured }))
}

// tickets are the packages on the tickets of a shop's front: what it puts first leads, the best sold follow.
func (v view) tickets() []catalog.PackageCard {
	cards := slices.Clone(v.market.Data)
	slices.SortStableFunc(cards, func(a, b catalog.PackageCard) int {
		if a.Featured == b.Featured {
			return 0
		}
		if a.Featured {
			return -1
		}
		return 1
	})
	return cards[:min(len(cards), frontTickets)]
}

// value returns what stands in a hole. It returns false if nothing fills it.
func (v view) value(hole string) (string, bool) {
	switch hole {
	case "area":
		return v.area, true
	case "brand":
		return v.brand(), true
	case "monogram":
		return v.screens.Monogram.of(v.brand()), true
	case "logo":
		return *v.org.LogoURL, true
	case "tagline":
		return v.text(v.org.TaglineTH, v.org.TaglineEN), true
	case "since":
		year, month, _ := strings.Cut(v.org.Since, "-")
		return month + "/" + year, true
	case "shop service points":
		return grouped(int64(v.product.OfTheShop)), true
	case "shown":
		return strconv.Itoa(len(v.market.Data)), true
	case "total":
		return strconv.FormatInt(v.market.Total, 10), true
	case "number":
		if v.product != nil {
			return strconv.Itoa(len(v.product.Where)), true
		}
		return strconv.Itoa(len(v.servicePoints)), true
	}
	switch {
	case v.tag != nil:
		return v.tagValue(hole)
	case v.item != nil:
		return v.itemValue(hole)
	case v.servicePoint != nil:
		return v.servicePointValue(hole)
	case v.question != nil:
		return v.questionValue(hole)
	case v.card != nil:
		return v.cardValue(hole)
	}
	return "", false
}

func (v view) tagValue(hole string) (string, bool) {
	switch hole {
	case "id":
		return v.tag.ID.String(), true
	case "name":
		return v.text(v.tag.NameTH, v.tag.NameEN), true
	}
	return "", false
}

func (v view) cardValue(hole string) (string, bool) {
	c := v.card
	for at, prefix := range []string{"second ", "third "} {
		if name, is := strings.CutPrefix(hole, prefix); is {
			c, hole = &v.tickets()[at+1], name
		}
	}
	switch hole {
	case "id":
		return c.ID.String(), true
	case "name":
		return v.text(c.NameTH, c.NameEN), true
	case "badge":
		return v.text(c.BadgeTH, c.BadgeEN), true
	case "picture":
		return c.Picture.ID.String(), true
	case "baht":
		return baht(c.Price), true
	case "satang":
		return satang(c.Price), true
	case "list baht":
		return baht(*c.ListPrice), true
	case "list satang":
		return satang(*c.ListPrice), true
	case "saving":
		return (*c.ListPrice - c.Price).String(), true
	case "percent":
		return strconv.Itoa(percent(c)), true
	case "left":
		return grouped(*c.Remaining), true
	case "sold":
		return grouped(c.Sold), true
	case "service points":
		return strconv.Itoa(c.ServicePoints), true
	case "each":
		number := uses(&v.product.Items[0])
		return money.Amount(math.Round(float64(c.Price) / float64(number))).String(), true
	case "until":
		return slashed(v.product.RefundUntil), true
	case "fee":
		return strconv.FormatFloat(float64(v.product.FeeBasisPoints)/100, 'f', -1, 64), true
	case "description":
		return v.text(v.product.DescriptionTH, v.product.DescriptionEN), true
	}
	return "", false
}

func (v view) itemValue(hole string) (string, bool) {
	switch hole {
	case "name":
		return v.text(v.item.NameTH, v.item.NameEN), true
	case "uses":
		return grouped(uses(v.item)), true
	case "quantity":
		return strconv.Itoa(v.item.Quantity), true
	case "worth":
		return money.Amount(v.item.Count).String(), true
	case "days":
		return strconv.Itoa(*v.item.ValidDays), true
	case "until":
		return slashed(v.item.LastDay), true
	case "times":
		return grouped(int64(v.item.TransferTimes)), true
	case "conditions":
		return v.text(v.item.ConditionsTH, v.item.ConditionsEN), true
	case "usable":
		return v.text(v.item.UsableTH, v.item.UsableEN), true
	}
	return "", false
}

// slashed returns a day as people write it.
func slashed(day string) string {
	year, rest, _ := strings.Cut(day, "-")
	month, of, _ := strings.Cut(rest, "-")
	return of + "/" + month + "/" + year
}

func (v view) servicePointValue(hole string) (string, bool) {
	switch hole {
	case "name":
		return v.text(v.servicePoint.NameTH, v.servicePoint.NameEN), true
	case "where":
		return v.whereLine(), true
	case "names":
		var names []string
		for _, p := range v.product.Where {
			names = append(names, v.text(p.NameTH, p.NameEN))
		}
		return strings.Join(names, " · "), true
	case "address":
		return v.text(v.servicePoint.AddressTH, v.servicePoint.AddressEN), true
	case "hours":
		return v.text(v.servicePoint.HoursTH, v.servicePoint.HoursEN), true
	case "phone":
		return v.screens.Phone.write(v.servicePoint.Phone), true
	case "tel":
		return "tel:" + dialled(v.servicePoint.Phone), true
	case "position":
		return number(*v.servicePoint.Latitude) + "," + number(*v.servicePoint.Longitude), true
	}
	return "", false
}

func (v view) questionValue(hole string) (string, bool) {
	switch hole {
	case "name":
		return v.text(v.question.NameTH, v.question.NameEN), true
	case "answer":
		return v.text(v.question.AnswerTH, v.question.AnswerEN), true
	}
	return "", false
}

// text is the one of two texts that the reader reads; the other where it is empty.
func (v view) text(th, en string) string {
	first, second := th, en
	if v.lang == "en" {
		first, second = en, th
	}
	if first == "" {
		first = second
	}
	return v.screens.Thai.join(first)
}

func (v view) brand() string { return v.text(v.org.NameTH, v.org.NameEN) }

// whereLine says of the package's only service point where it is and when it is open.
func (v view) whereLine() string {
	p := v.product.Where[0]
	parts := []string{v.text(p.AddressTH, p.AddressEN), v.text(p.HoursTH, p.HoursEN)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// reduced says that a package would cost more otherwise.
func reduced(c *catalog.PackageCard) bool { return c.ListPrice != nil && *c.ListPrice > c.Price }

// percent is how much less a package costs than otherwise, 0 where there is nothing to show.
func percent(c *catalog.PackageCard) int {
	if !reduced(c) {
		return 0
	}
	return int(math.Round((1 - float64(c.Price)/float64(*c.ListPrice)) * 100))
}

// uses is how often what a package has of one kind can be used.
func uses(i *catalog.PartDetail) int64 { return int64(i.Quantity) * i.Count }

// baht and satang are the two parts of an amount.
func baht(a money.Amount) string   { whole, _, _ := strings.Cut(a.String(), "."); return whole }
func satang(a money.Amount) string { _, rest, _ := strings.Cut(a.String(), "."); return rest }

// number is a coordinate as JavaScript writes it.
func number(f float64) string {
	text, err := json.Marshal(f)
	if err != nil {
		panic(fmt.Errorf("a coordinate: %w", err)) // it came out of a number of the database
	}
	return string(text)
}

// grouped is a number with its thousands parted.
func grouped(n int64) string {
	whole, _, _ := strings.Cut((money.Amount(n) * money.Baht).String(), ".")
	return whole
}

// dialled is a telephone number without what it is only written with.
func dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r == '+' || (r >= '0' && r <= '9') {
			return r
		}
		return -1
	}, phone)
}
