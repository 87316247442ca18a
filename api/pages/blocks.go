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
	screens  *firstScreens
	lang     string
	org      *organisation
	card     *catalog.PackageCard
	item     *catalog.PartDetail
	place    *catalog.ServicePoint
	tag      *catalog.Tag
	question *optionlist.PublicFAQ
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
			value, err := v.value(part)
			if err != nil {
				return err
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
	frontPlaces        = 4
	frontQuestions     = 4
)

// face names the example that a block looks like, by the choices of apps/customer/src/first-screen/examples.tsx in their order.
func (v view) face(block string) string {
	choose := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	mark := choose(v.org.LogoURL != nil, "logo", "letter")
	number := func(n int) string { return choose(n == 1, "one", "several") }
	more := func(n, most int) string { return choose(n > most, "more", "all") }

	var chosen []string
	switch c := v.card; block {
	case "market":
		chosen = []string{mark}
	case "feature":
		chosen = []string{
			choose(c.Picture != nil, "picture", mark), choose(c.Featured, "featured", "plain"),
			choose(v.text(c.BadgeTH, c.BadgeEN) != "", "own", "none"), choose(reduced(c), "reduced", "whole"),
		}
	case "rest":
		sold := slices.ContainsFunc(v.market.Data, func(c catalog.PackageCard) bool { return c.Sold > 0 })
		chosen = []string{choose(sold, "sold", "unsold"), choose(v.market.Total > worthSorting, "many", "few")}
	case "tile":
		badge := choose(v.text(c.BadgeTH, c.BadgeEN) != "", "own", choose(percent(c) > 0, "percent", "none"))
		stock := choose(c.Places > 1, "places", "uncounted")
		if c.Remaining != nil {
			stock = choose(*c.Remaining == 0, "out", "left")
		}
		chosen = []string{choose(c.Picture != nil, "picture", mark), badge, stock, choose(c.Sold > 0, "sold", "unsold")}
	case "package":
		chosen = []string{mark, choose(c.Picture != nil, "picture", "none")}
	case "head":
		stock := "plenty"
		if c.Remaining != nil && *c.Remaining <= scarce {
			stock = choose(*c.Remaining == 0, "out", "scarce")
		}
		sold := choose(c.Sold >= bestSeller, "best", choose(c.Sold > 0, "sold", "unsold"))
		items := v.product.Items
		each := len(items) == 1 && items[0].Kind == "item" && uses(&items[0]) > 1
		chosen = []string{stock, sold, choose(reduced(c), "reduced", "whole"), choose(each, "each", "single")}
	case "item":
		worth := choose(v.item.Quantity == 1, "worth", "worths")
		chosen = []string{choose(v.item.Kind == "item", choose(uses(v.item) == 1, "use", "uses"), worth)}
	case "validity":
		chosen = []string{choose(v.item.ValidUntil != nil, "until", choose(v.item.ValidDays != nil, "days", "unlimited"))}
	case "transfer":
		once := v.item.TransferRule == "times" && v.item.TransferTimes == 1
		chosen = []string{choose(once, "once", v.item.TransferRule), choose(v.item.TransferTogether, "together", "apart")}
	case "where":
		chosen = []string{number(len(v.product.Where))}
		if len(v.product.Where) == 1 && v.whereLine() == "" {
			chosen = []string{"bare"}
		}
	case "foot":
		chosen = []string{choose(c.Remaining != nil && *c.Remaining == 0, "out", "left")}
	case "front":
		tagline := choose(v.text(v.org.TaglineTH, v.org.TaglineEN) != "", "tagline", "untold")
		sells := choose(len(v.market.Data) > 0, "packages", "nothing")
		chosen = []string{mark, tagline, choose(v.path == "/", "root", "beside"), sells}
	case "used at":
		chosen = []string{number(len(v.places))}
	case "fan":
		chosen = []string{mark}
		for _, ticket := range v.tickets() {
			chosen = append(chosen, choose(ticket.Picture != nil, "picture", "mark"))
		}
	case "packages":
		chosen = []string{choose(v.market.Total > frontPackages, "more", "all")}
	case "places":
		chosen = []string{more(len(v.places), frontPlaces)}
	case "place":
		p := v.place
		chosen = []string{choose(p.Phone != "", "phone", "silent"), choose(p.Latitude != nil && p.Longitude != nil, "map", "unmapped")}
	case "questions":
		chosen = []string{more(len(v.questions), frontQuestions)}
	}
	return strings.Join(chosen, " ")
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
		return v.distinct(func(i *catalog.PartDetail) string {
			rule, _ := json.Marshal([]any{i.ValidDays, i.ValidUntil})
			return string(rule)
		})
	case "transfer":
		return v.distinct(func(i *catalog.PartDetail) string {
			return fmt.Sprint(i.TransferRule, i.TransferTimes, i.TransferTogether)
		})
	case "conditions":
		return slices.DeleteFunc(v.distinct(func(i *catalog.PartDetail) string { return i.ConditionsTH }),
			func(row view) bool { return v.text(row.item.ConditionsTH, row.item.ConditionsEN) == "" })
	case "protection":
		return shows(v.product.Protected)
	case "where":
		return v.at(v.product.Where[:min(len(v.product.Where), 1)])
	case "about":
		return shows(v.text(v.product.DescriptionTH, v.product.DescriptionEN) != "")
	case "fan":
		return v.of(v.tickets()[:1])
	case "kept safe":
		return shows(v.org.Protected)
	case "packages":
		return shows(len(v.market.Data) > 1)
	case "used at", "places":
		return shows(len(v.places) > 0)
	case "place":
		return v.at(v.places[:min(len(v.places), frontPlaces)])
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

func (v view) at(places []catalog.ServicePoint) (rows []view) {
	for i := range places {
		row := v
		row.place = &places[i]
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

// leading is the place of the package that leads the market.
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

// value returns what stands in a hole.
func (v view) value(hole string) (string, error) {
	c := v.card
	if name, is := strings.CutPrefix(hole, "second "); is {
		c, hole = &v.tickets()[1], name
	}
	if name, is := strings.CutPrefix(hole, "third "); is {
		c, hole = &v.tickets()[2], name
	}
	baht := func(a money.Amount) string { whole, _, _ := strings.Cut(a.String(), "."); return whole }
	satang := func(a money.Amount) string { _, rest, _ := strings.Cut(a.String(), "."); return rest }

	switch hole {
	case "area":
		return v.area, nil
	case "brand":
		return v.brand(), nil
	case "letter":
		return letter(v.brand()), nil
	case "logo":
		return *v.org.LogoURL, nil
	case "tagline":
		return v.text(v.org.TaglineTH, v.org.TaglineEN), nil
	case "id":
		if v.tag != nil {
			return v.tag.ID.String(), nil
		}
		return c.ID.String(), nil
	case "name":
		return v.name(c), nil
	case "badge":
		return v.text(c.BadgeTH, c.BadgeEN), nil
	case "picture":
		return c.Picture.ID.String(), nil
	case "baht":
		return baht(c.Price), nil
	case "satang":
		return satang(c.Price), nil
	case "list baht":
		return baht(*c.ListPrice), nil
	case "list satang":
		return satang(*c.ListPrice), nil
	case "percent":
		return strconv.Itoa(percent(c)), nil
	case "left":
		return grouped(*c.Remaining), nil
	case "sold":
		return grouped(c.Sold), nil
	case "places":
		return strconv.Itoa(c.Places), nil
	case "shown":
		return strconv.Itoa(len(v.market.Data)), nil
	case "total":
		return strconv.FormatInt(v.market.Total, 10), nil
	case "number":
		if v.product != nil {
			return strconv.Itoa(len(v.product.Where)), nil
		}
		return strconv.Itoa(len(v.places)), nil
	case "each":
		number := uses(&v.product.Items[0])
		return money.Amount(math.Round(float64(c.Price) / float64(number))).String(), nil
	case "description":
		return v.text(v.product.DescriptionTH, v.product.DescriptionEN), nil
	case "uses":
		return grouped(uses(v.item)), nil
	case "quantity":
		return strconv.Itoa(v.item.Quantity), nil
	case "worth":
		return money.Amount(v.item.Count).String(), nil
	case "days":
		return strconv.Itoa(*v.item.ValidDays), nil
	case "until":
		year, rest, _ := strings.Cut(*v.item.ValidUntil, "-")
		month, day, _ := strings.Cut(rest, "-")
		return day + "/" + month + "/" + year, nil
	case "times":
		return grouped(int64(v.item.TransferTimes)), nil
	case "conditions":
		return v.text(v.item.ConditionsTH, v.item.ConditionsEN), nil
	case "where":
		return v.whereLine(), nil
	case "names":
		var names []string
		for _, p := range v.product.Where {
			names = append(names, v.text(p.NameTH, p.NameEN))
		}
		return strings.Join(names, " · "), nil
	case "address":
		return v.text(v.place.AddressTH, v.place.AddressEN), nil
	case "hours":
		return v.text(v.place.HoursTH, v.place.HoursEN), nil
	case "phone":
		return v.place.Phone, nil
	case "tel":
		return "tel:" + dialled(v.place.Phone), nil
	case "position":
		at, err := json.Marshal([]float64{*v.place.Latitude, *v.place.Longitude}) // as JavaScript writes numbers
		return strings.Trim(string(at), "[]"), err
	case "answer":
		return v.text(v.question.AnswerTH, v.question.AnswerEN), nil
	}
	return "", fmt.Errorf("the first screens have a hole %q that nothing fills", hole)
}

// name is the name of what the block is about.
func (v view) name(c *catalog.PackageCard) string {
	switch {
	case v.tag != nil:
		return v.text(v.tag.NameTH, v.tag.NameEN)
	case v.item != nil:
		return v.text(v.item.NameTH, v.item.NameEN)
	case v.place != nil:
		return v.text(v.place.NameTH, v.place.NameEN)
	case v.question != nil:
		return v.text(v.question.NameTH, v.question.NameEN)
	case c != nil:
		return v.text(c.NameTH, c.NameEN)
	}
	return v.text(v.places[0].NameTH, v.places[0].NameEN)
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

// letter is the first one of a name: Thai writes some vowels before the consonant that is read first.
func letter(name string) string {
	letters := []rune(name)
	if len(letters) > 1 && strings.ContainsRune("เแโใไ", letters[0]) {
		letters = letters[1:]
	}
	if len(letters) == 0 {
		return ""
	}
	return string(letters[0])
}

// whereLine says of the package's only place where it is and when it is open.
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
