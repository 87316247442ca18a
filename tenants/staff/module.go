package staff

import "welovevoucher/platform/access"

// The modules of the specification. The module of a new table is declared beside the table
// (CONTRIBUTING.md, A table of the back office).
var _ = declare(
	// Some call asks for rights in these.
	access.Module{Name: "dashboard", Group: "overview", Place: 10, TH: "ภาพรวม", EN: "Overview"},
	access.Module{Name: "customer", Group: "overview", Place: 20, TH: "ลูกค้า", EN: "Customers"},
	access.Module{Name: "salepackage", Group: "products", Place: 10, TH: "แพ็กเกจ", EN: "Packages"},
	access.Module{Name: "giftvoucher", Group: "products", Place: 20, TH: "บัตรของขวัญ", EN: "Gift vouchers"},
	access.Module{Name: "vouchertype", Group: "products", Place: 30, TH: "ประเภทเวาเชอร์", EN: "Voucher types"},
	access.Module{Name: "voucher", Group: "products", Place: 40, TH: "เวาเชอร์", EN: "Vouchers"},
	access.Module{Name: "discount", Group: "products", Place: 50, TH: "ส่วนลด", EN: "Discounts"},
	access.Module{Name: "tags", Group: "products", Place: 60, TH: "แท็ก", EN: "Tags"},
	access.Module{Name: "activevoucher", Group: "counter", Place: 10, TH: "ใช้เวาเชอร์ที่เคาน์เตอร์", EN: "Using vouchers at the counter"},
	access.Module{Name: "servicepoint", Group: "counter", Place: 20, TH: "จุดบริการ", EN: "Service points"},
	access.Module{Name: "membercardtype", Group: "members", Place: 10, TH: "ประเภทบัตรสมาชิก", EN: "Member card types"},
	access.Module{Name: "memberlist", Group: "members", Place: 5, TH: "รายชื่อสมาชิก", EN: "Members"},
	access.Module{Name: "privilage", Group: "members", Place: 20, TH: "สิทธิพิเศษ", EN: "Privileges"},
	access.Module{Name: "agent", Group: "agents", Place: 10, TH: "ตัวแทน", EN: "Agents"},
	access.Module{Name: "agentsetting", Group: "agents", Place: 20, TH: "ประเภทตัวแทน", EN: "Agent types"},
	access.Module{Name: "paycommissiontransaction", With: "agent", Group: "agents", Place: 30, TH: "รอบโอน", EN: "Payouts"},
	access.Module{Name: "dailytransaction", With: "salepackage", Group: "reports", Place: 10, TH: "ยอดขายรายวัน", EN: "Daily sales"},
	access.Module{Name: "soldtransaction", With: "salepackage", Group: "reports", Place: 20, TH: "คำสั่งซื้อ", EN: "Orders"},
	access.Module{Name: "depositqrtransaction", With: "customer", Group: "reports", Place: 30, TH: "รายการรับเงิน", EN: "Payments received"},
	access.Module{Name: "activevouchertransaction", With: "activevoucher", Group: "reports", Place: 50, TH: "การใช้เวาเชอร์", EN: "Vouchers used"},
	access.Module{Name: "transfertransaction", With: "voucher", Group: "reports", Place: 60, TH: "ของขวัญ", EN: "Gifts"},
	access.Module{Name: "boardtransaction", With: "voucher", Group: "reports", Place: 65, TH: "ขายต่อ", EN: "Resale"},
	access.Module{Name: "wallettransaction", With: "customer", Group: "reports", Place: 40, TH: "Wallet", EN: "Wallets"},
	access.Module{Name: "pointtransaction", With: "memberlist", Group: "reports", Place: 45, TH: "แต้ม", EN: "Points"},
	access.Module{Name: "agentgeneratesaletransaction", With: "agent", Group: "reports", Place: 70, TH: "ยอดขายของตัวแทน", EN: "Sales of agents"},
	access.Module{Name: "agentcommissiontransaction", With: "agent", Group: "reports", Place: 72, TH: "รายการค่าคอม", EN: "Commission of agents"},
	access.Module{Name: "agentproductcommissiontransaction", With: "agent", Group: "reports", Place: 74, TH: "ค่าคอมรายเวาเชอร์", EN: "Commission by voucher"},
	access.Module{Name: "agentpaycommissiontransaction", With: "agent", Group: "reports", Place: 76, TH: "ค่าคอมที่โอนแล้ว", EN: "Commission paid"},
	access.Module{Name: "partnercommissiontransaction", With: "activevoucher", Group: "reports", Place: 78, TH: "ค่าคอมพาร์ตเนอร์", EN: "Commission of partners"},
	access.Module{Name: "staff", Group: "settings", Place: 10, TH: "พนักงาน", EN: "Staff"},
	access.Module{Name: "permission", Group: "settings", Place: 20, TH: "ชุดสิทธิ์", EN: "Permission sets"},
	access.Module{Name: "setting", Group: "settings", Place: 30, TH: "องค์กร", EN: "Organisation"},
	access.Module{Name: "pdpa", Group: "settings", Place: 40, TH: "PDPA", EN: "Privacy (PDPA)"},
	access.Module{Name: "termsandconditions", Group: "settings", Place: 50, TH: "เงื่อนไขการใช้", EN: "Terms and conditions"},
	access.Module{Name: "payment", Group: "settings", Place: 60, TH: "ช่องทางรับเงิน", EN: "Payments"},

	// No call asks for rights in these yet: they have no names, and no screen shows them.
	access.Module{Name: "privilegetransaction", With: "memberlist"},
	access.Module{Name: "membercard"},
	access.Module{Name: "buypackage", With: "salepackage"},
)

func declare(modules ...access.Module) (names []string) {
	for _, m := range modules {
		names = append(names, access.NewModule(m))
	}
	return names
}
