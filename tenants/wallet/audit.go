package wallet

import (
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/ledger"
)

// Rules are the audit's rules of customers' wallets, beside the ledger's own.
//
// Money moves on in the transaction of the credit or of the sign-in, whichever comes to the lock last. That one may have begun first, so its moment is not
// always the later one.
var Rules = []ledger.Rule{
	{Name: "money of a former account goes to whom its owner came again as, all of it, and none stays there", SQL: `
		SELECT t.id::text, 'from ' || coalesce(d.holder_id::text, 'nobody') || ' to ' || coalesce(c.holder_id::text, 'nobody') || ', ' || coalesce(e.debit_after_satang, 0) || ' left'
		FROM transfer t JOIN entry e ON e.transfer_id = t.id JOIN account d ON d.id = e.debit_id JOIN account c ON c.id = e.credit_id
		LEFT JOIN customer u ON u.id = d.holder_id LEFT JOIN customer n ON n.id = c.holder_id
		WHERE t.kind = 'former_account' AND (u.id IS NULL OR n.id IS NULL OR e.debit_after_satang IS DISTINCT FROM 0 OR n.created_at < u.erased_at
			OR NOT ` + customer.MaySucceed + `
			OR NOT EXISTS (SELECT FROM transfer b JOIN entry x ON x.transfer_id = b.id WHERE b.id = t.cause_id AND x.credit_id = e.debit_id AND t.at IN (b.at, n.created_at)))
		UNION ALL SELECT w.account_id::text, w.balance_satang || ' with ' || w.customer_id FROM wallet w
		JOIN former_customer f ON f.customer_id = w.customer_id AND f.successor_id IS NOT NULL WHERE w.balance_satang > 0`},
}
