package access

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Module is a part of the back office: a plan has it, and permission sets give letters for it.
type Module struct {
	Name string // in permission sets and plans, and on the wire
	// With is the module that it comes with. It is "" for a module that plans name themselves.
	With   string
	Group  string // of the page of rights: a key of groups in apps/backoffice/src/access/modules.ts
	Place  int    // in its group: the lowest comes first
	TH, EN string // on screens; "" while no call asks for a right in it
}

var modules []Module

// NewModule declares a module once, as a package variable is initialised, and returns its name.
func NewModule(m Module) string {
	if _, twice := findModule(m.Name); twice || m.Name == "" {
		panic(fmt.Sprintf("access: module %q is declared twice, or has no name", m.Name))
	}
	modules = append(modules, m)
	slices.SortFunc(modules, func(a, b Module) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), a.Place-b.Place, strings.Compare(a.Name, b.Name))
	})
	return m.Name
}

// Modules returns all modules by their groups and their places in them, in whatever order they were declared.
func Modules() []Module { return modules }

// ModuleNames returns the names of all modules.
func ModuleNames() []string {
	names := make([]string, len(modules))
	for i, m := range modules {
		names[i] = m.Name
	}
	return names
}

// PlanModule returns the module that a plan has to name for this one: itself, or what it comes with.
func PlanModule(name string) string {
	if m, declared := findModule(name); declared && m.With != "" {
		return m.With
	}
	return name
}

func findModule(name string) (Module, bool) {
	i := slices.IndexFunc(modules, func(m Module) bool { return m.Name == name })
	if i < 0 {
		return Module{}, false
	}
	return modules[i], true
}
