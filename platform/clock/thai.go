package clock

import (
	"fmt"
	"time"
)

var thaiMonths = [...]string{"", "มกราคม", "กุมภาพันธ์", "มีนาคม", "เมษายน", "พฤษภาคม", "มิถุนายน", "กรกฎาคม", "สิงหาคม", "กันยายน", "ตุลาคม", "พฤศจิกายน", "ธันวาคม"}

// ThaiYear returns a day's year of the Buddhist era.
func ThaiYear(day time.Time) int { return day.Year() + 543 }

// InThai returns a day as papers write it: 17 ธันวาคม 2569.
func InThai(day time.Time) string {
	return fmt.Sprintf("%d %s %d", day.Day(), thaiMonths[day.Month()], ThaiYear(day))
}

// InThaiDigits returns a day as tables write it: 17/12/2569.
func InThaiDigits(day time.Time) string {
	return fmt.Sprintf("%02d/%02d/%d", day.Day(), day.Month(), ThaiYear(day))
}
