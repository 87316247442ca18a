// Package qr makes Thai payment codes (EMVCo merchant-presented mode), and draws any text as a QR code.
package qr

import (
	"errors"
	"fmt"
	"strings"

	"welovevoucher/platform/money"
)

const (
	promptPay   = "A000000677010111"
	billPayment = "A000000677010112"
)

// ErrReceiver is returned for an invalid PromptPay or biller id.
var ErrReceiver = errors.New("qr: not a PromptPay or biller id")

// PromptPay returns the payload that pays a mobile number (10 digits), a national or tax id (13) or an e-wallet (15). It ignores
// dashes and blanks. With amount 0 the payer enters the amount and may use the code many times; otherwise it is for one payment.
func PromptPay(receiver string, amount money.Amount) (string, error) {
	digits := strings.NewReplacer("-", "", " ", "").Replace(receiver)
	if !numeric(digits) {
		return "", ErrReceiver
	}
	var id string
	switch {
	case len(digits) == 10 && digits[0] == '0':
		id = field("01", "0066"+digits[1:])
	case len(digits) == 13:
		id = field("02", digits)
	case len(digits) == 15:
		id = field("03", digits)
	default:
		return "", ErrReceiver
	}
	return payment(field("29", field("00", promptPay)+id), amount)
}

// Bill returns the payload that pays a biller (tax id and suffix, 15 digits) under one or two references of up to 20 letters and
// digits.
func Bill(biller, ref1, ref2 string, amount money.Amount) (string, error) {
	if len(biller) != 15 || !numeric(biller) || !reference(ref1) || ref2 != "" && !reference(ref2) {
		return "", ErrReceiver
	}
	account := field("00", billPayment) + field("01", biller) + field("02", ref1)
	if ref2 != "" {
		account += field("03", ref2)
	}
	return payment(field("30", account), amount)
}

func payment(account string, amount money.Amount) (string, error) {
	if amount < 0 {
		return "", fmt.Errorf("qr: amount of %d satang", amount)
	}
	use, sum := "11", ""
	if amount > 0 {
		use, sum = "12", field("54", fmt.Sprintf("%d.%02d", amount/money.Baht, amount%money.Baht))
	}
	return seal(field("00", "01") + field("01", use) + account + field("58", "TH") + field("53", "764") + sum), nil
}

// field formats one field: two digits of id, two of length, and the value.
func field(id, value string) string { return fmt.Sprintf("%s%02d%s", id, len(value), value) }

// seal appends the checksum, which also covers its own id and length.
func seal(payload string) string {
	payload += "6304"
	return payload + fmt.Sprintf("%04X", checksum(payload))
}

// checksum is CRC-16/CCITT-FALSE.
func checksum(s string) uint16 {
	crc := uint16(0xFFFF)
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}

func numeric(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

func reference(s string) bool {
	for _, r := range s {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return s != "" && len(s) <= 20
}
