package money

import "strings"

var (
	digitWords = [10]string{"ศูนย์", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า"}
	placeWords = [6]string{"", "สิบ", "ร้อย", "พัน", "หมื่น", "แสน"}
)

// Words returns an amount in Thai words, as papers write it beside the figures: หนึ่งร้อยเอ็ดบาทถ้วน.
func (a Amount) Words() string {
	if a < 0 {
		return "ลบ" + (-a).Words()
	}
	baht, satang := int64(a/Baht), int64(a%Baht)
	switch {
	case baht == 0 && satang > 0:
		return numberWords(satang) + "สตางค์"
	case satang == 0:
		return numberWords(baht) + "บาทถ้วน"
	}
	return numberWords(baht) + "บาท" + numberWords(satang) + "สตางค์"
}

// numberWords says groups of six digits, each before the last followed by ล้าน.
func numberWords(n int64) string {
	if n == 0 {
		return digitWords[0]
	}
	var words strings.Builder
	if millions := n / 1_000_000; millions > 0 {
		words.WriteString(numberWords(millions) + "ล้าน")
	}
	place := int64(100_000)
	for i := len(placeWords) - 1; i >= 0; i, place = i-1, place/10 {
		switch digit := n / place % 10; {
		case digit == 0:
		case i == 0 && digit == 1 && n >= 10:
			words.WriteString("เอ็ด")
		case i == 1 && digit == 1:
			words.WriteString(placeWords[1])
		case i == 1 && digit == 2:
			words.WriteString("ยี่" + placeWords[1])
		default:
			words.WriteString(digitWords[digit] + placeWords[i])
		}
	}
	return words.String()
}
