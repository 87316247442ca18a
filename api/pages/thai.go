package pages

import (
	"regexp"
	"strings"
	"unicode/utf16"
)

// What ICU's dictionary breaks in the middle, with word joiners where it would. The same as apps/ui/src/format/thai.ts,
// so that a name wraps where React will wrap it.
var (
	joinNames = strings.NewReplacer("ล้านนา", "ล้าน\u2060นา", "สมุนไพรสด", "สมุนไพร\u2060สด", "เลือกรสได้เอง", "เลือก\u2060รส\u2060ได้\u2060เอง")
	joinWords = strings.NewReplacer("เวาเชอร์", "เวา\u2060เชอ\u2060ร์", "แพ็กเกจ", "แพ็ก\u2060เก\u2060จ", "แดชบอร์ด", "แด\u2060ช\u2060บอร์ด")

	beforeNumber = regexp.MustCompile(`(แพ็ก|แพ็กเกจ|สำหรับ|ซอย|เหลือ|ชั้น|ถนน) (\d)`)
	afterNumber  = regexp.MustCompile(`(\d[\d,.]*) (นาที|ครั้ง|ท่าน|คน|ชุด|ถ้วย|ใบ|บาท|สาขา|ร้าน|วัน|วินาที|แต้ม|รายการ|ชั่วโมง|สิทธิ์|กม\.|กรัม|มล\.|%)`)
)

const line = 45 // what is shorter is left as it is written

// thai joins what must not be parted at the end of a line: a number and its unit, and words that the dictionary splits.
func thai(text string) string {
	joined := afterNumber.ReplaceAllString(beforeNumber.ReplaceAllString(text, "$1\u00a0$2"), "$1\u00a0$2")
	joined = joinNames.Replace(joined)
	if len(utf16.Encode([]rune(joined))) < line {
		return joined
	}
	return joinWords.Replace(joined)
}
