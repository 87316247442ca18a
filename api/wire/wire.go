// Package wire shapes what the specification names: the profile of who is signed in, his organisation, his rights.
// Elsewhere these things have our own names.
package wire

import (
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/sms"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/staff"
)

// How a person signs in: the specification's types of users.
const (
	byLINE     = "line"
	byPassword = "user"
)

// Profile is a person of any audience. What an audience does not have is empty or null.
type Profile struct {
	ID           uuid.UUID  `json:"id"`
	PictureURL   string     `json:"pictureUrl" doc:"Empty: show /image/profile2.png"`
	DisplayName  string     `json:"displayName"`
	UserType     string     `json:"usertype" enum:"line,user" doc:"line: he signs in by LINE; user: he has a user name and a password"`
	Type         string     `json:"type" enum:"line,user" doc:"The same; the specification reads it under both names"`
	IsAdmin      bool       `json:"isadmin" doc:"Of the platform"`
	Agent        bool       `json:"agent" doc:"Approved to sell for commission"`
	MemberCard   *bool      `json:"membercard" nullable:"true" doc:"Whether he has a member card that can be used; null of who is no customer"`
	FirstName    string     `json:"firstname"`
	LastName     string     `json:"lastname"`
	EmailAddress string     `json:"emailaddress"`
	Age          *int       `json:"age" nullable:"true" doc:"In years, from the date of birth; null where that is not known"`
	Gender       string     `json:"gender" enum:",male,female,other"`
	MobileNumber *string    `json:"mobilenumber" nullable:"true" doc:"Without its middle, 08x-xxx-1234; null where it is not known"`
	Verified     bool       `json:"mobile_verified" doc:"Whether the customer proved by a code that the number is his"`
	ReferCode    string     `json:"referercode" doc:"Of customers"`
	CreatedAt    *time.Time `json:"created_at" nullable:"true" doc:"Of customers: since when"`
}

// CustomerProfile is a customer, who may be an agent as well.
func CustomerProfile(p customer.Profile) Profile {
	return Profile{
		ID: p.ID, PictureURL: p.PictureURL, DisplayName: p.DisplayName, UserType: byLINE, Type: byLINE, Agent: p.IsAgent, MemberCard: &p.IsMember,
		FirstName: p.FirstName, LastName: p.LastName, EmailAddress: p.Email, Age: p.Age, Gender: p.Gender,
		ReferCode: p.ReferCode, CreatedAt: &p.CreatedAt, MobileNumber: masked(p.Mobile), Verified: p.VerifiedAt != nil,
	}
}

// masked returns nil for no number.
func masked(mobile string) *string {
	if mobile == "" {
		return nil
	}
	short := sms.Mask(mobile)
	return &short
}

// StaffProfile is an account of the back office.
func StaffProfile(p staff.Account) Profile {
	by := byLINE
	if p.HasPassword {
		by = byPassword
	}
	return Profile{ID: p.ID, PictureURL: p.Picture, DisplayName: p.Name, UserType: by, Type: by}
}

// AdminProfile is an admin of the platform; each has a password.
func AdminProfile(a org.Admin) Profile {
	return Profile{ID: a.ID, DisplayName: a.Name, UserType: byPassword, Type: byPassword, IsAdmin: true}
}

// Org is what an organisation's pages need to know of it, and what who asks may do there.
type Org struct {
	ID         uuid.UUID  `json:"id"`
	Unique     string     `json:"unique"`
	Owner      bool       `json:"owner" doc:"Whether who asks is an owner: an account that may do everything that the plan has"`
	Role       string     `json:"role" enum:",superadmin,admin,adminowner,user" doc:"Of accounts of the back office"`
	Module     []Module   `json:"module" doc:"What the plan has"`
	Permission Permission `json:"permission"`
	Setting    Setting    `json:"setting"`
	Liff       org.Liff   `json:"liff"`
	OrgSetting OrgSetting `json:"orgsetting"`
}

// Module is a part of the back office.
type Module struct {
	Name string `json:"name"`
}

// Permission is what an account of the back office may do.
type Permission struct {
	Mod map[string]access.Letters `json:"mod" doc:"Module to letters: v see and export, i add, u change, s change status"`
}

// Setting is how an organisation shows itself.
type Setting struct {
	NameTH     string `json:"name_th"`
	NameEN     string `json:"name_en"`
	PictureURL string `json:"pictureUrl" doc:"Its logo; empty: none"`
}

// OrgSetting is an organisation's name, colours, and what it asks its people to accept.
type OrgSetting struct {
	NameTH    string `json:"name_th"`
	Primary   string `json:"background_color_primary"`
	Secondary string `json:"background_color_secondary"`
	Register  bool   `json:"register_before_use"`
	consent.Setting
}

// OrgOf is an organisation as who is no account of its back office sees it.
func OrgOf(o org.Org, accepts consent.Setting) Org {
	shaped := Org{
		ID: o.ID, Unique: o.Unique, Module: []Module{}, Permission: Permission{Mod: map[string]access.Letters{}}, Liff: o.Liff,
		Setting:    Setting{NameTH: o.NameTH, NameEN: o.NameEN},
		OrgSetting: OrgSetting{NameTH: o.NameTH, Primary: o.Primary, Secondary: o.Secondary, Register: o.RegisterBeforeUse, Setting: accepts},
	}
	if o.Logo != uuid.Nil {
		shaped.Setting.PictureURL = "/media/" + o.Logo.String()
	}
	for _, module := range access.ModuleNames() {
		if o.Grants(module) {
			shaped.Module = append(shaped.Module, Module{module})
		}
	}
	return shaped
}

// For adds what an account of the back office may do there.
func (o Org) For(p staff.Account, mod map[string]access.Letters) Org {
	o.Role, o.Owner, o.Permission.Mod = p.Role, access.HasAllRights(p.Role), mod
	return o
}
