package org

import (
	"slices"
)

// impliedBy names, for each module that no plan names, the one it comes with: a report, or a way to sell or use at the counter,
// belongs to what it is about.
var impliedBy = map[string]string{
	"dailytransaction": "salepackage", "soldtransaction": "salepackage", "buypackage": "salepackage",
	"depositqrtransaction": "customer", "wallettransaction": "customer",
	"activevouchertransaction": "activevoucher", "partnercommissiontransaction": "activevoucher",
	"boardtransaction": "voucher", "transfertransaction": "voucher",
	"agentgeneratesaletransaction": "agent", "agentcommissiontransaction": "agent", "agentpaycommissiontransaction": "agent", "paycommissiontransaction": "agent",
	"pointtransaction": "memberlist", "privilegetransaction": "memberlist",
}

// Grants reports whether the organisation's plan has a module of its office.
func (o Org) Grants(module string) bool {
	if with, comes := impliedBy[module]; comes {
		module = with
	}
	return slices.Contains(o.Modules, module)
}
