package demo

// strangers are the names that people who come in the demo's past have in LINE.
var strangers = names(
	[]string{
		"ณัฐพร", "กมลชนก", "ธนากร", "พิมพ์ชนก", "วรรณวิสา", "ปิยะดา", "อนุชา", "ชลธิชา", "ศุภชัย", "มณีรัตน์", "กิตติพงษ์", "รัตนาภรณ์",
		"จิราพร", "ภัทรพล", "สุดารัตน์", "นันทนา", "เอกชัย", "วิภาวี", "ธัญญา", "อรอุมา", "พงศกร", "สิรินทร์", "ดวงใจ", "ชนิดา", "ปวีณา",
		"ทศพล", "กันต์ธร", "ญาณิศา", "เบญจวรรณ", "สมฤดี", "Pim", "Nan", "Beam", "Fern", "Tong", "Aoy",
	},
	[]string{"ก.", "ข.", "จ.", "ช.", "ด.", "ท.", "น.", "พ.", "ม.", "ร.", "ว.", "ส."},
)

func names(first, last []string) []string {
	all := []string{}
	for _, f := range first {
		for _, l := range last {
			all = append(all, f+" "+l)
		}
	}
	return all
}
