package rest

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

type inner struct {
	Name string `json:"name"`
}

type Embedded struct {
	Deep *inner `json:"deep"`
}

type outer struct {
	Embedded
	Always inner   `json:"always"`
	Maybe  *inner  `json:"maybe" doc:"Why"`
	Left   *inner  `json:"left,omitempty"`
	Text   *string `json:"text"`
}

func TestPointersMayBeNull(t *testing.T) {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	registry.Schema(reflect.TypeFor[outer](), true, "")
	text, err := json.Marshal(withNulls(registry))
	require.NoError(t, err)
	var schemas struct {
		Outer struct{ Properties map[string]json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(text, &schemas))

	null := `"anyOf":[{"$ref":"#/components/schemas/Inner"},{"type":"null"}]`
	for name, want := range map[string]string{
		"deep": `{` + null + `}`, "maybe": `{` + null + `,"description":"Why"}`, "always": `{"$ref":"#/components/schemas/Inner"}`,
		"left": `{"$ref":"#/components/schemas/Inner"}`, "text": `{"type":["string","null"]}`,
	} {
		require.JSONEq(t, want, string(schemas.Outer.Properties[name]), name)
	}
	require.Equal(t, "#/components/schemas/Inner", registry.Map()["Outer"].Properties["maybe"].Ref, "bodies are checked as before")
}

func TestIDsHaveAFormat(t *testing.T) {
	type ids struct {
		One  uuid.UUID   `json:"one"`
		None *uuid.UUID  `json:"none"`
		Many []uuid.UUID `json:"many"`
		Text string      `json:"text"`
	}
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	registry.Schema(reflect.TypeFor[ids](), true, "")
	describeIDs(registry)
	properties := registry.Map()["Ids"].Properties
	require.Equal(t, "uuid", properties["one"].Format)
	require.Equal(t, "uuid", properties["none"].Format)
	require.Equal(t, "uuid", properties["many"].Items.Format)
	require.Empty(t, properties["text"].Format)
}
