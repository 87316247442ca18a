package org

import "welovevoucher/platform/access"

// AdminModules are the modules of the administration in which some call asks for a right, in the order of screens. An admin has letters by module.
// Those of the specification that no call asks for yet are not here.
var AdminModules = []access.Module{
	{Name: "dashboard", TH: "ภาพรวม", EN: "Overview"},
	{Name: "organize", TH: "องค์กร", EN: "Organisations"},
	{Name: "template", TH: "แม่แบบ", EN: "Templates"},
	{Name: "customer", TH: "ลูกค้าทุกองค์กร", EN: "Customers of all organisations"},
	{Name: "voucher", TH: "เวาเชอร์ทุกองค์กร", EN: "Vouchers of all organisations"},
	{Name: "wallet", TH: "Wallet ทุกองค์กร", EN: "Wallets of all organisations"},
	{Name: "deposit", TH: "การชำระเงินทุกองค์กร", EN: "Payments of all organisations"},
	{Name: "paymentsystem", TH: "ช่องทางรับเงิน", EN: "Payment systems"},
	{Name: "staff", TH: "พนักงานทุกองค์กร", EN: "Staff of all organisations"},
	{Name: "package", TH: "แผนและโมดูล", EN: "Plans and modules"},
	{Name: "payment", TH: "วันหยุดธนาคาร", EN: "Bank holidays"},
	{Name: "announcement", TH: "ประกาศถึงองค์กร", EN: "Announcements"},
	{Name: "contactus", TH: "ข้อความถึงแพลตฟอร์ม", EN: "Messages"},
	{Name: "job", TH: "งานเบื้องหลัง", EN: "Background jobs"},
	{Name: "admin", TH: "ผู้ดูแล", EN: "Admins"},
	{Name: "auditlog", TH: "บันทึกการใช้งาน", EN: "Audit log"},
}
