package apitest

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/tools/harness"
)

// TestOptionLists: an organisation keeps its own lists, and no body reaches another's.
func TestOptionLists(t *testing.T) {
	p := harness.Start(t)
	shop := p.Open("lamai-lists", "ละไม สปา", "1650000021")
	other := p.Open("tara-lists", "ธารา", "1650000022")
	owner := shop.Owner

	type list struct {
		Data  []harness.Saved
		Total int
	}
	// The specification's own body, with an organisation of the caller's choice.
	asked := func(b *harness.Browser, table string, organize any) []harness.Saved {
		return harness.MustPost[list](b, "/api/owner/get/"+table, "", map[string]any{
			"filter": map[string]any{"active": true, "status": 5, "organize": organize},
			"select": []string{"_id", "name_th", "name_en"}, "sort": "name_th", "limit": 5000,
		}).Data
	}
	oil := harness.MustPost[harness.Saved](owner, "/api/owner/save/service", "", map[string]any{"name_th": "นวดน้ำมัน", "name_en": "Oil massage", "position": 1})
	theirs := harness.MustPost[harness.Saved](other.Owner, "/api/owner/save/service", "", map[string]any{"name_th": "ห้องพัก", "name_en": "Room", "position": 1})

	t.Run("the specification's body is answered from the session's organisation, whichever it names", func(t *testing.T) {
		for _, organize := range []any{shop.ID, other.ID, other.Unique, uuid.New(), "", nil, 7, map[string]any{"$ne": ""}} {
			require.Equal(t, []harness.Saved{{"_id": oil.ID(), "name_th": "นวดน้ำมัน", "name_en": "Oil massage"}}, asked(owner, "service", organize), organize)
		}
		for _, table := range []string{"customertype", "qrtype", "timeslot", "salechannel", "size", "discount", "privilege", "membercardtype", "accesscontrol", "faq", "payment", "tags", "definestatus", "salepackage"} {
			for _, row := range asked(owner, table, other.ID) {
				require.Len(t, row, 3, table)
			}
		}
	})

	t.Run("a row of another organisation, or of another list, is not found", func(t *testing.T) {
		for path, body := range map[string]map[string]any{
			"/api/owner/detail/service": {"id": theirs.ID()},
			"/api/owner/status/service": {"ids": []string{theirs.ID()}, "status": 9},
			"/api/owner/save/service":   theirs,
			"/api/owner/detail/size":    {"id": oil.ID()},
			"/api/owner/status/size":    {"ids": []string{oil.ID()}, "status": 9},
			"/api/owner/save/size":      oil,
		} {
			require.Equal(t, http.StatusNotFound, owner.Post(path, "", body).Code, path)
		}
		require.Equal(t, []harness.Saved{{"_id": theirs.ID(), "name_th": "ห้องพัก", "name_en": "Room"}}, asked(other.Owner, "service", shop.ID))
	})

	t.Run("customers read the active kinds of member cards, whatever they filter by", func(t *testing.T) {
		add := func(b *harness.Browser, th, en string, position int) harness.Saved {
			return harness.MustPost[harness.Saved](b, "/api/owner/save/membercardtype", "", map[string]any{
				"name_th": th, "name_en": en, "position": position, "picture_id": nil, "validity": "months", "length": 12, "approval": "first", "level": 1, "least_age": 0, "price_satang": 0, "class": "ordinary",
				"asks_email": "off", "asks_idcard": "off", "asks_gender": "off", "asks_birthdate": "off", "asks_address": "off", "asks_nationality": "off", "asks_receipt": "off",
			})
		}
		gold, room := add(owner, "บัตรทอง", "Gold", 1), add(other.Owner, "บัตรห้องพัก", "Room", 1)
		add(owner, "บัตรเก่า", "Old", 2)
		for b, id := range map[*harness.Browser]string{owner: gold.ID(), other.Owner: room.ID()} {
			harness.MustPost[any](b, "/api/owner/status/membercardtype", "", map[string]any{"ids": []any{id}, "status": 5})
		}
		customer := shop.Customer("เมย์")
		for _, status := range []any{5, 2, nil, []any{2, 5, 9}} {
			seen := harness.MustPost[list](customer, "/api/user/get/membercardtype", "", map[string]any{
				"filter": map[string]any{"active": true, "status": status, "organize": other.ID}, "select": []string{"_id", "name_th", "name_en"},
			}).Data
			require.Equal(t, []harness.Saved{{"_id": gold.ID(), "name_th": "บัตรทอง", "name_en": "Gold"}}, seen, status)
		}
	})

	t.Run("the platform's own rows can be renamed, but neither deleted nor numbered anew", func(t *testing.T) {
		channels := harness.MustPost[list](owner, "/api/owner/get/salechannel", "", map[string]any{"sort": "number"}).Data
		require.Len(t, channels, 4)
		require.Len(t, asked(owner, "customertype", nil), 2)
		counter := channels[0]
		require.EqualValues(t, 1, counter["number"])

		require.Equal(t, "list_option.constant", owner.Post("/api/owner/status/salechannel", "", map[string]any{"ids": []any{counter.ID()}, "status": 9}).Fault)
		counter["name_th"], counter["number"], counter["list"] = "เคาน์เตอร์", 9, "size"
		renamed := harness.MustPost[harness.Saved](owner, "/api/owner/save/salechannel", "", counter)
		require.Equal(t, []any{"เคาน์เตอร์", 1.0, "salechannel"}, []any{renamed["name_th"], renamed["number"], renamed["list"]})

		own := harness.MustPost[harness.Saved](owner, "/api/owner/save/salechannel", "", map[string]any{"name_th": "งานแฟร์", "name_en": "Fair", "position": 9, "number": 2})
		require.Nil(t, own["number"])
		harness.MustPost[harness.Saved](owner, "/api/owner/status/salechannel", "", map[string]any{"ids": []any{own.ID()}, "status": 9})
	})

	t.Run("payment systems are listed without their keys, and cannot be saved", func(t *testing.T) {
		systems := harness.MustPost[list](owner, "/api/owner/get/payment", "", map[string]any{}).Data
		require.Len(t, systems, 1)
		for field := range systems[0] {
			require.NotContains(t, field, "key")
			require.NotContains(t, field, "secret")
			require.NotContains(t, field, "endpoint")
		}
		require.Equal(t, "select.0", owner.Post("/api/owner/get/payment", "", map[string]any{"select": []string{"secret_key"}}).Fields[0].Path)
		require.Equal(t, http.StatusNotFound, owner.Post("/api/owner/save/payment", "", systems[0]).Code)
	})

	t.Run("customers read the active questions, in the shop's order", func(t *testing.T) {
		ask := func(name string, position int) harness.Saved {
			return harness.MustPost[harness.Saved](owner, "/api/owner/save/faq", "", map[string]any{"name_th": name, "name_en": "", "answer_th": "ได้", "answer_en": "", "position": position})
		}
		late, early, hidden := ask("เลื่อนนัดได้ไหม", 2), ask("จองล่วงหน้าไหม", 1), ask("ร่าง", 0)
		harness.MustPost[harness.Saved](owner, "/api/owner/status/faq", "", map[string]any{"ids": []string{hidden.ID()}, "status": 2})

		read := harness.MustPost[list](shop.Customer("Uann"), "/api/user/get/faq", "", map[string]any{"filter": map[string]any{"organize": other.ID}}).Data
		require.Len(t, read, 2)
		require.Equal(t, []string{early.ID(), late.ID()}, []string{read[0].ID(), read[1].ID()})
		require.Empty(t, harness.MustPost[list](other.Customer("Uann"), "/api/user/get/faq", "", map[string]any{"filter": map[string]any{"organize": shop.ID}}).Data)
		require.Equal(t, http.StatusUnauthorized, p.Browser(shop.Host).Post("/api/user/get/faq", "", map[string]any{}).Code)
	})
}
