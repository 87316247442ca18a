package message

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/money"
)

// facts are what the texts of a message are made of.
type facts struct {
	kind           Kind
	vouchers       int
	nameTH, nameEN string // of the first voucher
	person         string // who received a gift, or took the first of an ang-pao
	people, taken  int    // for how many an ang-pao is, and how many have taken one
	day            *time.Time
	days           int
	received       money.Amount
	use            use
}

// use is what the texts of a use say of it.
type use struct {
	kind             string // item or baht
	items            int64
	placeTH, placeEN string
	at               time.Time
}

// amount returns how much was used, in Thai and in English.
func (u use) amount() (th, en string) {
	switch {
	case u.kind == "baht":
		sum := "฿" + money.Amount(u.items).String()
		return sum, sum
	case u.items == 1:
		return "1 ครั้ง", "once"
	default:
		return fmt.Sprintf("%d ครั้ง", u.items), fmt.Sprintf("%d times", u.items)
	}
}

type text struct{ title, body string }

// texts holds those of each kind, in Thai and in English. They say nothing that a later event could make untrue, and nothing of who paid to
// whom a voucher was given. In them stand {goods}, {person}, {people}, {taken}, {points}, {days} and {day}, and of a use {amount}, {place} and {time}.
var texts = map[Kind][2]text{
	GiftDue: {
		{"ได้เวลาส่งของขวัญแล้ว", "ลิงก์ของ {goods} เปิดแล้ว กดเพื่อส่งให้ผู้รับ"},
		{"It is time to send your gift", "The link of {goods} is open now. Send it to the receiver."},
	},
	GiftClaimed: {
		{"มีคนรับของขวัญของคุณแล้ว", "{person} รับ {goods} แล้ว"},
		{"Your gift was accepted", "{person} accepted {goods}."},
	},
	GiftDeclined: {
		{"ของขวัญกลับมาหาคุณ", "ผู้รับขอไม่รับ {goods}"},
		{"Your gift came back", "{goods} was declined with thanks."},
	},
	GiftThanked: {
		{"มีคำขอบคุณถึงคุณ", "{person} ขอบคุณสำหรับ {goods}"},
		{"A thank-you for you", "{person} thanks you for {goods}."},
	},
	GiftReturned: {
		{"ของขวัญกลับมาหาคุณ", "ไม่มีใครรับ {goods} ภายในเวลาที่กำหนด"},
		{"Your gift came back", "Nobody accepted {goods} in time."},
	},
	GiftStopped: {
		{"ของขวัญถูกระงับ", "ลิงก์ของขวัญ {goods} ใช้ไม่ได้แล้ว และไม่มีใครได้รับไป"},
		{"Your gift was stopped", "The link of {goods} no longer works. Nobody received it."},
	},
	GiftUnopened: {
		{"ยังไม่มีใครเปิดของขวัญ", "ส่ง {goods} ไปแล้ว {days} วัน ส่งลิงก์เดิมอีกครั้งได้"},
		{"Nobody has opened your gift yet", "{goods} was sent {days} days ago. You can send the same link again."},
	},
	GiftFirstTaken: {
		{"มีคนเปิดอั่งเปาของคุณแล้ว", "{person} เปิดซองแรกของ {goods}"},
		{"Your ang-pao is being opened", "{person} opened the first envelope of {goods}."},
	},
	GiftAllTaken: {
		{"อั่งเปาของคุณหมดแล้ว", "{goods} มีคนรับครบ {people} คนแล้ว"},
		{"All of your ang-pao is taken", "{people} people have taken one {goods} each."},
	},
	GiftRestReturned: {
		{"ซองที่เหลือกลับมาหาคุณ", "{goods} มีคนรับไป {taken} จาก {people} ซอง ภายในเวลาที่กำหนด"},
		{"What was left came back to you", "{taken} of {people} envelopes of {goods} were taken in time."},
	},
	GiftRestStopped: {
		{"อั่งเปาถูกระงับ", "ลิงก์อั่งเปา {goods} ใช้ไม่ได้แล้ว มีคนรับไปก่อน {taken} จาก {people} ซอง"},
		{"Your ang-pao was stopped", "The link of {goods} no longer works. {taken} of {people} envelopes were taken before."},
	},
	OfferSold: {
		{"ขายได้แล้ว", "{goods} มีเจ้าของใหม่แล้ว"},
		{"Sold", "{goods} has a new owner."},
	},
	OfferEnded: {
		{"ประกาศขายหมดเวลา", "ไม่มีใครซื้อ {goods} ภายในเวลาที่กำหนด"},
		{"Your offer ended", "Nobody bought {goods} in time."},
	},
	OfferStopped: {
		{"ประกาศขายถูกระงับ", "ประกาศขาย {goods} ถูกระงับ และไม่มีใครซื้อไป"},
		{"Your offer was stopped", "The offer of {goods} was stopped. Nobody bought it."},
	},
	VoucherEnds: {
		{"ใกล้วันสุดท้ายแล้ว", "{goods} ใช้ได้ถึงวันที่ {day}"},
		{"The last day is near", "{goods} can be used until {day}."},
	},
	VoucherExpired: {
		{"หมดอายุแล้ว", "{goods} หมดอายุแล้ว"},
		{"Expired", "{goods} has expired."},
	},
	VoucherFrozen: {
		{"ระงับการใช้ชั่วคราว", "{goods} ยังใช้ไม่ได้ ระหว่างตรวจสอบการชำระเงิน"},
		{"On hold for now", "{goods} cannot be used while a payment is being checked."},
	},
	VoucherReleased: {
		{"เลิกระงับแล้ว", "การชำระเงินของ {goods} ตรวจสอบเรียบร้อยแล้ว"},
		{"No longer on hold", "The payment for {goods} has been checked."},
	},
	VoucherFrozenByShop: {
		{"ร้านระงับการใช้ชั่วคราว", "ร้านระงับการใช้ {goods} ไว้ชั่วคราว เมื่อร้านเลิกระงับ จะเพิ่มวันใช้ให้ตามจำนวนวันที่ระงับ"},
		{"On hold by the shop", "The shop has put {goods} on hold. When it lifts the hold, the days on hold are added to its last day."},
	},
	VoucherReleasedByShop: {
		{"ร้านเลิกระงับแล้ว", "ร้านเลิกระงับ {goods} และเพิ่มวันใช้ให้แล้ว ใช้ได้ถึงวันที่ {day}"},
		{"The shop lifted its hold", "{goods} is no longer on hold. The days on hold were added: it can be used until {day}."},
	},
	VoucherVoidedByShop: {
		{"ร้านยกเลิกเวาเชอร์", "ร้านยกเลิก {goods} แล้ว ใช้ไม่ได้อีก"},
		{"Cancelled by the shop", "The shop has cancelled {goods}. It cannot be used any more."},
	},
	VoucherReissued: {
		{"เวาเชอร์มีรหัสใหม่", "ร้านเปลี่ยนรหัสของ {goods} แล้ว รหัสและ QR เดิมใช้ไม่ได้อีก เปิดเวาเชอร์เพื่อใช้รหัสใหม่"},
		{"A new code", "The shop has given {goods} a new code. The old code and its QR are no longer good; open the voucher to use the new one."},
	},
	VoucherExtended: {
		{"ร้านขยายอายุเวาเชอร์ให้", "ร้านขยายอายุ {goods} ให้แล้ว วันสุดท้ายคือวันที่ {day}"},
		{"More time", "The shop has extended {goods}. Its last day is {day} now."},
	},
	VoucherTakenBack: {
		{"เวาเชอร์ถูกเรียกคืน", "{goods} ถูกเรียกคืนทั้งหมดหรือบางส่วน เพราะเงินที่ชำระถูกส่งกลับ"},
		{"Taken back", "{goods} was taken back, in whole or in part, because its payment was returned."},
	},
	VoucherRefunded: {
		{"ร้านคืนเงินให้คุณแล้ว", "ร้านคืนเงินของ {goods} ส่วนที่ยังไม่ได้ใช้ให้คุณ"},
		{"The shop has refunded you", "What was not used of {goods} was refunded to you."},
	},
	RefundGranted: {
		{"ร้านอนุมัติคำขอคืนเงินแล้ว", "คืนเงินของ {goods} เข้า Wallet ตามที่คุณขอ"},
		{"The shop has refunded you", "What you asked for of {goods} was refunded to your Wallet."},
	},
	VoucherToCard: {
		{"ร้านคืนเงินเข้าบัตรของคุณ", "ร้านคืนเงิน ฿{sum} ของ {goods} ส่วนที่ยังไม่ได้ใช้ เข้าบัตรที่คุณใช้ชำระ ธนาคารใช้เวลาประมาณ 5–10 วัน"},
		{"The shop refunds your card", "฿{sum} for what was not used of {goods} goes back to the card that you paid with. Your bank needs about 5–10 days."},
	},
	RefundToCard: {
		{"ร้านอนุมัติคำขอคืนเงินแล้ว", "คืนเงิน ฿{sum} ของ {goods} เข้าบัตรที่คุณใช้ชำระ ตามที่คุณขอ ธนาคารใช้เวลาประมาณ 5–10 วัน"},
		{"The shop refunds your card", "฿{sum} of what you asked for of {goods} goes back to the card that you paid with. Your bank needs about 5–10 days."},
	},
	RefundRefused: {
		{"ร้านไม่อนุมัติคำขอคืนเงิน", "คำขอคืนเงินของ {goods} อ่านเหตุผลของร้านได้ในคำสั่งซื้อ"},
		{"The shop refused your refund", "Your request for {goods}. The order has the shop's words."},
	},
	RefundChanged: {
		{"กรุณาดูคำขอคืนเงินอีกครั้ง", "หลังจากที่คุณขอ บางส่วนของ {goods} ถูกใช้หรือไม่อยู่กับคุณแล้ว จึงยังไม่มีการคืนเงิน ดูได้ในคำสั่งซื้อ"},
		{"Please look at your refund again", "Some of {goods} was used or left you after you had asked, so nothing was refunded. The order says what you can ask for now."},
	},
	CashoutApproved: {
		{"ร้านอนุมัติคำขอถอนเงินแล้ว", "เงิน ฿{sum} ออกจาก Wallet และกำลังคืนไปยังช่องทางที่คุณใช้เติมเงิน"},
		{"The shop pays your money out", "฿{sum} left your Wallet and goes back to what you topped it up with."},
	},
	CashoutRefused: {
		{"ร้านไม่อนุมัติคำขอถอนเงิน", "ไม่มีเงินออกจาก Wallet อ่านเหตุผลของร้านได้ในคำขอ"},
		{"The shop refused to pay your money out", "Nothing left your Wallet. The request has the shop's words."},
	},
	CashoutAtBank: {
		{"ร้านโอนเงินให้แล้ว", "ร้านยืนยันว่าโอนเงิน ฿{sum} จาก Wallet เข้าบัญชีธนาคารที่คุณแจ้งไว้แล้ว"},
		{"The shop has transferred your money", "The shop confirms that it has transferred ฿{sum} of your Wallet to the bank account that you named."},
	},
	CashoutFailed: {
		{"ถอนเงินบางส่วนไม่ได้", "เงินส่วนที่ส่งออกไปไม่ได้กลับมาอยู่ใน Wallet แล้ว"},
		{"Some of your money could not be paid out", "So that part is in your Wallet again."},
	},
	AgentApproved: {
		{"คุณเป็นตัวแทนของร้านแล้ว", "แชร์ลิงก์ขายและรับค่าคอมได้ทันที"},
		{"You sell for the shop now", "Share your links and earn commission from now on."},
	},
	AgentRefused: {
		{"ร้านยังไม่อนุมัติใบสมัครตัวแทน", "อ่านเหตุผลและแก้เฉพาะส่วนที่เหลือได้ในหน้าตัวแทน"},
		{"Your application was not approved", "The agent's page says why, and opens what is still to be mended."},
	},
	AgentSuspended: {
		{"ร้านระงับการเป็นตัวแทนของคุณ", "ลิงก์ของคุณหยุดขายชั่วคราว ค่าคอมที่ได้แล้วยังอยู่"},
		{"The shop has paused your selling", "Your links do not sell for now. What you have earned stays yours."},
	},
	AgentResumed: {
		{"คุณขายได้อีกครั้ง", "ร้านเปิดให้คุณเป็นตัวแทนต่อแล้ว"},
		{"You can sell again", "The shop lets you sell again."},
	},
	AgentChanged: {
		{"ร้านอนุมัติข้อมูลใหม่แล้ว", "ค่าคอมโอนตามข้อมูลใหม่ของคุณตั้งแต่ {day}"},
		{"Your new details were approved", "Commission is paid by your new details from {day}."},
	},
	AgentNotChanged: {
		{"ร้านยังไม่อนุมัติข้อมูลใหม่", "คุณยังขายได้ตามปกติ อ่านเหตุผลได้ในหน้าตัวแทน"},
		{"Your new details were not approved", "You go on selling. The agent's page says why."},
	},
	AgentPaid: {
		{"โอนค่าคอมให้แล้ว", "ร้านโอนค่าคอม ฿{sum} เข้าบัญชีของคุณแล้ว ดูรายละเอียดได้ในแอปตัวแทน"},
		{"Your commission was transferred", "The shop has transferred ฿{sum} to your bank account. The agents' app shows what it is made of."},
	},
	AgentNotPaid: {
		{"โอนค่าคอมไม่สำเร็จ", "ธนาคารโอนค่าคอม ฿{sum} ให้คุณไม่ได้ ยอดนี้รอรอบถัดไป ดูเหตุผลได้ในแอปตัวแทน"},
		{"Your commission could not be transferred", "The bank could not transfer ฿{sum} to you. It waits for the next payout. The agents' app says why."},
	},
	AgentPayReturned: {
		{"ค่าคอมที่โอนตีกลับ", "ค่าคอม ฿{sum} ที่โอนให้คุณถูกส่งคืน ยอดนี้รอรอบถัดไป ดูเหตุผลได้ในแอปตัวแทน"},
		{"Your commission came back", "฿{sum} that was transferred to you came back. It waits for the next payout. The agents' app says why."},
	},
	AgentDenied: {
		{"ร้านไม่จ่ายค่าคอมของคำสั่งซื้อหนึ่งรายการ", "ค่าคอม ฿{sum} ถูกตัดออกหลังจากร้านตรวจสอบ อ่านเหตุผลได้ในแอปตัวแทน"},
		{"The commission of an order is not paid", "฿{sum} was taken off after the shop had looked at the sale. The agents' app says why."},
	},
	MemberApproved: {
		{"คุณเป็นสมาชิกแล้ว", "ร้านอนุมัติใบสมัครของคุณ เปิดดูบัตรได้เลย"},
		{"You are a member now", "The shop has approved your application. Open your card."},
	},
	MemberRefused: {
		{"ร้านไม่อนุมัติใบสมัครสมาชิก", "ถ้าจ่ายค่าบัตรไว้ เงินกลับเข้า Wallet แล้ว อ่านเหตุผลของร้านและสมัครใหม่ได้"},
		{"Your application was not approved", "If you had paid for it, the money is in your Wallet again. The page of your card says why, and you can apply again."},
	},
	MemberSuspended: {
		{"ร้านระงับบัตรสมาชิกของคุณ", "บัตรใช้ไม่ได้ชั่วคราว วันหมดอายุยังเป็นวันเดิม"},
		{"The shop has suspended your card", "It cannot be used for now. Its last day stays the same."},
	},
	MemberResumed: {
		{"บัตรสมาชิกใช้ได้อีกครั้ง", "ร้านเลิกระงับบัตรของคุณแล้ว"},
		{"Your card can be used again", "The shop has lifted the suspension."},
	},
	MemberEnded: {
		{"บัตรสมาชิกหมดอายุแล้ว", "สมัครใหม่ได้ เลขบัตรยังเป็นเลขเดิม"},
		{"Your member card has ended", "You can apply again and keep your number."},
	},
	MemberPointsEnd: {
		{"แต้มใกล้หมดอายุ", "{points} แต้มใช้ได้ถึงวันที่ {day}"},
		{"Your points lapse soon", "{points} points are good until {day}."},
	},
	MoneyToppedUp: {
		{"เติมเงินสำเร็จ", "ได้รับเงินที่คุณเติมแล้ว"},
		{"Top-up received", "The money that you added has arrived."},
	},
	MoneyRefunded: {
		{"คืนเงินเข้า Wallet แล้ว", "คืนเงินของ {goods} ส่วนที่ยังไม่ได้ใช้ ตามที่คุณขอ"},
		{"Refunded to your Wallet", "What was not used of {goods}, as you asked."},
	},
	MoneyToCard: {
		{"กำลังคืนเงินเข้าบัตร", "คืนเงิน ฿{sum} ของ {goods} ส่วนที่ยังไม่ได้ใช้ เข้าบัตรที่คุณใช้ชำระ ธนาคารใช้เวลาประมาณ 5–10 วัน"},
		{"On its way to your card", "฿{sum} for what was not used of {goods} goes back to the card that you paid with. Your bank needs about 5–10 days."},
	},
	MoneyToBank: {
		{"ร้านจะโอนเงินคืนให้", "คืนเงิน ฿{sum} ของ {goods} ส่วนที่ยังไม่ได้ใช้ เข้าบัญชีธนาคารที่คุณแจ้งไว้ ร้านมีเวลาโอน 15 วัน"},
		{"The shop will transfer it", "฿{sum} for what was not used of {goods} goes to the bank account that you named. The shop has 15 days for it."},
	},
	RefundToBank: {
		{"ร้านอนุมัติคำขอคืนเงินแล้ว", "ร้านจะโอนเงิน ฿{sum} ของ {goods} เข้าบัญชีธนาคารที่คุณแจ้งไว้ ตามที่คุณขอ"},
		{"The shop will transfer your refund", "฿{sum} of what you asked for of {goods} goes to the bank account that you named."},
	},
	MoneyAtBank: {
		{"ร้านโอนเงินคืนแล้ว", "ร้านยืนยันว่าโอนเงิน ฿{sum} เข้าบัญชีธนาคารที่คุณแจ้งไว้แล้ว"},
		{"The shop has transferred your refund", "The shop confirms that it has transferred ฿{sum} to the bank account that you named."},
	},
	MoneyNotToBank: {
		{"โอนเงินคืนเข้าบัญชีไม่ได้", "เงินที่คืนให้คุณจึงอยู่ใน Wallet แทน"},
		{"Your refund could not be transferred", "So the money is in your Wallet instead."},
	},
	MoneyNotToCard: {
		{"คืนเงินเข้าบัตรไม่ได้", "เงินที่คืนให้คุณจึงอยู่ใน Wallet แทน"},
		{"Your card could not be refunded", "So the money is in your Wallet instead."},
	},
	MoneyKept: {
		{"เงินของคุณอยู่ใน Wallet", "ได้รับเงินสำหรับรายการที่ซื้อไม่สำเร็จหรือชำระไปแล้ว จึงเก็บไว้ใน Wallet ให้"},
		{"Your payment is in your Wallet", "It was for something that could not be sold to you any more, or that had been paid already."},
	},
	UseConfirmed: {
		{"ใช้แล้ว {amount}", "{goods} ที่ {place} เมื่อ {time} ใช่คุณหรือเปล่า"},
		{"Used {amount}", "{goods} at {place}, {time}. Was it you?"},
	},
	UseStands: {
		{"ร้านยืนยันว่าใช้จริง", "ร้านตรวจการใช้ {goods} เมื่อ {time} แล้ว และยืนยันว่าใช้จริง"},
		{"The shop confirms the use", "The shop has checked the use of {goods}, {time}, and confirms it."},
	},
	UseUndone: {
		{"คืนให้คุณแล้ว {amount}", "การใช้ {goods} เมื่อ {time} ถูกยกเลิก และคืนเป็นเวาเชอร์ใบใหม่ให้คุณแล้ว"},
		{"Given back: {amount}", "The use of {goods}, {time}, was undone. It came back to you as a new voucher."},
	},
	UseGoodwill: {
		{"ร้านคืนเงินให้คุณ", "จากการใช้ {goods} เมื่อ {time}"},
		{"The shop gave you money back", "For your use of {goods}, {time}."},
	},
}

var receivedTexts = [2]string{" เงิน ฿{sum} เข้า Wallet คุณแล้ว", " ฿{sum} came into your Wallet."}

// write returns the texts in Thai and in English.
func (f facts) write() (th, en text) {
	amountTH, amountEN := f.use.amount()
	return f.in(0, f.nameTH, " และอีก %d ใบ", amountTH, f.use.placeTH), f.in(1, f.nameEN, " and %d more", amountEN, f.use.placeEN)
}

func (f facts) in(language int, goods, more, amount, place string) text {
	if f.vouchers > 1 {
		goods += fmt.Sprintf(more, f.vouchers-1)
	}
	filled := []string{
		"{goods}", goods, "{points}", strconv.Itoa(f.vouchers), "{person}", f.person, "{people}", strconv.Itoa(f.people), "{taken}", strconv.Itoa(f.taken), "{days}", strconv.Itoa(f.days), "{sum}", f.received.String(),
		"{amount}", amount, "{place}", place, "{time}", f.use.at.In(clock.Bangkok).Format("02/01/2006 15:04"),
	}
	if f.day != nil {
		filled = append(filled, "{day}", f.day.Format("02/01/2006"))
	}
	t := texts[f.kind][language]
	if f.received > 0 && !slices.Contains(outside, f.kind) {
		t.body += receivedTexts[language]
	}
	replacer := strings.NewReplacer(filled...)
	t.title, t.body = replacer.Replace(t.title), replacer.Replace(t.body)
	return t
}

// about is what the subject of a message is.
func (k Kind) about() string {
	what, _, _ := strings.Cut(string(k), "_")
	return what
}
