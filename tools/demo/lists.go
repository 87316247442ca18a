package demo

// question is what an organisation's customers ask.
type question struct{ TH, EN, AnswerTH, AnswerEN string }

// option is a row of an option list.
type option struct{ TH, EN string }

// lists are what an organisation has to choose from, by table.
type lists map[string][]option

var spaLists = lists{
	"customertype": {{"แขกโรงแรมพันธมิตร", "Guests of partner hotels"}},
	"service":      {{"นวดไทย", "Thai massage"}, {"นวดอโรมา", "Aroma massage"}, {"ประคบสมุนไพร", "Herbal compress"}, {"อบสมุนไพร", "Herbal steam"}},
	"timeslot":     {{"เช้า 10:00–13:00", "Morning 10:00–13:00"}, {"บ่าย 13:00–17:00", "Afternoon 13:00–17:00"}, {"ค่ำ 17:00–21:00", "Evening 17:00–21:00"}},
	"size":         {{"ชุดนวด S", "Massage wear S"}, {"ชุดนวด M", "Massage wear M"}, {"ชุดนวด L", "Massage wear L"}, {"ชุดนวด XL", "Massage wear XL"}},
	"qrtype":       {{"การ์ดของขวัญ", "Gift card"}, {"ซองผ้าทอ", "Woven envelope"}},
}

var spaQuestions = []question{
	{"ต้องจองก่อนไหม", "Do I have to book?", "จองล่วงหน้าอย่างน้อย 1 วัน โทร 053-215-509 บอกสาขาและเวลาที่สะดวก\n\nวันธรรมดาก่อนบ่ายสามมักมีคิวว่าง มาได้เลย", "Please book at least one day ahead: call 053 215 509 and say which branch and when.\n\nOn weekdays before three there is often a free place, so you can just come."},
	{"มาสายทำอย่างไร", "What if I am late?", "สายได้ไม่เกิน 15 นาที เกินกว่านั้นเวลานวดจะสั้นลงตามคิวถัดไป หรือโทรเลื่อนวันได้ เวาเชอร์ยังอยู่ครบ", "Up to 15 minutes is fine. After that your massage ends when the next guest comes, or call us and choose another day; your voucher is kept."},
	{"แพ็ก 3 ครั้ง มาพร้อมเพื่อนได้ไหม", "May friends share my pack of three?", "ได้ เลือกจำนวนครั้งก่อนเปิด QR ที่สาขา มา 3 ท่านก็ใช้พร้อมกันได้", "Yes. Choose how many before you open the QR at the branch; three friends can use it at once."},
	{"ตั้งครรภ์นวดได้ไหม", "Can I come when I am pregnant?", "ถามแพทย์ก่อน และแจ้งเราตอนจอง นวดหินร้อนและอบสมุนไพรขอให้รอหลังคลอด", "Please ask your doctor first and tell us when you book. Hot stones and herbal steam had better wait."},
}

var hotelLists = lists{
	"customertype": {{"ผู้เข้าพัก", "Hotel guests"}},
	"service":      {{"บุฟเฟต์", "Buffet"}, {"น้ำชายามบ่าย", "Afternoon tea"}, {"ดินเนอร์", "Dinner"}},
	"timeslot":     {{"มื้อกลางวัน 11:30–14:30", "Lunch 11:30–14:30"}, {"มื้อค่ำ รอบ 17:30", "Dinner at 17:30"}, {"มื้อค่ำ รอบ 20:00", "Dinner at 20:00"}},
	"size":         {{"โต๊ะ 2 ที่นั่ง", "Table for two"}, {"โต๊ะ 4 ที่นั่ง", "Table for four"}, {"โต๊ะกลม 8 ที่นั่ง", "Round table for eight"}},
	"qrtype":       {{"บัตรกำนัลพิมพ์", "Printed certificate"}},
}

var hotelQuestions = []question{
	{"ต้องจองโต๊ะไหม", "Do I need a table booking?", "ศุกร์ถึงอาทิตย์โปรดจองก่อน โทร 02-210-8899 วันอื่นมาได้เลย", "From Friday to Sunday please do: 02 210 8899. On other days just come."},
	{"เด็กคิดราคาอย่างไร", "What do children pay?", "สูงไม่เกิน 100 ซม. ทานฟรี 100–130 ซม. จ่ายครึ่งราคาที่ห้องอาหาร ไม่ต้องใช้เวาเชอร์", "Up to 100 cm nothing, from 100 to 130 cm half the price at the restaurant, without a voucher."},
	{"จอดรถฟรีไหม", "Is parking free?", "ฟรี 4 ชั่วโมง ประทับตราบัตรจอดรถที่ห้องอาหาร", "For four hours; have your ticket stamped at the restaurant."},
}

var iceCreamLists = lists{
	"customertype": {{"ครูและนักเรียน", "Teachers and pupils"}},
	"service":      {{"ทานที่ร้าน", "Eat in"}, {"กลับบ้าน", "Take away"}, {"ออกงาน", "At your event"}},
	"timeslot":     {{"กลางวัน", "Daytime"}, {"หลังเลิกเรียน", "After school"}, {"ค่ำ", "Evening"}},
	"size":         {{"ถ้วยเล็ก", "Small cup"}, {"ถ้วยโต", "Large cup"}, {"กล่อง 1 ลิตร", "One-litre tub"}},
	"qrtype":       {{"สติกเกอร์ข้างถ้วย", "Sticker on the cup"}},
}

var iceCreamQuestions = []question{
	{"แพ้นม ทานได้ไหม", "I can't have milk. Is it for me?", "ได้ ใช้กะทิแทนนมทุกรส ยกเว้นรสคุกกี้และรสชาไทย", "Yes. All flavours are made of coconut milk, but for cookie and Thai tea."},
	{"ใช้ครั้งเดียวหลายถ้วยได้ไหม", "Can I use several cups at once?", "ได้ เลือกจำนวนถ้วยก่อนเปิด QR ที่ร้าน", "Yes. Choose how many before you open the QR at the shop."},
	{"หมดหน้ามะม่วงแล้วเวาเชอร์ทำอย่างไร", "What if mangoes are out of season?", "เปลี่ยนเป็นรสอื่นในราคาเดียวกันได้จนถึงวันหมดอายุ", "Have another flavour of the same price instead, until your voucher expires."},
}
