package wire

// Texts that answers have as their message, word for word as clients of the specification know them; those of refusals stand with their faults.
const (
	VoucherPurchased   = "Successfully purchased the voucher"
	PurchaseSuccessful = "Purchase successful"
	OrderSuccessful    = "Order successfully"
	VoucherUsed        = "Voucher successfully used"
	VoucherReceived    = "Voucher successfully received"
	MemberRegistered   = "Member Card registration successful"
	SignedOut          = "you have signed out" // section 2.8

	NoPackage    = "Package not found"
	NoVoucher    = "Voucher not found"
	NoOrder      = "Order not found yet"
	NoHistory    = "History not found"
	NoMemberCard = "No Member Card Type available for sale found"
)

// If is text where it holds, else none.
func If(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}
