package resource_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/db/dbtest"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
)

// product has a column of every kind.
type product struct {
	resource.Base
	Code     string      `json:"code"`
	NameTH   string      `json:"name_th"`
	NameEN   string      `json:"name_en"`
	Price    int64       `json:"price_satang"`
	SaleTo   *time.Time  `json:"sale_to"`
	SaleDay  *string     `json:"sale_day"`
	Featured bool        `json:"featured"`
	Weight   float64     `json:"weight"`
	Tags     []uuid.UUID `json:"tags"`
}

var products = resource.New(resource.Def[product]{
	Name: "product", Module: "product", Relation: "package", AtMost: 1000, HasStatus: true, InitialStatus: resource.Inactive, Sort: "-created_at",
	Columns: []resource.Column{
		{Name: "code", Can: resource.Filter | resource.Search | resource.Sort | resource.Write | resource.Lookup, TH: "รหัส", EN: "Code"},
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Write | resource.Lookup, TH: "ชื่อ", EN: "Name"},
		{Name: "name_en", Can: resource.Write},
		{Name: "price_satang", Can: resource.Filter | resource.Sort | resource.Write},
		{Name: "sale_to", Can: resource.Filter | resource.Sort | resource.Write},
		{Name: "sale_day", SQL: "(r.sale_to AT TIME ZONE 'Asia/Bangkok')::date", Date: true, Can: resource.Filter | resource.Sort},
		{Name: "featured", Can: resource.Filter | resource.Sort | resource.Write},
		{Name: "weight", SQL: "r.price_satang::float8", Can: resource.Filter | resource.Sort},
		{Name: "tags", SQL: "ARRAY(SELECT tag_id FROM package_tag WHERE package_id = r.id ORDER BY tag_id)", Can: resource.Filter},
	},
	Constraints: map[string]fault.Field{
		"package_code":   {Path: "code", Fault: fault.Duplicate.Code},
		"package_period": {Path: "sale_to", Fault: fault.TooSmall.Code},
	},
	Validate: func(p product) (bad []fault.Field) {
		if p.Code == "" {
			bad = append(bad, fault.Field{Path: "code", Fault: fault.Required.Code})
		}
		return bad
	},
})

// account refers to a row of a table whose deleted rows stay.
type account struct {
	resource.Base
	Username   string     `json:"username"`
	Name       string     `json:"name"`
	Role       string     `json:"role"`
	Permission *uuid.UUID `json:"permission_id"`
}

var accounts = resource.New(resource.Def[account]{
	Name: "account", Module: "account", Relation: "staff", AtMost: 1000, HasStatus: true, InitialStatus: resource.Active, Sort: "username",
	Columns: []resource.Column{
		{Name: "username", Can: resource.Sort | resource.Write},
		{Name: "name", Can: resource.Write},
		{Name: "role", Can: resource.Write},
		{Name: "permission_id", Can: resource.Write, RefersTo: "permission"},
	},
})

// TestRoom: a table holds no more rows than its Def says, and a deleted one makes room.
func TestRoom(t *testing.T) {
	w := newWorld(t)
	few := resource.New(resource.Def[account]{
		Name: "few", Module: "few", Relation: "staff", AtMost: 2, HasStatus: true, InitialStatus: resource.Active, Sort: "username",
		Columns: []resource.Column{
			{Name: "username", Can: resource.Sort | resource.Write},
			{Name: "name", Can: resource.Write},
			{Name: "role", Can: resource.Write},
			{Name: "permission_id"},
		},
	})
	save := func(a account) (saved account, err error) {
		err = w.in(t, func(ctx context.Context, tx db.Tx) (err error) {
			saved, err = few.Save(ctx, tx, w.actor, a)
			return err
		})
		return saved, err
	}
	ann, err := save(account{Username: "ann", Role: "user"})
	require.NoError(t, err)
	_, err = save(account{Username: "bee", Role: "user"})
	require.NoError(t, err)
	_, err = save(account{Username: "cat", Role: "user"})
	require.ErrorIs(t, err, resource.ErrFull)
	ann.Name = "Ann"
	_, err = save(ann)
	require.NoError(t, err, "a row that is there is changed")
	require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
		return few.SetStatus(ctx, tx, w.actor, []uuid.UUID{ann.ID}, resource.Deleted)
	}))
	_, err = save(account{Username: "cat", Role: "user"})
	require.NoError(t, err)
}

// TestReference: a row that another one refers to is there and not deleted, or the refusal stands at its field.
func TestReference(t *testing.T) {
	w := newWorld(t)
	permissions := map[int16]uuid.UUID{resource.Active: db.NewID(), resource.Inactive: db.NewID(), resource.Deleted: db.NewID()}
	require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
		for status, id := range permissions {
			if _, err := tx.Exec(ctx, `INSERT INTO permission (id, name_th, name_en, modules, status, created_at, updated_at)
				VALUES ($1, 'ก', 'a', '{}', $2, $3, $3)`, id, status, tx.Now); err != nil {
				return err
			}
		}
		return nil
	}))
	save := func(a account) (saved account, err error) {
		err = w.in(t, func(ctx context.Context, tx db.Tx) (err error) {
			saved, err = accounts.Save(ctx, tx, w.actor, a)
			return err
		})
		return saved, err
	}
	referring := func(name string, permission *uuid.UUID) account {
		return account{Username: name, Role: "user", Permission: permission}
	}
	unknown, active, inactive, deleted := db.NewID(), permissions[resource.Active], permissions[resource.Inactive], permissions[resource.Deleted]

	ann, err := save(referring("ann", &active))
	require.NoError(t, err)
	for name, fine := range map[string]*uuid.UUID{"bee": &inactive, "cat": nil} {
		_, err := save(referring(name, fine))
		require.NoError(t, err, name)
	}
	for name, bad := range map[string]*uuid.UUID{"dan": &unknown, "eve": &deleted} {
		_, err := save(referring(name, bad))
		require.Equal(t, []fault.Field{{Path: "permission_id", Fault: fault.NotInList.Code}}, fault.From(err).Fields, name)
	}
	ann.Permission = &deleted
	_, err = save(ann)
	require.Equal(t, []fault.Field{{Path: "permission_id", Fault: fault.NotInList.Code}}, fault.From(err).Fields, "also of a row that is changed")
}

type world struct {
	*dbtest.Server
	org   uuid.UUID
	actor auditlog.Actor
}

func newWorld(t *testing.T) world {
	t.Helper()
	s := dbtest.Open(t)
	return world{Server: s, org: s.NewOrg(t), actor: auditlog.Actor{Kind: token.Owner, ID: db.NewID(), Request: "r1"}}
}

func (w world) in(t *testing.T, fn func(ctx context.Context, tx db.Tx) error) error {
	t.Helper()
	return w.DB.InOrg(t.Context(), w.org, func(tx db.Tx) error { return fn(t.Context(), tx) })
}

func (w world) save(t *testing.T, p product) (saved product, err error) {
	t.Helper()
	err = w.in(t, func(ctx context.Context, tx db.Tx) (err error) {
		saved, err = products.Save(ctx, tx, w.actor, p)
		return err
	})
	return saved, err
}

func (w world) list(t *testing.T, q resource.Query) (page resource.Page[product], err error) {
	t.Helper()
	err = w.in(t, func(ctx context.Context, tx db.Tx) (err error) {
		page, err = products.List(ctx, tx, q)
		return err
	})
	return page, err
}

func (w world) codes(t *testing.T, q resource.Query) []string {
	t.Helper()
	page, err := w.list(t, q)
	require.NoError(t, err)
	codes := []string{}
	for _, row := range page.Data {
		codes = append(codes, row.Value.Code)
	}
	return codes
}

func (w world) mustSave(t *testing.T, p product) product {
	t.Helper()
	saved, err := w.save(t, p)
	require.NoError(t, err)
	return saved
}

func TestList(t *testing.T) {
	w := newWorld(t)
	sale := time.Date(2026, 12, 31, 16, 59, 59, 0, time.UTC)
	a := w.mustSave(t, product{Code: "A", NameTH: "นวดไทย 100%", Price: 100_00, SaleTo: &sale, Featured: true})
	w.mustSave(t, product{Code: "B", NameTH: "นวดน้ำมัน", Price: 200_00})
	w.mustSave(t, product{Code: "C", NameTH: "บุฟเฟต์_เด็ก", Price: 200_00})
	tag := db.NewID()
	require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO tag (id, name_th, name_en, status, created_at, updated_at) VALUES ($1, 'ส', 's', 5, $2, $2)`, tag, tx.Now); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO package_tag VALUES ($1, $2)`, a.ID, tag)
		return err
	}))

	t.Run("a list filters by value, list, range, null and contents", func(t *testing.T) {
		for name, c := range map[string]struct {
			filter map[string]any
			want   []string
		}{
			"text":         {map[string]any{"code": "B"}, []string{"B"}},
			"list":         {map[string]any{"code": []any{"A", "C"}}, []string{"A", "C"}},
			"empty list":   {map[string]any{"code": []any{}}, []string{}},
			"number":       {map[string]any{"price_satang": 200_00.0}, []string{"B", "C"}},
			"range":        {map[string]any{"price_satang": map[string]any{"from": 0.0, "to": 150_00.0}}, []string{"A"}},
			"null":         {map[string]any{"sale_to": nil}, []string{"B", "C"}},
			"time range":   {map[string]any{"sale_to": map[string]any{"from": "2026-12-31T00:00:00+07:00"}}, []string{"A"}},
			"date":         {map[string]any{"sale_day": "2026-12-31"}, []string{"A"}},
			"date range":   {map[string]any{"sale_day": map[string]any{"to": "2026-12-30"}}, []string{}},
			"bool":         {map[string]any{"featured": true}, []string{"A"}},
			"id":           {map[string]any{"id": a.ID.String()}, []string{"A"}},
			"contents":     {map[string]any{"tags": tag.String()}, []string{"A"}},
			"status":       {map[string]any{"status": 2.0}, []string{"A", "B", "C"}},
			"active":       {map[string]any{"active": true}, []string{}},
			"inactive":     {map[string]any{"active": false, "organize": "another"}, []string{"A", "B", "C"}},
			"both at once": {map[string]any{"price_satang": 200_00.0, "code": []any{"A", "C"}}, []string{"C"}},
		} {
			t.Run(name, func(t *testing.T) {
				require.Equal(t, c.want, w.codes(t, resource.Query{Filter: c.filter, Sort: "code"}))
			})
		}
	})

	t.Run("a search takes words literally", func(t *testing.T) {
		for search, want := range map[string][]string{
			"นวด": {"A", "B"}, "นวด ไทย": {"A"}, "100%": {"A"}, "%": {"A"}, "_": {"C"}, `\`: {}, "b": {"B"}, "' OR 1=1 --": {},
		} {
			require.Equal(t, want, w.codes(t, resource.Query{Search: search, Sort: "code"}), search)
		}
	})

	t.Run("a list has only the selected columns", func(t *testing.T) {
		page, err := w.list(t, resource.Query{Select: []string{"name_th", "id"}, Filter: map[string]any{"code": "A"}})
		require.NoError(t, err)
		body, err := json.Marshal(page.Data)
		require.NoError(t, err)
		require.JSONEq(t, `[{"id": "`+a.ID.String()+`", "name_th": "นวดไทย 100%"}]`, string(body))
	})

	t.Run("deleted rows are never listed", func(t *testing.T) {
		gone := w.mustSave(t, product{Code: "D"})
		require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
			return products.SetStatus(ctx, tx, w.actor, []uuid.UUID{gone.ID}, resource.Deleted)
		}))
		for _, filter := range []map[string]any{nil, {"status": 9.0}, {"code": "D"}, {"active": false}, {"id": gone.ID.String()}} {
			require.NotContains(t, w.codes(t, resource.Query{Filter: filter}), "D")
		}
		require.ErrorIs(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
			_, err := products.Detail(ctx, tx, gone.ID)
			return err
		}), fault.Missing)
	})
}

func TestListPages(t *testing.T) {
	w := newWorld(t)
	sale := time.Date(2026, 12, 31, 0, 0, 0, 123456000, time.UTC)
	for i := range 47 {
		p := product{Code: fmt.Sprintf("P%02d", i), Price: int64(i / 10), Featured: i%2 == 0}
		if i%3 == 0 {
			day := sale.AddDate(0, 0, i/10)
			p.SaleTo = &day
		}
		w.mustSave(t, p)
	}

	for _, sort := range []string{"price_satang", "-price_satang", "sale_to", "-sale_to", "sale_day", "-sale_day", "featured", "-created_at", "code", "-id", "-updated_at", "status"} {
		t.Run(sort+" pages through every row once, with equal values and new rows", func(t *testing.T) {
			q, seen := resource.Query{Sort: sort, Limit: 7, Filter: map[string]any{"code": map[string]any{"to": "P99"}}}, map[string]bool{}
			for {
				page, err := w.list(t, q)
				require.NoError(t, err)
				for _, row := range page.Data {
					require.False(t, seen[row.Value.Code], "%s is listed twice", row.Value.Code)
					seen[row.Value.Code] = true
				}
				if page.Next == nil {
					break
				}
				q.After = *page.Next
				w.mustSave(t, product{Code: "Z" + db.NewID().String(), Price: 2})
			}
			require.Len(t, seen, 47)
		})
	}

	t.Run("a page past the end is empty and still has a total", func(t *testing.T) {
		page, err := w.list(t, resource.Query{Sort: "code", Filter: map[string]any{"code": "P00"}})
		require.NoError(t, err)
		require.Nil(t, page.Next)
		require.EqualValues(t, 1, page.Total)
	})

	t.Run("the id has the name it was selected by", func(t *testing.T) {
		page, err := w.list(t, resource.Query{Sort: "code", Limit: 1, Select: []string{"_id", "code", "_id"}, Filter: map[string]any{"active": false, "organize": db.NewID().String()}})
		require.NoError(t, err)
		body, err := json.Marshal(page.Data)
		require.NoError(t, err)
		require.JSONEq(t, fmt.Sprintf(`[{"_id": %q, "code": "P00"}]`, page.Data[0].Value.ID), string(body))
	})

	t.Run("an export gives every row", func(t *testing.T) {
		n := 0
		require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
			return products.Export(ctx, tx, resource.Query{Filter: map[string]any{"code": map[string]any{"to": "P99"}}}, func(product) error { n++; return nil })
		}))
		require.Equal(t, 47, n)
	})

	t.Run("the total is estimated past a thousand", func(t *testing.T) {
		const many = `INSERT INTO package (id, code, name_th, name_en, price_satang, status, created_at, updated_at)
			SELECT gen_random_uuid(), 'M' || i, '', '', 0, 5, $1, $1 FROM generate_series(1, 12000) i`
		require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
			_, err := tx.Exec(ctx, many, tx.Now)
			return err
		}))
		page, err := w.list(t, resource.Query{Limit: 1})
		require.NoError(t, err)
		require.Greater(t, page.Total, int64(1000))
	})
}

func TestListRefuses(t *testing.T) {
	w := newWorld(t)
	cursor := func(s, v string) string {
		return base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf(`{"s":%q,"v":%q,"i":%q}`, s, v, db.NewID())))
	}
	for name, q := range map[string]resource.Query{
		"filter.name_th":        {Filter: map[string]any{"name_th": "x"}},
		"filter.secret":         {Filter: map[string]any{"secret": "x"}},
		"filter.id":             {Filter: map[string]any{"id": "1 OR 1=1"}},
		"filter.code":           {Filter: map[string]any{"code": "a\x00b"}},
		"filter.code.0":         {Filter: map[string]any{"code": []any{map[string]any{}}}},
		"filter.price_satang":   {Filter: map[string]any{"price_satang": "1; DROP TABLE package"}},
		"filter.sale_to":        {Filter: map[string]any{"sale_to": map[string]any{"$gt": ""}}},
		"filter.sale_to.from":   {Filter: map[string]any{"sale_to": map[string]any{"from": "infinity"}}},
		"filter.sale_day":       {Filter: map[string]any{"sale_day": "2026-02-31"}},
		"filter.sale_day ":      {Filter: map[string]any{"sale_day": "0000-01-01"}},
		"filter.sale_to ":       {Filter: map[string]any{"sale_to": "0001-01-01T00:00:00+14:00"}},
		"filter.featured":       {Filter: map[string]any{"featured": map[string]any{"from": true}}},
		"filter.active":         {Filter: map[string]any{"active": "yes"}},
		"filter.tags":           {Filter: map[string]any{"tags": []any{"x"}}},
		"filter.code = ''":      {Filter: map[string]any{"code = ''": "x"}},
		"filter.price_satang.0": {Filter: map[string]any{"price_satang": []any{1.5}}},
		"select.0":              {Select: []string{"r.id"}},
		"select.1":              {Select: []string{"id", "*"}},
		"sort":                  {Sort: "name_en"},
		"sort ":                 {Sort: "code; DROP TABLE package"},
		"sort  ":                {Sort: "--code"},
		"search":                {Search: "a\x00"},
		"search ":               {Search: "a b c d e f"},
		"limit":                 {Limit: 201},
		"limit ":                {Limit: -1},
		"limit  ":               {Limit: 5001, Select: []string{"id", "name_th"}},
		"limit   ":              {Limit: 5000, Select: []string{"id", "name_th", "price_satang"}},
		"after":                 {After: "not base64!"},
		"after ":                {Sort: "code", After: base64.RawURLEncoding.EncodeToString([]byte(`{"s":"name_th"}`))},
		"after  ":               {Sort: "-created_at", After: cursor("-created_at", "yesterday")},
		"after   ":              {Sort: "price_satang", After: cursor("price_satang", "1) OR (1=1")},
		"after      ":           {Sort: "-created_at", After: cursor("-created_at", "0000-01-01 00:00:00+00")},
		"after       ":          {Sort: "sale_day", After: cursor("sale_day", "0000-01-01")},
		"after        ":         {Sort: "weight", After: cursor("weight", "1e-400")},
		"after         ":        {Sort: "weight", After: cursor("weight", "1e400")},
		"after    ":             {Sort: "sale_to", After: cursor("-sale_to", "2026-01-01 00:00:00+00")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.list(t, q)
			require.ErrorIs(t, err, fault.BadInput)
			require.Equal(t, strings.TrimRight(name, " "), fault.From(err).Fields[0].Path)
		})
	}

	for _, instant := range []string{"2026-11-21 00:00:00.5+00", "2026-11-21 00:00:00,5+00", "2026-11-21 00:00:00+20", "0000-12-31 23:00:00-02", "-infinity"} {
		t.Run("a cursor's instant is one to Postgres as well: "+instant, func(t *testing.T) {
			_, err := w.list(t, resource.Query{Sort: "-created_at", After: cursor("-created_at", instant)})
			require.NoError(t, err)
		})
	}

	t.Run("choices of a form may be five thousand", func(t *testing.T) {
		_, err := w.list(t, resource.Query{Limit: 5000, Select: []string{"id", "name_th", "code"}})
		require.NoError(t, err)
	})

	t.Run("no query that a caller invents breaks a statement", func(t *testing.T) {
		words := []string{"id", "code", "price_satang", "sale_to", "sale_day", "featured", "tags", "status", "name_th", "'", ";--", "\x00", "$1", "ก", "-code", "-sale_day"}
		word := rapid.SampledFrom(words)
		leaf := rapid.OneOf(rapid.Map(rapid.String(), func(s string) any { return s }), rapid.Map(rapid.Float64(), func(f float64) any { return f }),
			rapid.Map(rapid.Bool(), func(b bool) any { return b }), rapid.Just[any](nil), rapid.Map(word, func(s string) any { return s }))
		value := rapid.OneOf(leaf, rapid.Map(rapid.SliceOfN(leaf, 0, 3), func(v []any) any { return v }),
			rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"from", "to", "x"}), leaf, 0, 2), func(m map[string]any) any { return m }))
		rapid.Check(t, func(r *rapid.T) {
			q := resource.Query{
				Filter: rapid.MapOfN(word, value, 0, 3).Draw(r, "filter"), Search: rapid.String().Draw(r, "search"),
				Select: rapid.SliceOfN(word, 0, 3).Draw(r, "select"), Sort: rapid.OneOf(word, rapid.Just("")).Draw(r, "sort"),
				Limit: rapid.IntRange(-1, 300).Draw(r, "limit"),
				After: rapid.OneOf(rapid.Just(""), rapid.String(), rapid.Map(rapid.String(), func(v string) string { return cursor("-created_at", v) })).Draw(r, "after"),
			}
			if _, err := w.list(t, q); err != nil {
				require.ErrorIs(r, err, fault.BadInput)
			}
		})
	})
}

func TestSave(t *testing.T) {
	w := newWorld(t)

	t.Run("a time that cannot be written back is refused", func(t *testing.T) {
		for _, text := range []string{"0000-01-01T00:00:00+14:00", "0000-06-01T00:00:00Z", "9999-12-31T23:59:59-14:00"} {
			at, err := time.Parse(time.RFC3339, text)
			require.NoError(t, err)
			_, err = w.save(t, product{Code: text, NameTH: "ก", SaleTo: &at})
			require.ErrorIs(t, err, fault.BadInput, text)
			require.Equal(t, []fault.Field{{Path: "sale_to", Fault: fault.WrongFormat.Code}}, fault.From(err).Fields)
		}
	})

	t.Run("a new row gets its own id, status and times, whatever was sent", func(t *testing.T) {
		in := product{Code: "N", NameTH: "ชื่อ", Price: 5}
		in.Status, in.CreatedAt = resource.Active, time.Now().AddDate(-5, 0, 0)
		saved := w.mustSave(t, in)
		require.NotEqual(t, uuid.Nil, saved.ID)
		require.Equal(t, resource.Inactive, saved.Status)
		require.WithinDuration(t, time.Now(), saved.CreatedAt, 2*time.Hour)
		require.Equal(t, saved.CreatedAt, saved.UpdatedAt)
	})

	t.Run("a save changes what may be written, and only that", func(t *testing.T) {
		row := w.mustSave(t, product{Code: "U"})
		row.NameTH, row.Status, row.CreatedAt = "ใหม่", resource.Deleted, time.Time{}
		saved, err := w.save(t, row)
		require.NoError(t, err)
		require.Equal(t, "ใหม่", saved.NameTH)
		require.Equal(t, resource.Inactive, saved.Status)
		require.False(t, saved.CreatedAt.IsZero())
		require.True(t, saved.UpdatedAt.After(row.UpdatedAt))
	})

	t.Run("a save of a row read before another change is refused", func(t *testing.T) {
		row := w.mustSave(t, product{Code: "R"})
		_, err := w.save(t, row)
		require.NoError(t, err)
		_, err = w.save(t, row)
		require.ErrorIs(t, err, resource.ErrChangedMeanwhile)

		row.UpdatedAt = time.Time{}
		_, err = w.save(t, row)
		require.ErrorIs(t, err, fault.BadInput)
	})

	t.Run("an id that is unknown, deleted or another organisation's is missing", func(t *testing.T) {
		row := w.mustSave(t, product{Code: "X"})
		other := newWorld(t)
		_, err := other.save(t, row)
		require.ErrorIs(t, err, fault.Missing)

		require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
			return products.SetStatus(ctx, tx, w.actor, []uuid.UUID{row.ID}, resource.Deleted)
		}))
		_, err = w.save(t, row)
		require.ErrorIs(t, err, fault.Missing)
	})

	t.Run("a broken rule names its field", func(t *testing.T) {
		_, err := w.save(t, product{})
		require.Equal(t, []fault.Field{{Path: "code", Fault: "field.required"}}, fault.From(err).Fields)
		w.mustSave(t, product{Code: "TWICE"})
		_, err = w.save(t, product{Code: "TWICE"})
		require.Equal(t, []fault.Field{{Path: "code", Fault: "field.duplicate"}}, fault.From(err).Fields)
	})

	t.Run("every change is in the audit log with what was before", func(t *testing.T) {
		row := w.mustSave(t, product{Code: "AUDIT"})
		row.NameTH = "ใหม่"
		row = w.mustSave(t, row)
		require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
			return products.SetStatus(ctx, tx, w.actor, []uuid.UUID{row.ID}, resource.Active)
		}))

		type line struct {
			Action, Request string
			Actor           uuid.UUID
			Before, After   *string
		}
		var lines []line
		require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error {
			const sql = `SELECT action, request_id, actor_id, before->>'name_th', after->>'name_th' FROM audit_log WHERE object = $1 ORDER BY id`
			rows, err := tx.Query(ctx, sql, "product/"+row.ID.String())
			if err != nil {
				return err
			}
			for rows.Next() {
				var l line
				if err := rows.Scan(&l.Action, &l.Request, &l.Actor, &l.Before, &l.After); err != nil {
					return err
				}
				lines = append(lines, l)
			}
			return rows.Err()
		}))
		empty, renamed := "", "ใหม่"
		require.Equal(t, []line{
			{Action: "add", Request: "r1", Actor: w.actor.ID, After: &empty},
			{Action: "change", Request: "r1", Actor: w.actor.ID, Before: &empty, After: &renamed},
			{Action: "status", Request: "r1", Actor: w.actor.ID},
		}, lines)
	})
}

func TestSetStatus(t *testing.T) {
	w := newWorld(t)
	set := func(ids []uuid.UUID, status int16) error {
		return w.in(t, func(ctx context.Context, tx db.Tx) error { return products.SetStatus(ctx, tx, w.actor, ids, status) })
	}
	row := w.mustSave(t, product{Code: "S"})

	t.Run("a status is set on all rows or none", func(t *testing.T) {
		require.ErrorIs(t, set([]uuid.UUID{row.ID, db.NewID()}, resource.Active), fault.Missing)
		require.Equal(t, []string{}, w.codes(t, resource.Query{Filter: map[string]any{"active": true}}))
		require.NoError(t, set([]uuid.UUID{row.ID, row.ID}, resource.Active))
		require.Equal(t, []string{"S"}, w.codes(t, resource.Query{Filter: map[string]any{"active": true}}))
	})

	t.Run("an unknown status, no row and too many rows are refused", func(t *testing.T) {
		for _, status := range []int16{0, 1, 3, 4, 6, -5, 99} {
			require.ErrorIs(t, set([]uuid.UUID{row.ID}, status), fault.BadInput)
		}
		require.ErrorIs(t, set(nil, resource.Active), fault.BadInput)
		require.ErrorIs(t, set(make([]uuid.UUID, 201), resource.Active), fault.BadInput)
	})

	t.Run("AfterChange runs once a call, last, and not when nothing has changed", func(t *testing.T) {
		var seen []int
		watched := resource.New(resource.Def[product]{
			Name: "product", Module: "product", Relation: "package", AtMost: 1000, HasStatus: true, Sort: "-created_at",
			Columns: []resource.Column{{Name: "code", Can: resource.Sort | resource.Write}},
			AfterChange: func(ctx context.Context, tx db.Tx) error {
				var inactive int
				err := tx.QueryRow(ctx, `SELECT count(*) FROM package WHERE status = $1`, resource.Inactive).Scan(&inactive)
				seen = append(seen, inactive)
				return err
			},
		})
		ids := []uuid.UUID{row.ID, w.mustSave(t, product{Code: "T"}).ID, w.mustSave(t, product{Code: "U"}).ID}
		for _, status := range []int16{resource.Active, resource.Inactive, resource.Inactive} {
			require.NoError(t, w.in(t, func(ctx context.Context, tx db.Tx) error { return watched.SetStatus(ctx, tx, w.actor, ids, status) }))
		}
		require.Equal(t, []int{0, 3}, seen)
	})
}
