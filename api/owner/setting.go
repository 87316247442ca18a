package owner

import (
	"context"
	"errors"

	"welovevoucher/api/rest"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/payment"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/content"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/push"
)

// Setting is what an owner sees of the organisation's record; what he may change is org.Settings.
type Setting struct {
	org.Settings
	Unique         string            `json:"unique"`
	Host           string            `json:"host" doc:"Its own address, empty when it has none"`
	Liff           org.Liff          `json:"liff"`
	Modules        []string          `json:"module"`
	PasswordPolicy string            `json:"password_policy" enum:"spec,strong"`
	Collector      payment.Collector `json:"collector" enum:"platform,organisation" doc:"Whose gateway account takes the money"`
}

func settingOf(o org.Org) Setting {
	return Setting{
		Settings: o.Settings(), Unique: o.Unique, Host: o.Host, Liff: o.Liff, Modules: o.Modules,
		PasswordPolicy: o.PasswordPolicy, Collector: o.Collector,
	}
}

func (o *handlers) settings(ctx context.Context, who token.Session, _ rest.Empty) (Setting, error) {
	found, err := o.Orgs.ByID(ctx, who.Org)
	return settingOf(found), err
}

func (o *handlers) saveSettings(ctx context.Context, who token.Session, in org.Settings) (Setting, error) {
	if in.Logo != nil {
		err := o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error { return catalog.HasPicture(ctx, tx, *in.Logo) })
		if errors.Is(err, fault.Missing) {
			return Setting{}, fault.At("logo_id", fault.NotInList)
		}
		if err != nil {
			return Setting{}, err
		}
	}
	after, err := o.Org.SaveSettings(ctx, who.Org, actor(ctx, who), in)
	return settingOf(after), err
}

func (o *handlers) contactDetails(ctx context.Context, who token.Session, _ rest.Empty) (c content.ContactDetails, err error) {
	err = o.DB.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		c, err = content.ReadContactDetails(ctx, tx)
		return err
	})
	return c, err
}

func (o *handlers) saveContactDetails(ctx context.Context, who token.Session, in content.ContactDetails) (content.ContactDetails, error) {
	return in, o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error { return content.SaveContactDetails(ctx, tx, actor(ctx, who), in) })
}

// BoardSetting is what an owner sees of his board's setting; what he may change is board.Setting.
type BoardSetting struct {
	board.Setting
	FeeBasisPoints int64 `json:"fee_basis_points" doc:"Of a price, to the platform"`
}

func (o *handlers) boardSetting(ctx context.Context, who token.Session, _ rest.Empty) (BoardSetting, error) {
	setting, err := o.Board.Setting(ctx, who.Org)
	if err != nil {
		return BoardSetting{}, err
	}
	return o.withFee(ctx, who, setting)
}

func (o *handlers) saveBoardSetting(ctx context.Context, who token.Session, in board.Setting) (BoardSetting, error) {
	if err := o.Board.SaveSetting(ctx, who.Org, actor(ctx, who), in); err != nil {
		return BoardSetting{}, err
	}
	return o.withFee(ctx, who, in)
}

func (o *handlers) withFee(ctx context.Context, who token.Session, setting board.Setting) (BoardSetting, error) {
	found, err := o.Orgs.ByID(ctx, who.Org)
	return BoardSetting{Setting: setting, FeeBasisPoints: board.Fee(found)}, err
}

func (o *handlers) pushAccount(ctx context.Context, who token.Session, _ rest.Empty) (push.Account, error) {
	return o.Push.Account(ctx, who)
}

func (o *handlers) savePushChannel(ctx context.Context, who token.Session, in push.ChannelInput) (push.Account, error) {
	return o.Push.SaveChannel(ctx, who, actor(ctx, who), in)
}

func (o *handlers) removePushChannel(ctx context.Context, who token.Session, in push.ChannelName) (push.Account, error) {
	return o.Push.RemoveChannel(ctx, who, actor(ctx, who), in)
}

func (o *handlers) savePushLimit(ctx context.Context, who token.Session, in push.LimitInput) (push.Account, error) {
	return o.Push.SaveLimit(ctx, who, actor(ctx, who), in)
}

func (o *handlers) testPush(ctx context.Context, who token.Session, _ rest.Empty) (push.Account, error) {
	return o.Push.Test(ctx, who)
}

func (o *handlers) giftSetting(ctx context.Context, who token.Session, _ rest.Empty) (s gift.Setting, err error) {
	err = o.DB.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		s, err = gift.ReadSetting(ctx, tx)
		return err
	})
	return s, err
}

func (o *handlers) saveGiftSetting(ctx context.Context, who token.Session, in gift.Setting) (gift.Setting, error) {
	return in, o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error { return gift.SaveSetting(ctx, tx, actor(ctx, who), in) })
}

func (o *handlers) productWord(ctx context.Context, who token.Session, _ rest.Empty) (w content.ProductWord, err error) {
	err = o.DB.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		w, err = content.ReadProductWord(ctx, tx)
		return err
	})
	return w, err
}

func (o *handlers) saveProductWord(ctx context.Context, who token.Session, in content.ProductWord) (content.ProductWord, error) {
	return in, o.DB.InOrg(ctx, who.Org, func(tx db.Tx) error { return content.SaveProductWord(ctx, tx, actor(ctx, who), in) })
}
