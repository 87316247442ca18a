package provisioning

import "welovevoucher/platform/db"

// What every organisation begins with, and may change: texts to agree to, permission sets, names of status numbers.
const (
	insertConsent = `INSERT INTO consent_version (id, document, purpose, audience, version, title_th, title_en, body_th, body_en, active, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, '1', $5, $6, $7, $8, true, 5, $9, $9) ON CONFLICT (document, purpose, audience, version) DO NOTHING`
	insertPermission = `INSERT INTO permission (id, name_th, name_en, modules, status, created_at, updated_at)
		SELECT $1, $2::text, $3::text, $4::jsonb, 5, $5, $5 WHERE NOT EXISTS (SELECT FROM permission WHERE name_en = $3::text)`
	insertStatus = `INSERT INTO definestatus (id, table_name, number, name_th, name_en, color, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, 5, $7, $7) ON CONFLICT (table_name, number) DO NOTHING`
	insertAgentType = `INSERT INTO agent_type (id, name_th, name_en, rate_basis_points, matures, status, created_at, updated_at)
		SELECT $1, 'ตัวแทนทั่วไป', 'Standard agent', 500, 'use', 5, $2, $2 WHERE NOT EXISTS (SELECT FROM agent_type)`
)

var consents = []struct{ kind, purpose, titleTH, titleEN, bodyTH, bodyEN string }{
	{
		"terms", "purchase", "ข้อตกลงการซื้อ", "Terms of purchase",
		"เวาเชอร์ใช้ได้ถึงวันที่ระบุบนเวาเชอร์ ณ จุดบริการที่กำหนด เมื่อหมดอายุ ส่วนที่ยังไม่ได้ใช้เป็นของร้านหรือคืนเข้า Wallet ของคุณ ตามที่แพ็กเกจระบุไว้ก่อนซื้อ",
		"A voucher can be used until the date it shows, at the places it names. Once it has expired, what is left belongs to the shop or goes back to your Wallet, as the package says before you pay.",
	},
	{
		"pdpa", "purchase", "การใช้ข้อมูลส่วนบุคคล", "Use of personal data",
		"เราใช้ชื่อและรูปจาก LINE เพื่อส่งมอบเวาเชอร์และยืนยันตัวตน ณ จุดบริการ คุณขอดู ขอสำเนา หรือขอลบข้อมูลได้ทุกเมื่อในหน้าโปรไฟล์ เมื่อลบแล้ว เราเก็บเพียงรหัสที่อ่านย้อนกลับไม่ได้ไว้ 24 เดือน เพื่อให้จำนวนจำกัดต่อคนและยอดที่ค้างชำระยังมีผลหากคุณกลับมา และเงินที่เข้ามาภายหลังยังเป็นของคุณ",
		"We use your LINE name and picture to deliver vouchers and to recognise you at the counter. You can see, export or erase your data in your profile at any time. After that we keep a code that cannot be read back, for 24 months, so that limits per person and what is owed still hold if you come again, and money that still comes for you is yours.",
	},
}

var permissions = []struct {
	nameTH, nameEN string
	modules        map[string]string
}{
	{"พนักงานหน้าร้าน", "Counter staff", map[string]string{"activevoucher": "vi"}},
	{"ผู้จัดการร้าน", "Shop manager", map[string]string{
		"dashboard": "v", "customer": "v", "dailytransaction": "v", "salepackage": "vius", "giftvoucher": "viu",
		"vouchertype": "viu", "voucher": "v", "transfertransaction": "v", "boardtransaction": "v", "activevoucher": "vi", "servicepoint": "vu", "tags": "viu",
	}},
}

// The states that most tables share; colours are names of the theme's own.
var statuses = []struct {
	number         int
	nameTH, nameEN string
	colour         string
}{
	{1, "ฉบับร่าง", "Draft", "mute"},
	{2, "ปิดใช้งาน", "Inactive", "mute"},
	{3, "ไม่อนุมัติ", "Rejected", "bad"},
	{4, "ระงับ", "Suspended", "warn"},
	{5, "เปิดใช้งาน", "Active", "ok"},
}

var statusTables = []string{"salepackage", "giftvoucher", "vouchertype", "service_point", "tags", "staff", "permission", "agent", "agenttype", "customer"}

func seedDefaults(tx db.Tx) {
	for _, c := range consents {
		tx.Queue(insertConsent, db.NewID(), c.kind, c.purpose, "customer", c.titleTH, c.titleEN, c.bodyTH, c.bodyEN, tx.Now)
	}
	for _, p := range permissions {
		tx.Queue(insertPermission, db.NewID(), p.nameTH, p.nameEN, p.modules, tx.Now)
	}
	for _, table := range statusTables {
		for _, s := range statuses {
			tx.Queue(insertStatus, db.NewID(), table, s.number, s.nameTH, s.nameEN, s.colour, tx.Now)
		}
	}
	tx.Queue(insertAgentType, db.NewID(), tx.Now)
}
