package bank

// names are the banks' own, in Thai, by their codes at the Bank of Thailand.
var names = map[string]string{
	"002": "ธนาคารกรุงเทพ", "004": "ธนาคารกสิกรไทย", "006": "ธนาคารกรุงไทย", "011": "ธนาคารทหารไทยธนชาต", "014": "ธนาคารไทยพาณิชย์", "020": "ธนาคารสแตนดาร์ดชาร์เตอร์ด (ไทย)",
	"022": "ธนาคารซีไอเอ็มบี ไทย", "024": "ธนาคารยูโอบี", "025": "ธนาคารกรุงศรีอยุธยา", "030": "ธนาคารออมสิน", "033": "ธนาคารอาคารสงเคราะห์", "034": "ธ.ก.ส.", "066": "ธนาคารอิสลามแห่งประเทศไทย",
	"067": "ธนาคารทิสโก้", "069": "ธนาคารเกียรตินาคินภัทร", "070": "ธนาคารไอซีบีซี (ไทย)", "071": "ธนาคารไทยเครดิต", "073": "ธนาคารแลนด์ แอนด์ เฮ้าส์",
}

// InThai returns the name of the bank with a code, or the code if it has none here.
func InThai(code string) string {
	if name, ok := names[code]; ok {
		return name
	}
	return code
}
