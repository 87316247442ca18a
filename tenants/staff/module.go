package staff

import "welovevoucher/platform/access"

// The modules of the specification, in the order of the page of rights. The module of a new table is declared beside the table
// (CONTRIBUTING.md, A table of the back office).
var _ = declare(
	// Some call asks for rights in these.
	access.Module{Name: "dashboard", Group: "overview", TH: "แดชบอร์ด", EN: "Dashboard"},
	access.Module{Name: "customer", Group: "overview", TH: "ลูกค้า", EN: "Customers"},
	access.Module{Name: "salepackage", Group: "products", TH: "แพ็กเกจ", EN: "Packages"},
	access.Module{Name: "giftvoucher", Group: "products", TH: "บัตรของขวัญ", EN: "Gift vouchers"},
	access.Module{Name: "vouchertype", Group: "products", TH: "ประเภทเวาเชอร์", EN: "Voucher types"},
	access.Module{Name: "voucher", Group: "products", TH: "เวาเชอร์", EN: "Vouchers"},
	access.Module{Name: "discount", Group: "products", TH: "ส่วนลด", EN: "Discounts"},
	access.Module{Name: "tags", Group: "products", TH: "แท็ก", EN: "Tags"},
	access.Module{Name: "activevoucher", Group: "counter", TH: "ตัดสิทธิ์ที่เคาน์เตอร์", EN: "Using vouchers at the counter"},
	access.Module{Name: "servicepoint", Group: "counter", TH: "จุดบริการ", EN: "Service points"},
	access.Module{Name: "membercardtype", Group: "members", TH: "ประเภทบัตรสมาชิก", EN: "Member card types"},
	access.Module{Name: "privilage", Group: "members", TH: "สิทธิพิเศษ", EN: "Privileges"},
	access.Module{Name: "agent", Group: "agents", TH: "ตัวแทน", EN: "Agents"},
	access.Module{Name: "agentsetting", Group: "agents", TH: "ประเภทตัวแทน", EN: "Agent types"},
	access.Module{Name: "dailytransaction", With: "salepackage", Group: "reports", TH: "ยอดขายรายวัน", EN: "Daily sales"},
	access.Module{Name: "soldtransaction", With: "salepackage", Group: "reports", TH: "คำสั่งซื้อ", EN: "Orders"},
	access.Module{Name: "depositqrtransaction", With: "customer", Group: "reports", TH: "รายการรับเงิน", EN: "Payments received"},
	access.Module{Name: "wallettransaction", With: "customer", Group: "reports", TH: "Wallet", EN: "Wallets"},
	access.Module{Name: "staff", Group: "settings", TH: "พนักงาน", EN: "Staff"},
	access.Module{Name: "permission", Group: "settings", TH: "ชุดสิทธิ์", EN: "Permission sets"},
	access.Module{Name: "setting", Group: "settings", TH: "องค์กร", EN: "Organisation"},
	access.Module{Name: "pdpa", Group: "settings", TH: "PDPA", EN: "Privacy (PDPA)"},
	access.Module{Name: "termsandconditions", Group: "settings", TH: "เงื่อนไขการใช้", EN: "Terms and conditions"},
	access.Module{Name: "payment", Group: "settings", TH: "ช่องทางรับเงิน", EN: "Payments"},

	// No call asks for rights in these yet: they have no names, and no screen shows them.
	access.Module{Name: "pointtransaction", With: "memberlist"},
	access.Module{Name: "privilegetransaction", With: "memberlist"},
	access.Module{Name: "activevouchertransaction", With: "activevoucher"},
	access.Module{Name: "boardtransaction", With: "voucher"},
	access.Module{Name: "transfertransaction", With: "voucher"},
	access.Module{Name: "agentgeneratesaletransaction", With: "agent"},
	access.Module{Name: "agentcommissiontransaction", With: "agent"},
	access.Module{Name: "agentpaycommissiontransaction", With: "agent"},
	access.Module{Name: "paycommissiontransaction", With: "agent"},
	access.Module{Name: "partnercommissiontransaction", With: "activevoucher"},
	access.Module{Name: "memberlist"},
	access.Module{Name: "membercard"},
	access.Module{Name: "buypackage", With: "salepackage"},
)

func declare(modules ...access.Module) (names []string) {
	for _, m := range modules {
		names = append(names, access.NewModule(m))
	}
	return names
}
