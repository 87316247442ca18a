package payee

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/secret"
)

// Version is what a payee has sent, and what became of it.
type Version struct {
	ID        uuid.UUID
	Payee     uuid.UUID
	Number    int
	State     string // pending, approved, refused, withdrawn
	Form      Form   // empty once it is forgotten
	Forgotten bool
	Verified  bool
	Pictures  Pictures
	Recruiter *uuid.UUID
	SentAt    time.Time
	SentBy    *uuid.UUID // who of the office filled it in; nil where the payee did
	DecidedAt *time.Time
	DecidedBy *uuid.UUID
	Seconded  *time.Time // when another person of the organisation approved its own account, which waits for the platform then
	Second    *uuid.UUID
	Admin     *uuid.UUID // of the platform, who decided on the organisation's own account
	Reason    string
	Mend      []string
	PaysFrom  *time.Time // a day

	Identity, Mobile, Account string // last four characters
	identity, mobile, account []byte
}

const (
	versionColumns = `SELECT id, payee_id, number, state, form, mobile_verified, idcard_picture, bank_picture, recruiter_id, sent_at, sent_by, decided_at, decided_by, seconded_at, seconded_by, decided_admin, reason, mend, pays_from,
		identity_digits, mobile_digits, account_digits, identity_index, mobile_index, account_index FROM payee_version `
	versionsOf  = versionColumns + `WHERE payee_id = $1 ORDER BY number DESC`
	versionByID = versionColumns + `WHERE id = $1`
	waiting     = versionColumns + `WHERE state = 'pending' AND sent_by IS NULL ORDER BY sent_at, id LIMIT $1`
	formsBy     = `SELECT id, form FROM payee_version WHERE id = ANY ($1) AND form IS NOT NULL`
	nextNumber  = `SELECT coalesce(max(number), 0) + 1 FROM payee_version WHERE payee_id = $1`
	insertSent  = `INSERT INTO payee_version (id, payee_id, number, state, kind, vat_registered, resident, bank, form, identity_index, mobile_index, account_index,
		identity_digits, mobile_digits, account_digits, mobile_verified, idcard_picture, bank_picture, recruiter_id, sent_at, sent_by)
		VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`
	decide       = `UPDATE payee_version SET state = $2, decided_at = $3, decided_by = $4, reason = $5, mend = $6, pays_from = $7, decided_admin = $8 WHERE id = $1 AND state = 'pending'`
	second       = `UPDATE payee_version SET seconded_at = $2, seconded_by = $3, reason = $4 WHERE id = $1 AND state = 'pending' AND seconded_at IS NULL`
	lockSame     = `SELECT id FROM payee_version WHERE identity_index = $1 OR mobile_index = $2 OR account_index = $3 ORDER BY id FOR UPDATE`
	forgetColumn = `form = NULL, identity_index = NULL, mobile_index = NULL, account_index = NULL, identity_digits = '', mobile_digits = '', account_digits = '', idcard_picture = NULL, bank_picture = NULL`
	forgetOld    = `UPDATE payee_version SET ` + forgetColumn + ` WHERE state IN ('refused', 'withdrawn') AND form IS NOT NULL AND decided_at < $1`
	forgetAll    = `UPDATE payee_version SET ` + forgetColumn + `, state = CASE state WHEN 'pending' THEN 'withdrawn' ELSE state END,
		decided_at = CASE state WHEN 'pending' THEN $2 ELSE decided_at END WHERE payee_id = $1 AND (form IS NOT NULL OR state = 'pending')`
)

const versionForm = "payee_version.form"

// keptRefused is how long a version is kept that was refused or taken back.
const keptRefused = 30 * 24 * time.Hour

// Versions returns what a payee has sent, the newest first.
func Versions(ctx context.Context, tx db.Tx, box *secret.Box, payee uuid.UUID) ([]Version, error) {
	return readVersions(ctx, tx, box, versionsOf, payee)
}

// Waiting returns versions that payees have sent and that wait for an answer, the oldest first.
func Waiting(ctx context.Context, tx db.Tx, box *secret.Box, most int) ([]Version, error) {
	return readVersions(ctx, tx, box, waiting, most)
}

// ByID returns a version, or nil.
func ByID(ctx context.Context, tx db.Tx, box *secret.Box, id uuid.UUID) (*Version, error) {
	list, err := readVersions(ctx, tx, box, versionByID, id)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// FormsOf returns the forms of versions that are not forgotten.
func FormsOf(ctx context.Context, tx db.Tx, box *secret.Box, ids []uuid.UUID) (map[uuid.UUID]Form, error) {
	rows, err := tx.Query(ctx, formsBy, ids)
	if err != nil {
		return nil, fmt.Errorf("forms of payees: %w", err)
	}
	forms := map[uuid.UUID]Form{}
	var id uuid.UUID
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &sealed}, func() (err error) {
		forms[id], err = open(box, tx, versionForm, id, sealed)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("forms of payees: %w", err)
	}
	return forms, nil
}

func readVersions(ctx context.Context, tx db.Tx, box *secret.Box, sql string, args ...any) ([]Version, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("versions of payees: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (v Version, err error) {
		var sealed []byte
		err = row.Scan(&v.ID, &v.Payee, &v.Number, &v.State, &sealed, &v.Verified, &v.Pictures.IDCard, &v.Pictures.Bank, &v.Recruiter, &v.SentAt, &v.SentBy, &v.DecidedAt, &v.DecidedBy, &v.Seconded, &v.Second, &v.Admin, &v.Reason, &v.Mend, &v.PaysFrom,
			&v.Identity, &v.Mobile, &v.Account, &v.identity, &v.mobile, &v.account)
		if err != nil {
			return v, err
		}
		v.Forgotten = sealed == nil
		v.Form, err = open(box, tx, versionForm, v.ID, sealed)
		return v, err
	})
	if err != nil {
		return nil, fmt.Errorf("versions of payees: %w", err)
	}
	return list, nil
}

// Send makes a version of a draft that was checked.
func Send(ctx context.Context, tx db.Tx, box *secret.Box, payee uuid.UUID, d Draft, recruiter *uuid.UUID) (uuid.UUID, error) {
	return send(ctx, tx, box, payee, d, recruiter, nil)
}

// FillIn makes a version of a form that was checked, which an account of the office has filled in for its payee.
func FillIn(ctx context.Context, tx db.Tx, box *secret.Box, payee uuid.UUID, f Form, by uuid.UUID) (uuid.UUID, error) {
	return send(ctx, tx, box, payee, Draft{Form: f}, nil, &by)
}

func send(ctx context.Context, tx db.Tx, box *secret.Box, payee uuid.UUID, d Draft, recruiter, by *uuid.UUID) (id uuid.UUID, err error) {
	id = db.NewID()
	sealed, err := seal(box, tx, versionForm, id, d.Form)
	if err != nil {
		return id, err
	}
	has, err := indexesOf(box, tx, d.Form)
	if err != nil {
		return id, err
	}
	var number int
	if err := tx.QueryRow(ctx, nextNumber, payee).Scan(&number); err != nil {
		return id, fmt.Errorf("versions of payee %s: %w", payee, err)
	}
	identity := d.Form.IDCard
	if d.Form.Kind == Company {
		identity = d.Form.TaxID
	}
	_, err = tx.Exec(ctx, insertSent, id, payee, number, d.Form.Kind, d.Form.VATRegistered, d.Form.Resident, d.Form.Bank, sealed, has.Identity, has.Mobile, has.Account,
		last(identity), last(d.Form.Mobile), last(d.Form.Number), d.Verified, d.Pictures.IDCard, d.Pictures.Bank, recruiter, tx.Now, by)
	if err != nil {
		return id, fmt.Errorf("send the form of payee %s: %w", payee, err)
	}
	return id, nil
}

// Withdraw ends a version that waits, because its payee took it back or left.
func (v Version) Withdraw(ctx context.Context, tx db.Tx) error {
	return v.end(ctx, tx, "withdrawn", answer{})
}

// Refuse ends a version that waits; by is nil where the clock decides.
func (v Version) Refuse(ctx context.Context, tx db.Tx, by *uuid.UUID, reason string, mend []string) error {
	return v.end(ctx, tx, "refused", answer{by: by, reason: reason, mend: mend})
}

// daysUntilPaid is how many days after its approval a new account is paid to.
const daysUntilPaid = 7

// Approve ends a version that waits. It is paid by from the day of its approval, or seven days later if the payee has an approved account already and this is
// another one; what the office filled in waits seven days also where it is the first. Another form of an account that waits for that day waits for it too. It returns the day.
func (v Version) Approve(ctx context.Context, tx db.Tx, by uuid.UUID, reason string, approved *Version) (time.Time, error) {
	from := v.paidFrom(clock.Day(tx.Now), approved)
	return from, v.end(ctx, tx, "approved", answer{by: &by, reason: reason, from: &from})
}

// SecondBy writes down that another person of the organisation has approved its own account, and why although somebody else has the same. It waits on, for the platform.
func (v Version) SecondBy(ctx context.Context, tx db.Tx, by uuid.UUID, reason string) error {
	done, err := tx.Exec(ctx, second, v.ID, tx.Now, by, reason)
	if err != nil {
		return fmt.Errorf("second version %s: %w", v.ID, err)
	}
	if done.RowsAffected() == 0 {
		return errors.New("a version that was seconded does not wait for that")
	}
	return nil
}

// ApproveByAdmin is Approve of the organisation's own account, by the platform.
func (v Version) ApproveByAdmin(ctx context.Context, tx db.Tx, admin uuid.UUID, approved *Version) (time.Time, error) {
	from := v.paidFrom(clock.Day(tx.Now), approved)
	return from, v.end(ctx, tx, "approved", answer{admin: &admin, reason: v.Reason, from: &from})
}

// RefuseByAdmin is Refuse of the organisation's own account, by the platform.
func (v Version) RefuseByAdmin(ctx context.Context, tx db.Tx, admin uuid.UUID, reason string) error {
	return v.end(ctx, tx, "refused", answer{admin: &admin, reason: reason})
}

// paidFrom returns since when a version that is approved today is paid by.
func (v Version) paidFrom(today time.Time, approved *Version) time.Time {
	switch {
	case approved == nil && v.SentBy == nil:
	case approved == nil || !approved.Form.SameAccount(v.Form):
		return today.AddDate(0, 0, daysUntilPaid)
	case approved.PaysFrom.After(today):
		return *approved.PaysFrom
	}
	return today
}

// answer is how a version ends.
type answer struct {
	by, admin *uuid.UUID // both nil where the clock decides, or its payee
	reason    string
	mend      []string
	from      *time.Time
}

func (v Version) end(ctx context.Context, tx db.Tx, state string, a answer) error {
	if a.mend == nil {
		a.mend = []string{}
	}
	ended, err := tx.Exec(ctx, decide, v.ID, state, tx.Now, a.by, a.reason, a.mend, a.from, a.admin)
	if err != nil {
		return fmt.Errorf("decide on version %s: %w", v.ID, err)
	}
	if ended.RowsAffected() == 0 {
		return errors.New("a version that was decided on does not wait")
	}
	return nil
}

// LockSame locks every version of the same card, number or account, so that of two approvals at once the second sees the first.
func (v Version) LockSame(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, lockSame, v.identity, v.mobile, v.account); err != nil {
		return fmt.Errorf("lock versions like %s: %w", v.ID, err)
	}
	return nil
}

// Same is a payee who has an approved version with something of another one's.
type Same struct {
	Payee                     uuid.UUID
	Identity, Mobile, Account bool
}

const sameAs = `SELECT v.payee_id, bool_or(v.identity_index = $2), bool_or(v.mobile_index = $3), bool_or(v.account_index = $4) FROM payee_version v
	WHERE v.payee_id <> $1 AND v.state = 'approved' AND (v.identity_index = $2 OR v.mobile_index = $3 OR v.account_index = $4) GROUP BY v.payee_id ORDER BY v.payee_id`

// SameAs returns the other payees who have an approved version with the same card or tax id, number, or account.
func (v Version) SameAs(ctx context.Context, tx db.Tx) ([]Same, error) {
	rows, err := tx.Query(ctx, sameAs, v.Payee, v.identity, v.mobile, v.account)
	if err != nil {
		return nil, fmt.Errorf("who else has what version %s names: %w", v.ID, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Same])
	if err != nil {
		return nil, fmt.Errorf("who else has what version %s names: %w", v.ID, err)
	}
	return list, nil
}

// ForgetOld forgets what was refused or taken back thirty days ago, and drops pictures that nothing names any more.
func ForgetOld(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, forgetOld, tx.Now.Add(-keptRefused)); err != nil {
		return fmt.Errorf("forget versions: %w", err)
	}
	return DropPictures(ctx, tx)
}

// Erase forgets what a payee said of himself, and drops his pictures.
func Erase(ctx context.Context, tx db.Tx, payee uuid.UUID) error {
	if err := DropDraft(ctx, tx, payee); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, forgetAll, payee, tx.Now); err != nil {
		return fmt.Errorf("forget payee %s: %w", payee, err)
	}
	return DropPictures(ctx, tx)
}

// Held is what is kept of what a payee has said of himself.
type Held struct {
	At     time.Time `json:"at" doc:"When it was sent, or saved last; UTC"`
	State  string    `json:"state" enum:"draft,pending,approved,refused,withdrawn"`
	Form   Form      `json:"form"`
	Reason string    `json:"reason" doc:"Of the organisation, where it refused"`
}

// Of returns all that is kept of what a payee has said of himself, the oldest first.
func Of(ctx context.Context, tx db.Tx, box *secret.Box, payee uuid.UUID) ([]Held, error) {
	list := []Held{}
	versions, err := Versions(ctx, tx, box, payee)
	if err != nil {
		return nil, err
	}
	for _, v := range slices.Backward(versions) {
		h := Held{At: v.SentAt, State: v.State, Form: v.Form}
		if v.State == "refused" {
			h.Reason = v.Reason
		}
		list = append(list, h)
	}
	draft, err := ReadDraft(ctx, tx, box, payee)
	if err == nil && draft != nil {
		list = append(list, Held{At: draft.SavedAt, State: "draft", Form: draft.Form})
	}
	return list, err
}
