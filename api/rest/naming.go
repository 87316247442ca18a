package rest

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

var qualified = regexp.MustCompile(`(?:[\w.-]+/)*(\w+)\.(\w+)`)

// schemaName is package and type, e.g. VoucherDetail, because two packages may each have a Detail. Types of a generic
// follow it: EnvelopeMarketOrder.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" || t.PkgPath() == "" {
		return huma.DefaultSchemaNamer(t, hint)
	}

	full := t.PkgPath() + "." + t.Name()
	name := qualified.ReplaceAllStringFunc(full, func(part string) string {
		m := qualified.FindStringSubmatch(part)
		pkg, typ := title(m[1]), title(m[2])
		if pkg == "Rest" || pkg == "Uuid" || strings.HasPrefix(typ, pkg) {
			return typ
		}
		return pkg + typ
	})
	return strings.NewReplacer("[", "", "]", "", ",", "", "*", "", " ", "").Replace(name)
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
