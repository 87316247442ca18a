package org

import (
	"slices"

	"welovevoucher/platform/access"
)

// Grants reports whether the organisation's plan has a module of its back office.
func (o Org) Grants(module string) bool { return slices.Contains(o.Modules, access.PlanModule(module)) }
