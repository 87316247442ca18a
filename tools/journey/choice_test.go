package journey

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// TestOptionLists: an organisation keeps its own lists, and no body reaches another's.
func TestOptionLists(t *testing.T) {
	p := start(t)
	shop := p.open("lamai-lists", "ละไม สปา", "1650000021")
	other := p.open("tara-lists", "ธารา", "1650000022")
	desk := shop.owner

	type list struct {
		Data  []saved
		Total int
	}
	// The specification's own body (section 7), with an organisation of the caller's choice.
	asked := func(b *browser, table string, organize any) []saved {
		return must[list](b, "/api/owner/get/"+table, "", map[string]any{
			"filter": map[string]any{"active": true, "status": 5, "organize": organize},
			"select": []string{"_id", "name_th", "name_en"}, "sort": "name_th", "limit": 5000,
		}).Data
	}
	oil := must[saved](desk, "/api/owner/save/service", "", map[string]any{"name_th": "นวดน้ำมัน", "name_en": "Oil massage", "position": 1})
	theirs := must[saved](other.owner, "/api/owner/save/service", "", map[string]any{"name_th": "ห้องพัก", "name_en": "Room", "position": 1})

	t.Run("the specification's body is answered from the session's organisation, whichever it names", func(t *testing.T) {
		for _, organize := range []any{shop.id, other.id, other.unique, uuid.New(), "", nil, 7, map[string]any{"$ne": ""}} {
			require.Equal(t, []saved{{"_id": oil.id(), "name_th": "นวดน้ำมัน", "name_en": "Oil massage"}}, asked(desk, "service", organize), organize)
		}
		for _, table := range []string{"customertype", "qrtype", "timeslot", "salechannel", "size", "faq", "payment", "tags", "definestatus", "salepackage"} {
			for _, row := range asked(desk, table, other.id) {
				require.Len(t, row, 3, table)
			}
		}
	})

	t.Run("a row of another organisation, or of another list, is not there", func(t *testing.T) {
		for path, body := range map[string]map[string]any{
			"/api/owner/detail/service": {"id": theirs.id()},
			"/api/owner/status/service": {"ids": []string{theirs.id()}, "status": 9},
			"/api/owner/save/service":   theirs,
			"/api/owner/detail/size":    {"id": oil.id()},
			"/api/owner/status/size":    {"ids": []string{oil.id()}, "status": 9},
			"/api/owner/save/size":      oil,
		} {
			require.Equal(t, http.StatusNotFound, desk.post(path, "", body).Code, path)
		}
		require.Equal(t, []saved{{"_id": theirs.id(), "name_th": "ห้องพัก", "name_en": "Room"}}, asked(other.owner, "service", shop.id))
	})

	t.Run("the platform's own rows are renamed, not deleted, and nobody makes another of their number", func(t *testing.T) {
		channels := must[list](desk, "/api/owner/get/salechannel", "", map[string]any{"sort": "number"}).Data
		require.Len(t, channels, 4)
		require.Len(t, asked(desk, "customertype", nil), 2)
		counter := channels[0]
		require.EqualValues(t, 1, counter["number"])

		require.Equal(t, "choice.constant", desk.post("/api/owner/status/salechannel", "", map[string]any{"ids": []any{counter.id()}, "status": 9}).Fault)
		counter["name_th"], counter["number"], counter["list"] = "เคาน์เตอร์", 9, "size"
		renamed := must[saved](desk, "/api/owner/save/salechannel", "", counter)
		require.Equal(t, []any{"เคาน์เตอร์", 1.0, "salechannel"}, []any{renamed["name_th"], renamed["number"], renamed["list"]})

		own := must[saved](desk, "/api/owner/save/salechannel", "", map[string]any{"name_th": "งานแฟร์", "name_en": "Fair", "position": 9, "number": 2})
		require.Nil(t, own["number"])
		must[saved](desk, "/api/owner/status/salechannel", "", map[string]any{"ids": []any{own.id()}, "status": 9})
	})

	t.Run("ways to pay are listed without a key, and only listed", func(t *testing.T) {
		systems := must[list](desk, "/api/owner/get/payment", "", map[string]any{}).Data
		require.Len(t, systems, 1)
		for field := range systems[0] {
			require.NotContains(t, field, "key")
			require.NotContains(t, field, "secret")
			require.NotContains(t, field, "endpoint")
		}
		require.Equal(t, "select.0", desk.post("/api/owner/get/payment", "", map[string]any{"select": []string{"secret_key"}}).Fields[0].Path)
		require.Equal(t, http.StatusNotFound, desk.post("/api/owner/save/payment", "", systems[0]).Code)
	})

	t.Run("customers read what they ask, in the shop's order, once it is shown", func(t *testing.T) {
		ask := func(name string, position int) saved {
			return must[saved](desk, "/api/owner/save/faq", "", map[string]any{"name_th": name, "name_en": "", "answer_th": "ได้", "answer_en": "", "position": position})
		}
		late, early, hidden := ask("เลื่อนนัดได้ไหม", 2), ask("จองล่วงหน้าไหม", 1), ask("ร่าง", 0)
		must[saved](desk, "/api/owner/status/faq", "", map[string]any{"ids": []string{hidden.id()}, "status": 2})

		read := must[list](shop.customer("Uann"), "/api/user/get/faq", "", map[string]any{"filter": map[string]any{"organize": other.id}}).Data
		require.Len(t, read, 2)
		require.Equal(t, []string{early.id(), late.id()}, []string{read[0].id(), read[1].id()})
		require.Empty(t, must[list](other.customer("Uann"), "/api/user/get/faq", "", map[string]any{"filter": map[string]any{"organize": shop.id}}).Data)
		require.Equal(t, http.StatusUnauthorized, p.browser(shop.host).post("/api/user/get/faq", "", map[string]any{}).Code)
	})
}
