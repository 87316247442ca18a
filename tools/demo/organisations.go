package demo

import (
	"welovevoucher/platform/money"
	"welovevoucher/tenants/content"
)

// agentPerson sells for every demo organisation.
const agentPerson = "napat"

// organisation is one of the demo, with everything it sells.
type organisation struct {
	Unique, NameTH, NameEN, TaglineTH, TaglineEN string
	Primary, Secondary                           string
	Channel                                      string
	OwnKeys                                      bool // it collects through a gateway account of its own
	Logo                                         string
	Tags                                         []tag
	ServicePoints                                []servicePoint
	Types                                        []voucherType
	Gifts                                        []giftVoucher
	Packages                                     []pack
	Lists                                        lists
	Code                                         string // of its discount of ten percent
	Questions                                    []question
	Contact                                      content.ContactDetails
	Trade                                        trade
}

// liff is the id of one of its LIFF apps.
func (o organisation) liff(purpose string) string {
	return o.Channel + "-" + map[string]string{"user": "welovesu", "agent": "weloveag", "trade": "welovetr", "transfer": "welovegi"}[purpose]
}

type tag struct{ TH, EN string }

type servicePoint struct {
	TH, EN, AddressTH, AddressEN, Phone, HoursTH, HoursEN string
	Latitude, Longitude                                   float64
}

type voucherType struct {
	TH, EN        string
	Items         int
	ListPrice     int64 // satang, of one item
	Days          int
	Rule          string // of transfer
	Times         int
	Together      bool
	Conditions    string
	Persons       *int   // a use
	Condition     string // in English
	ServicePoints []int  // none: all
	Picture       string
	ExpiryToWay   string // breakage or wallet
}

type giftVoucher struct {
	TH, EN  string
	Value   int64 // satang
	Days    int
	Picture string
}

// trade is how much happens on a usual day.
type trade struct {
	Orders, Visits float64
	Hours          hours        // in which people come
	TopUp          money.Amount // what wallets are filled by, or a multiple of it
}

type item struct{ Type, Gift, Quantity int } // Type and Gift count from 1; 0 is none

type pack struct {
	TH, EN, AboutTH, AboutEN, BadgeTH, BadgeEN string
	Price, ListPrice                           int64 // satang; ListPrice 0 is none
	Stock                                      int   // 0: unlimited
	PerCustomer                                int   // 0: no limit
	Featured                                   bool
	Tags                                       []int
	Items                                      []item
	Picture                                    string
}

var organisations = []organisation{spa, hotel, iceCream}

var spa = organisation{
	Unique: "lamai", NameTH: "เรือนละไม สปา", NameEN: "Ruean Lamai Spa", TaglineTH: "สปาล้านนา · 3 สาขา", TaglineEN: "Lanna spa · 3 branches",
	Primary: "#1f5c4d", Secondary: "#d9a662", Channel: "1657000001", Logo: "logo-spa",
	Code: "LAMAI10", Lists: spaLists, Questions: spaQuestions,
	Contact: content.ContactDetails{
		LegalNameTH: "บริษัท เรือนละไม จำกัด", LegalNameEN: "Ruean Lamai Co., Ltd.", TaxID: "0105536000313", Branch: "00000",
		AddressTH: "12/4 ถนนนิมมานเหมินท์ ซอย 9 ต.สุเทพ อ.เมือง เชียงใหม่ 50200", AddressEN: "12/4 Nimmanhaemin Soi 9, Suthep, Chiang Mai 50200",
		Phone: "053215509", Email: "hello@lamai.example", LineID: "@lamai-demo",
	},
	Trade: trade{
		Orders: 8, Visits: 10, TopUp: 2000 * money.Baht,
		Hours: hours{10: 2, 11: 3, 12: 3, 13: 5, 14: 8, 15: 8, 16: 7, 17: 6, 18: 6, 19: 4, 20: 2},
	},
	Tags: []tag{{"นวดไทย", "Thai massage"}, {"อโรมา", "Aroma"}, {"สำหรับคู่รัก", "For couples"}, {"เท้าและไหล่", "Feet and shoulders"}},
	ServicePoints: []servicePoint{
		{"นิมมานเหมินท์ ซอย 9", "Nimmanhaemin Soi 9", "12/4 ถนนนิมมานเหมินท์ ซอย 9 ต.สุเทพ อ.เมือง เชียงใหม่ 50200", "12/4 Nimmanhaemin Soi 9, Suthep, Chiang Mai 50200", "053215509", "ทุกวัน 10:00–21:00", "Daily 10:00–21:00", 18.7989, 98.9682},
		{"ท่าแพ", "Tha Phae", "88 ถนนท่าแพ ต.ช้างคลาน อ.เมือง เชียงใหม่ 50100", "88 Tha Phae Road, Chang Khlan, Chiang Mai 50100", "053215510", "ทุกวัน 10:00–22:00", "Daily 10:00–22:00", 18.7877, 98.9995},
		{"แม่ริม", "Mae Rim", "45 ม.3 ต.ริมใต้ อ.แม่ริม เชียงใหม่ 50180", "45 Moo 3, Rim Tai, Mae Rim, Chiang Mai 50180", "053215511", "อังคาร–อาทิตย์ 09:00–19:00", "Tue–Sun 09:00–19:00", 18.9148, 98.9420},
	},
	Types: []voucherType{
		{TH: "นวดอโรมาน้ำมันอุ่น 90 นาที", EN: "Warm oil aroma massage, 90 minutes", Items: 3, ListPrice: 140000, Days: 130, Rule: "times", Times: 2, Conditions: "จองล่วงหน้าอย่างน้อย 1 วัน มาถึงก่อนเวลา 15 นาที", Condition: "Book at least one day ahead and arrive 15 minutes early.", Picture: "oil"},
		{TH: "นวดหินร้อนล้านนา 120 นาที", EN: "Lanna hot stone massage, 120 minutes", Items: 1, ListPrice: 222000, Days: 120, Rule: "times", Times: 1, Conditions: "ไม่แนะนำสำหรับผู้ตั้งครรภ์", Condition: "Not recommended during pregnancy.", Picture: "stone"},
		{TH: "ประคบสมุนไพรสด 60 นาที", EN: "Fresh herbal compress, 60 minutes", Items: 1, ListPrice: 79000, Days: 90, Rule: "unlimited", Picture: "herb"},
		{TH: "แช่เท้า นวดเท้าสมุนไพร 60 นาที", EN: "Herbal foot soak and massage, 60 minutes", Items: 1, ListPrice: 49000, Days: 90, Rule: "unlimited", ServicePoints: []int{0, 1}, Picture: "foot"},
		{TH: "ห้องคู่ส่วนตัว 150 นาที", EN: "Private couple's room, 150 minutes", Items: 1, ListPrice: 590000, Days: 180, Rule: "times", Times: 1, Together: true, Conditions: "ใช้พร้อมกัน", Condition: "At the same time.", Persons: new(2), ServicePoints: []int{0, 2}, Picture: "towel"},
		{TH: "นวดคอ บ่า ไหล่ 30 นาที", EN: "Neck and shoulder massage, 30 minutes", Items: 1, ListPrice: 35000, Days: 14, Rule: "unlimited", Conditions: "ใช้ภายใน 14 วันหลังซื้อ วันธรรมดา 10:00–15:00", Condition: "Within 14 days, on weekdays from 10:00 to 15:00.", Picture: "towel"},
	},
	Gifts: []giftVoucher{{"บัตรของขวัญ 1,000 บาท", "1,000 baht gift card", 100000, 365, "tea"}},
	Packages: []pack{
		{TH: "นวดอโรมาน้ำมันอุ่น 90 นาที แพ็ก 3 ครั้ง", EN: "Warm oil aroma massage, pack of 3", AboutTH: "น้ำมันงาอุ่นผสมตะไคร้และมะลิจากสวนของเรา นวดช้าและลึกโดยหมอนวดที่ผ่านการอบรม 300 ชั่วโมง ใช้คนเดียวหรือแบ่งให้เพื่อนก็ได้", AboutEN: "Warm sesame oil with lemongrass and jasmine from our own garden, slow and deep, by therapists with 300 hours of training. For you, or to share with friends.", BadgeTH: "แนะนำเดือนนี้", BadgeEN: "This month's pick", Price: 329000, ListPrice: 420000, Stock: 260, Featured: true, Tags: []int{1}, Items: []item{{Type: 1, Quantity: 1}}, Picture: "oil"},
		{TH: "นวดหินร้อนล้านนา 120 นาที", EN: "Lanna hot stone massage, 120 minutes", AboutTH: "หินภูเขาไฟอุ่นวางตามแนวเส้น คลายกล้ามเนื้อลึก ปิดท้ายด้วยชาดอกเก๊กฮวย", AboutEN: "Warm volcanic stones along the sen lines, then chrysanthemum tea.", BadgeTH: "-15%", BadgeEN: "-15%", Price: 189000, ListPrice: 222000, Stock: 100, Tags: []int{0}, Items: []item{{Type: 2, Quantity: 1}}, Picture: "stone"},
		{TH: "ประคบสมุนไพรสด 60 นาที", EN: "Fresh herbal compress, 60 minutes", AboutTH: "ลูกประคบทำสดทุกเช้า ไพล ขมิ้น มะกรูด ตะไคร้", AboutEN: "Compresses made fresh every morning with plai, turmeric, kaffir lime and lemongrass.", Price: 79000, Tags: []int{0}, Items: []item{{Type: 3, Quantity: 1}}, Picture: "herb"},
		{TH: "แช่เท้า นวดเท้าสมุนไพร 60 นาที", EN: "Herbal foot soak and massage, 60 minutes", AboutTH: "พักเท้าหลังเดินทั้งวัน แช่น้ำอุ่นกลีบดอกไม้แล้วนวดถึงเข่า", AboutEN: "Rest your feet after a long day: a warm flower soak, then massage up to the knee.", Price: 49000, Tags: []int{3}, Items: []item{{Type: 4, Quantity: 1}}, Picture: "foot"},
		{TH: "แพ็กคู่รัก ห้องส่วนตัว 150 นาที", EN: "For two: a private room, 150 minutes", AboutTH: "ห้องส่วนตัวริมสวน อบสมุนไพร สครับ และนวดอโรมา 2 ท่านพร้อมน้ำขิงและผลไม้", AboutEN: "A private garden room with herbal steam, scrub and aroma massage for two, with ginger tea and fruit.", BadgeTH: "เหลือน้อย", BadgeEN: "Few left", Price: 590000, Stock: 64, PerCustomer: 4, Tags: []int{2, 1}, Items: []item{{Type: 5, Quantity: 1}}, Picture: "towel"},
		{TH: "บัตรของขวัญ มูลค่า 1,000 บาท", EN: "Gift card worth 1,000 baht", AboutTH: "ใช้แทนเงินได้ทุกบริการ ทุกสาขา ใช้หลายครั้งจนครบมูลค่าได้", AboutEN: "Spend it on any service at any branch, in as many visits as you like.", Price: 100000, Tags: []int{2}, Items: []item{{Gift: 1, Quantity: 1}}, Picture: "tea"},
		{TH: "นวดคอ บ่า ไหล่ 30 นาที ช่วงบ่ายวันธรรมดา", EN: "Neck and shoulders, 30 minutes on a weekday", AboutTH: "พักสั้น ๆ จากโต๊ะทำงาน ใช้ภายใน 14 วัน", AboutEN: "A short rest from the desk, within 14 days.", Price: 29000, ListPrice: 35000, Tags: []int{0, 3}, Items: []item{{Type: 6, Quantity: 1}}, Picture: "towel"},
	},
}

var hotel = organisation{
	Unique: "sathorn", NameTH: "โรงแรมสาทรวารี", NameEN: "Sathorn Waree", TaglineTH: "ห้องอาหารริมน้ำ · กรุงเทพฯ", TaglineEN: "Riverside dining · Bangkok",
	Primary: "#061c33", Secondary: "#d3ae55", OwnKeys: true, Channel: "1657000002", Logo: "logo-hotel",
	Code: "SATHORN10", Lists: hotelLists, Questions: hotelQuestions,
	Contact: content.ContactDetails{
		LegalNameTH: "บริษัท สาทรวารี จำกัด", LegalNameEN: "Sathorn Waree Co., Ltd.", TaxID: "0105549002182", Branch: "00000",
		AddressTH: "199 ถนนเจริญกรุง แขวงยานนาวา เขตสาทร กรุงเทพฯ 10120", AddressEN: "199 Charoen Krung Road, Yannawa, Sathorn, Bangkok 10120",
		Phone: "022108899", Email: "dining@sathornwaree.example", LineID: "@sathorn-demo",
	},
	Trade: trade{
		Orders: 9, Visits: 12, TopUp: 3000 * money.Baht,
		Hours: hours{11: 4, 12: 7, 13: 5, 14: 3, 15: 3, 16: 2, 17: 4, 18: 9, 19: 10, 20: 6, 21: 1},
	},
	Tags: []tag{{"บุฟเฟต์", "Buffets"}, {"อาหารค่ำ", "Dinner"}, {"น้ำชายามบ่าย", "Afternoon tea"}},
	ServicePoints: []servicePoint{
		{"ห้องอาหารวารี ชั้น 2", "Waree Restaurant, 2nd floor", "199 ถนนเจริญกรุง แขวงยานนาวา เขตสาทร กรุงเทพฯ 10120", "199 Charoen Krung Road, Yannawa, Sathorn, Bangkok 10120", "022108899", "ทุกวัน 06:00–22:30", "Daily 06:00–22:30", 13.7166, 100.5147},
		{"ระเบียงริมน้ำ", "Riverside Terrace", "199 ถนนเจริญกรุง แขวงยานนาวา เขตสาทร กรุงเทพฯ 10120", "199 Charoen Krung Road, Yannawa, Sathorn, Bangkok 10120", "022108899", "ทุกวัน 17:00–23:00", "Daily 17:00–23:00", 13.7164, 100.5141},
	},
	Types: []voucherType{
		{TH: "บุฟเฟต์ซีฟู้ดมื้อค่ำ 1 ท่าน", EN: "Seafood dinner buffet for one", Items: 1, ListPrice: 199000, Days: 120, Rule: "times", Times: 2, Conditions: "ศุกร์–อาทิตย์ โปรดจองโต๊ะล่วงหน้า", Condition: "Friday to Sunday; please reserve a table.", ServicePoints: []int{0}, Picture: "seafood"},
		{TH: "บรันช์วันอาทิตย์ 1 ท่าน", EN: "Sunday brunch for one", Items: 1, ListPrice: 149000, Days: 120, Rule: "times", Times: 2, ServicePoints: []int{0}, Picture: "brunch"},
		{TH: "น้ำชายามบ่าย สำหรับ 2 ท่าน", EN: "Afternoon tea for two", Items: 1, ListPrice: 119000, Days: 90, Rule: "unlimited", ServicePoints: []int{1}, Picture: "tea"},
		{TH: "ดินเนอร์ริมน้ำ 5 คอร์ส", EN: "Five-course riverside dinner", Items: 1, ListPrice: 320000, Days: 150, Rule: "none", ServicePoints: []int{1}, Picture: "dinner"},
		{TH: "กาแฟและเค้กริมน้ำ", EN: "Coffee and cake by the river", Items: 1, ListPrice: 48000, Days: 14, Rule: "unlimited", Conditions: "ใช้ภายใน 14 วันหลังซื้อ", Condition: "Within 14 days.", ServicePoints: []int{1}, Picture: "brunch"},
	},
	Gifts: []giftVoucher{{"เครดิตห้องอาหาร 2,000 บาท", "2,000 baht dining credit", 200000, 365, "dinner"}},
	Packages: []pack{
		{TH: "บุฟเฟต์ซีฟู้ดริมแม่น้ำเจ้าพระยา มา 4 จ่าย 3", EN: "Riverside seafood buffet, 4 for the price of 3", AboutTH: "กุ้งแม่น้ำเผา หอยนางรมสด ซูชิ และสเตชันอาหารไทย วิวแม่น้ำเจ้าพระยา ใช้ครั้งละกี่ท่านก็ได้", AboutEN: "Grilled river prawns, fresh oysters, sushi and Thai stations by the Chao Phraya. Use as many seats at a time as you like.", BadgeTH: "มา 4 จ่าย 3", BadgeEN: "4 for 3", Price: 597000, ListPrice: 796000, Stock: 300, Featured: true, Tags: []int{0, 1}, Items: []item{{Type: 1, Quantity: 4}}, Picture: "seafood"},
		{TH: "บุฟเฟต์ซีฟู้ดมื้อค่ำ 1 ท่าน", EN: "Seafood dinner buffet for one", AboutTH: "มื้อค่ำวันศุกร์ถึงอาทิตย์ เครื่องดื่มไม่มีแอลกอฮอล์รวมแล้ว", AboutEN: "Friday to Sunday evenings, soft drinks included.", Price: 169000, ListPrice: 199000, Tags: []int{0, 1}, Items: []item{{Type: 1, Quantity: 1}}, Picture: "seafood"},
		{TH: "บรันช์วันอาทิตย์", EN: "Sunday brunch", AboutTH: "ไข่เบเนดิกต์ แซลมอนรมควัน ขนมอบสดจากเตา", AboutEN: "Eggs Benedict, smoked salmon, pastries fresh from the oven.", Price: 119000, ListPrice: 149000, Stock: 300, Tags: []int{0}, Items: []item{{Type: 2, Quantity: 1}}, Picture: "brunch"},
		{TH: "น้ำชายามบ่ายสำหรับ 2 ท่าน", EN: "Afternoon tea for two", AboutTH: "ชาไทยจากดอยแม่สลองกับขนมไทยและสโคน", AboutEN: "Tea from Doi Mae Salong with Thai sweets and scones.", Price: 99000, Tags: []int{2}, Items: []item{{Type: 3, Quantity: 1}}, Picture: "tea"},
		{TH: "ดินเนอร์ 5 คอร์สริมน้ำ", EN: "Five-course riverside dinner", AboutTH: "เมนูตามฤดูกาลโดยเชฟวรินทร์ จับคู่เครื่องดื่มได้", AboutEN: "Chef Warin's seasonal menu; drinks can be paired.", Price: 279000, ListPrice: 320000, Stock: 110, PerCustomer: 6, Tags: []int{1}, Items: []item{{Type: 4, Quantity: 1}}, Picture: "dinner"},
		{TH: "เครดิตห้องอาหาร มูลค่า 2,000 บาท", EN: "Dining credit worth 2,000 baht", AboutTH: "ใช้แทนเงินได้ทั้งสองห้องอาหาร เหลือเท่าไรเก็บไว้มื้อหน้าได้", AboutEN: "Spend it in either restaurant; what is left waits for the next meal.", Price: 200000, Tags: []int{1}, Items: []item{{Gift: 1, Quantity: 1}}, Picture: "dinner"},
		{TH: "กาแฟและเค้กริมน้ำ สำหรับ 2 ท่าน", EN: "Coffee and cake by the river, for two", AboutTH: "เค้กอบวันต่อวัน กาแฟจากดอยช้าง ใช้ภายใน 14 วัน", AboutEN: "Cake of the day and coffee from Doi Chang, within 14 days.", Price: 39000, ListPrice: 48000, Tags: []int{2}, Items: []item{{Type: 5, Quantity: 1}}, Picture: "brunch"},
	},
}

var iceCream = organisation{
	Unique: "yimwan", NameTH: "ยิ้มหวาน ไอศกรีมกะทิ", NameEN: "Yimwan Coconut Ice Cream", TaglineTH: "ไอศกรีมกะทิโฮมเมด · 4 ร้าน", TaglineEN: "Home-made coconut ice cream · 4 shops",
	Primary: "#f7a8b8", Secondary: "#2e7d6b", Channel: "1657000003", Logo: "logo-ice",
	Code: "YIMWAN10", Lists: iceCreamLists, Questions: iceCreamQuestions,
	Contact: content.ContactDetails{
		LegalNameTH: "บริษัท ยิ้มหวานไอศกรีม จำกัด", LegalNameEN: "Yimwan Ice Cream Co., Ltd.", TaxID: "0105561004475", Branch: "00000",
		AddressTH: "5 พหลโยธิน ซอย 7 แขวงพญาไท กรุงเทพฯ 10400", AddressEN: "5 Phahonyothin Soi 7, Phaya Thai, Bangkok 10400",
		Phone: "026171234", Email: "hello@yimwan.example", LineID: "@yimwan-demo",
	},
	Trade: trade{
		Orders: 13, Visits: 22, TopUp: 500 * money.Baht,
		Hours: hours{10: 1, 11: 2, 12: 5, 13: 7, 14: 9, 15: 9, 16: 8, 17: 5, 18: 4, 19: 6, 20: 6, 21: 3},
	},
	Tags: []tag{{"ถ้วย", "Cups"}, {"โคนและแท่ง", "Cones and pops"}, {"ยกกล่อง", "Tubs"}},
	ServicePoints: []servicePoint{
		{"อารีย์", "Ari", "5 พหลโยธิน ซอย 7 แขวงพญาไท กรุงเทพฯ 10400", "5 Phahonyothin Soi 7, Phaya Thai, Bangkok 10400", "026171234", "ทุกวัน 10:30–21:00", "Daily 10:30–21:00", 13.7797, 100.5446},
		{"เยาวราช", "Yaowarat", "340 ถนนเยาวราช กรุงเทพฯ 10100", "340 Yaowarat Road, Bangkok 10100", "026171235", "ทุกวัน 12:00–23:00", "Daily 12:00–23:00", 13.7401, 100.5105},
		{"เซ็นทรัลพระราม 9", "Central Rama 9", "ชั้น 6 เซ็นทรัลพระราม 9 กรุงเทพฯ 10310", "6th floor, Central Rama 9, Bangkok 10310", "026171236", "ทุกวัน 10:00–22:00", "Daily 10:00–22:00", 13.7587, 100.5660},
		{"หัวหิน", "Hua Hin", "72 ถนนนเรศดำริห์ หัวหิน ประจวบคีรีขันธ์ 77110", "72 Naresdamri Road, Hua Hin 77110", "032511234", "ทุกวัน 10:00–21:00", "Daily 10:00–21:00", 12.5717, 99.9589},
	},
	Types: []voucherType{
		{TH: "ไอศกรีมกะทิถ้วยโต 1 ถ้วย", EN: "A large coconut ice cream", Items: 10, ListPrice: 8900, Days: 180, Rule: "unlimited", Picture: "coconut", ExpiryToWay: "wallet"},
		{TH: "โคนวาฟเฟิลเลือกรสได้เอง", EN: "A waffle cone of your choice", Items: 1, ListPrice: 6500, Days: 90, Rule: "unlimited", Picture: "cone"},
		{TH: "ไอศกรีมข้าวเหนียวมะม่วง", EN: "Mango sticky rice sundae", Items: 1, ListPrice: 12900, Days: 60, Rule: "unlimited", Picture: "mango"},
		{TH: "ไอศกรีมแท่งผลไม้ 6 แท่ง", EN: "Six fruit pops", Items: 6, ListPrice: 3500, Days: 90, Rule: "unlimited", Picture: "pops"},
		{TH: "กล่องใหญ่ 1 ลิตร", EN: "One-litre tub", Items: 1, ListPrice: 32000, Days: 60, Rule: "none", ServicePoints: []int{0, 2}, Picture: "tub"},
		{TH: "ไอศกรีมกะทิถ้วยเล็ก", EN: "A small coconut ice cream", Items: 1, ListPrice: 5900, Days: 14, Rule: "unlimited", Conditions: "ใช้ภายใน 14 วันหลังซื้อ", Condition: "Within 14 days.", Picture: "tub"},
	},
	Gifts: []giftVoucher{{"บัตรของขวัญ 300 บาท", "300 baht gift card", 30000, 365, "cone"}},
	Packages: []pack{
		{TH: "ไอศกรีมกะทิถ้วยโต แพ็ก 10 ถ้วย แบ่งกันได้", EN: "Ten large coconut ice creams, to share", AboutTH: "กะทิสดคั้นวันต่อวัน ท็อปปิ้งเลือกได้ 2 อย่าง แบ่งให้เพื่อนได้ไม่จำกัดครั้ง", AboutEN: "Coconut milk pressed every day, two toppings of your choice. Pass them on as often as you like.", BadgeTH: "คุ้มที่สุด", BadgeEN: "Best value", Price: 69000, ListPrice: 89000, Featured: true, Tags: []int{0}, Items: []item{{Type: 1, Quantity: 1}}, Picture: "coconut"},
		{TH: "โคนวาฟเฟิลเลือกรสได้เอง", EN: "A waffle cone of your choice", AboutTH: "โคนอบใหม่ทุกชั่วโมง 12 รส", AboutEN: "Cones baked every hour, twelve flavours.", Price: 5900, ListPrice: 6500, Tags: []int{1}, Items: []item{{Type: 2, Quantity: 1}}, Picture: "cone"},
		{TH: "ไอศกรีมข้าวเหนียวมะม่วง", EN: "Mango sticky rice sundae", AboutTH: "มะม่วงน้ำดอกไม้ ข้าวเหนียวเขี้ยวงู เฉพาะหน้ามะม่วง", AboutEN: "Nam dok mai mango on sticky rice, in season only.", BadgeTH: "ตามฤดูกาล", BadgeEN: "In season", Price: 11900, Stock: 500, Tags: []int{0}, Items: []item{{Type: 3, Quantity: 1}}, Picture: "mango"},
		{TH: "ไอศกรีมแท่งผลไม้ กล่อง 6 แท่ง", EN: "Fruit pops, box of six", AboutTH: "ผลไม้แท้ ไม่ใส่สี หวานน้อย", AboutEN: "Real fruit, no colouring, not too sweet.", Price: 18900, ListPrice: 21000, Tags: []int{1}, Items: []item{{Type: 4, Quantity: 1}}, Picture: "pops"},
		{TH: "กล่องใหญ่ 1 ลิตร กลับบ้าน", EN: "One-litre tub to take home", AboutTH: "ใส่กล่องเย็นอยู่ได้ 2 ชั่วโมง", AboutEN: "In a cool box that lasts two hours.", Price: 29900, Stock: 180, Tags: []int{2}, Items: []item{{Type: 5, Quantity: 1}}, Picture: "tub"},
		{TH: "บัตรของขวัญ มูลค่า 300 บาท", EN: "Gift card worth 300 baht", AboutTH: "ใช้ได้ทุกร้าน ทุกเมนู", AboutEN: "For anything, in every shop.", Price: 30000, Tags: []int{0}, Items: []item{{Gift: 1, Quantity: 1}}, Picture: "cone"},
		{TH: "ไอศกรีมกะทิถ้วยเล็ก ลองชิม", EN: "A small coconut ice cream to try", AboutTH: "ลองรสแรกก่อนตัดสินใจ ใช้ภายใน 14 วัน", AboutEN: "A first taste, within 14 days.", Price: 4900, ListPrice: 5900, Tags: []int{0}, Items: []item{{Type: 6, Quantity: 1}}, Picture: "tub"},
	},
}
