package overview

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/report"
	"welovevoucher/platform/resource"
)

// StaffFilter narrows who works in the offices of all organisations.
type StaffFilter struct {
	Search string     `json:"search,omitempty" required:"false" maxLength:"80" doc:"How a name begins; then they are ordered by name, and otherwise by when they were changed, the last first"`
	Org    *uuid.UUID `json:"org_id,omitempty" required:"false" doc:"Only of this organisation"`
}

// StaffInput asks for a page of staff.
type StaffInput struct {
	StaffFilter
	Page
}

// Staff is an account of an organisation's office.
type Staff struct {
	ID           uuid.UUID `json:"id"`
	Org          uuid.UUID `json:"org_id"`
	OrgTH        string    `json:"org_name_th"`
	OrgEN        string    `json:"org_name_en"`
	Name         string    `json:"name"`
	Role         string    `json:"role" enum:"superadmin,admin,adminowner,user"`
	Status       int16     `json:"status"`
	SecondFactor bool      `json:"second_factor" doc:"A code of a phone is asked for beside the password"`
	Joined       time.Time `json:"joined_at" doc:"UTC"`
	Changed      time.Time `json:"changed_at" doc:"UTC"`
}

// StaffPage is a page of staff.
type StaffPage struct {
	Data []Staff `json:"data"`
	Next *string `json:"next" nullable:"true"`
	Seen Seen    `json:"seen"`
}

const (
	staffColumns = `SELECT s.id, s.org_id, o.name_th, o.name_en, s.name, s.role, s.status, s.second_factor, s.joined_at, s.changed_at FROM overview_staff s JOIN organisation o ON o.id = s.org_id `

	staffByChange      = staffColumns + `WHERE (s.changed_at, s.org_id, s.id) < ($1, $2, $3) ORDER BY s.changed_at DESC, s.org_id DESC, s.id DESC LIMIT $4`
	staffByName        = staffColumns + `WHERE (lower(s.name), s.org_id, s.id) > (lower($1::text), $2::uuid, $3::uuid) AND lower(s.name) < lower($5::text) || chr(1114111) ORDER BY lower(s.name), s.org_id, s.id LIMIT $4`
	staffOfOrgByChange = staffColumns + `WHERE s.org_id = $4 AND (s.changed_at, s.id) < ($1, $2) ORDER BY s.changed_at DESC, s.id DESC LIMIT $3`
	staffOfOrgByName   = staffColumns + `WHERE s.org_id = $4 AND (lower(s.name), s.id) > (lower($1::text), $2::uuid) AND lower(s.name) < lower($5::text) || chr(1114111) ORDER BY lower(s.name), s.id LIMIT $3`

	seenStaff = `SELECT count(v.seen_at), count(*) FILTER (WHERE v.seen_at IS NULL), min(v.seen_at) FROM organisation o LEFT JOIN overview v ON v.org_id = o.id WHERE o.state <> 'provisioning'`
)

func (s Staff) key() (org, id uuid.UUID) { return s.Org, s.ID }

func (f StaffFilter) order() order[Staff] {
	if search := strings.TrimSpace(f.Search); search != "" {
		return order[Staff]{staffByName, staffOfOrgByName, search, place{value: search}, func(s Staff) any { return s.Name }, parseText}
	}
	return order[Staff]{staffByChange, staffOfOrgByChange, "", newestFirst, func(s Staff) any { return moment(s.Changed) }, parseMoment}
}

// Staff returns a page of who works in the offices of all organisations, or of one.
func (s *Service) Staff(ctx context.Context, in StaffInput) (p StaffPage, err error) {
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		if p.Data, p.Next, err = in.order().page(ctx, tx, in.Org, in.Page); err != nil {
			return err
		}
		return tx.QueryRow(ctx, seenStaff).Scan(&p.Seen.Organisations, &p.Seen.Missing, &p.Seen.Oldest)
	})
	if err != nil {
		return p, fmt.Errorf("staff of all organisations: %w", err)
	}
	return p, nil
}

// word is what a value is called in a file.
type word struct{ TH, EN string }

func (w word) in(lang string) string { return inLanguage(lang, w.TH, w.EN) }

var (
	roles = map[string]word{
		"superadmin": {"เจ้าของ ทำได้ทุกอย่าง", "Owner, everything"},
		"admin":      {"ผู้ดูแล ทำได้ทุกอย่าง", "Administrator, everything"},
		"adminowner": {"ผู้แทนเจ้าของ ทำได้ทุกอย่าง", "Owner's deputy, everything"},
		"user":       {"ตามชุดสิทธิ์", "By permission set"},
	}
	onOff = map[bool]word{true: {"เปิด", "On"}, false: {"ปิด", "Off"}}
)

// standing says whether an account with a status can sign in.
func standing(status int16) word {
	switch status {
	case resource.Active:
		return word{"ใช้งาน", "Active"}
	case resource.Pending:
		return word{"ยังไม่เคยเข้าสู่ระบบ", "Not signed in yet"}
	}
	return word{"ปิดใช้งาน", "Closed"}
}

var staffColumnsOfFile = []report.Column{
	{TH: "ชื่อ", EN: "Name"},
	{TH: "องค์กร", EN: "Organisation"},
	{TH: "บทบาท", EN: "Role"},
	{TH: "สถานะ", EN: "Status"},
	{TH: "เข้าสู่ระบบสองขั้น", EN: "Two-step sign-in"},
	{Kind: report.Moment, TH: "เข้าร่วมเมื่อ", EN: "Joined"},
	{Kind: report.Moment, TH: "เปลี่ยนล่าสุด", EN: "Changed"},
}

// StaffFile writes what is found of staff into a csv file, and records that it did.
func (s *Service) StaffFile(ctx context.Context, who auditlog.Actor, lang string, f StaffFilter) (file File, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		file, err = f.order().file(ctx, tx, f.Org, fileList[Staff]{
			who: who, table: "overview_staff", name: "staff.csv", lang: lang, filter: f, columns: staffColumnsOfFile,
			cells: func(one Staff) []any {
				return []any{
					one.Name, inLanguage(lang, one.OrgTH, one.OrgEN), roles[one.Role].in(lang),
					standing(one.Status).in(lang), onOff[one.SecondFactor].in(lang),
					one.Joined, one.Changed,
				}
			},
		})
		return err
	})
	if err != nil {
		return file, fmt.Errorf("file of staff: %w", err)
	}
	return file, nil
}
