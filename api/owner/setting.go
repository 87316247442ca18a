package owner

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/audit"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/org"
)

// Setting is what an owner sees of the organisation's record; what he may change is org.Settings.
type Setting struct {
	org.Settings
	Unique         string   `json:"unique"`
	Host           string   `json:"host" doc:"Its own address, empty when it has none"`
	Liff           org.Liff `json:"liff"`
	Modules        []string `json:"module"`
	PasswordPolicy string   `json:"password_policy" enum:"spec,strong"`
	HoldsOwnMoney  bool     `json:"holds_own_money" doc:"Collects with its own gateway keys"`
}

func settingOf(o org.Org) Setting {
	s := Setting{
		Settings: org.Settings{
			NameTH: o.NameTH, NameEN: o.NameEN, TaglineTH: o.TaglineTH, TaglineEN: o.TaglineEN,
			Primary: o.Primary, Secondary: o.Secondary, RegisterBeforeUse: o.RegisterBeforeUse,
		},
		Unique: o.Unique, Host: o.Host, Liff: o.Liff, Modules: o.Modules, PasswordPolicy: o.PasswordPolicy, HoldsOwnMoney: o.HoldsOwnMoney,
	}
	if o.Logo != uuid.Nil {
		s.Logo = &o.Logo
	}
	return s
}

func (o *office) settings(ctx context.Context, who token.Session, _ rest.Empty) (Setting, error) {
	found, err := o.Orgs.ByID(ctx, who.Org)
	return settingOf(found), err
}

// saveSettings writes the change down in the organisation's audit first: a change that is not there has not been made.
func (o *office) saveSettings(ctx context.Context, who token.Session, in org.Settings) (Setting, error) {
	before, err := o.Orgs.ByID(ctx, who.Org)
	if err != nil {
		return Setting{}, err
	}
	err = o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error {
		if in.Logo != nil {
			if err := catalog.HasPicture(ctx, tx, *in.Logo); err != nil {
				if errors.Is(err, fault.Missing) {
					return fault.At("logo_id", fault.NotInList)
				}
				return err
			}
		}
		return audit.Write(ctx, tx, actor(ctx, who), "change", "setting/"+who.Org.String(), settingOf(before).Settings, in)
	})
	if err != nil {
		return Setting{}, err
	}
	after, err := o.Org.SaveSettings(ctx, who.Org, in)
	return settingOf(after), err
}
