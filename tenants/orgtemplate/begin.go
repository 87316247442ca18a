package orgtemplate

import (
	"bytes"
	"context"
	"fmt"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/optionlist"
)

// Beginning is a version whose pictures are an organisation's already, and whose rows are still to be written.
type Beginning struct {
	version  uuid.UUID
	number   int32
	content  Content
	pictures map[uuid.UUID]catalog.StoredPicture // by the ids that they had
}

// Prepare reads a version and gives its pictures to an organisation.
func (s *Service) Prepare(ctx context.Context, org, version uuid.UUID) (b Beginning, err error) {
	b = Beginning{version: version, pictures: map[uuid.UUID]catalog.StoredPicture{}}
	err = s.db.ReadInPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, contentOf, version).Scan(&b.number, &b.content) })
	if err != nil {
		return b, fmt.Errorf("template version %s: %w", version, err)
	}
	for id := range b.content.Pictures {
		body, err := s.object(ctx, pictureKey(version, id))
		if err != nil {
			return b, fmt.Errorf("picture %s of template version %s: %w", id, version, err)
		}
		if b.pictures[id], err = s.pictures.Store(ctx, org, bytes.NewReader(body), catalog.Crop{}); err != nil {
			return b, fmt.Errorf("picture %s of template version %s: %w", id, version, err)
		}
	}
	return b, nil
}

const begun = `SELECT EXISTS (SELECT FROM audit_log WHERE action = 'begin' AND object = $1)`

// Begin writes the rows of a version into a new organisation: packages are drafts, which its owner puts on sale. A second time does nothing.
func Begin(ctx context.Context, tx db.Tx, who auditlog.Actor, b Beginning) error {
	var done bool
	if err := tx.QueryRow(ctx, begun, object(b.version)).Scan(&done); err != nil || done {
		return err
	}
	for _, picture := range b.pictures {
		if err := catalog.SavePicture(ctx, tx, who, picture); err != nil {
			return err
		}
	}
	for _, at := range b.content.pictured() {
		if *at != nil {
			*at = new(b.pictures[**at].ID)
		}
	}
	if err := b.goods(ctx, tx, who); err != nil {
		return err
	}
	for _, q := range b.content.Questions {
		q.Base = resource.Base{}
		if _, err := optionlist.Questions.Save(ctx, tx, who, q); err != nil {
			return fmt.Errorf("question of a template: %w", err)
		}
	}
	for _, text := range b.content.Texts {
		if err := b.text(ctx, tx, who, text); err != nil {
			return err
		}
	}
	return auditlog.Record(ctx, tx, who, "begin", object(b.version), nil, map[string]any{"version": b.number})
}

// goods writes tags, what is received, and packages.
func (b Beginning) goods(ctx context.Context, tx db.Tx, who auditlog.Actor) error {
	is := map[uuid.UUID]uuid.UUID{} // of a row of the version, its id here
	for _, tag := range b.content.Tags {
		was := tag.ID
		tag.Base = resource.Base{}
		saved, err := catalog.Tags.Save(ctx, tx, who, tag)
		if err != nil {
			return fmt.Errorf("tag of a template: %w", err)
		}
		is[was] = saved.ID
	}
	for _, t := range b.content.VoucherTypes {
		was := t.ID
		t.Base, t.ServicePoints = resource.Base{}, nil
		saved, err := catalog.VoucherTypes.Save(ctx, tx, who, t)
		if err != nil {
			return fmt.Errorf("voucher type of a template: %w", err)
		}
		is[was] = saved.ID
	}
	for _, g := range b.content.GiftVouchers {
		was := g.ID
		g.Base, g.ServicePoints = resource.Base{}, nil
		saved, err := catalog.GiftVouchers.Save(ctx, tx, who, g)
		if err != nil {
			return fmt.Errorf("gift voucher of a template: %w", err)
		}
		is[was] = saved.ID
	}
	for _, p := range b.content.Packages {
		p.Base = resource.Base{}
		for n, tag := range p.Tags {
			p.Tags[n] = is[tag]
		}
		for n := range p.Parts {
			for _, at := range []**uuid.UUID{&p.Parts[n].VoucherType, &p.Parts[n].GiftVoucher} {
				if *at != nil {
					*at = new(is[**at])
				}
			}
		}
		if _, err := catalog.SavePackage(ctx, tx, who, p); err != nil {
			return fmt.Errorf("package of a template: %w", err)
		}
	}
	return nil
}

const sameText = `SELECT EXISTS (SELECT FROM consent_version WHERE document = $1 AND purpose = $2 AND audience = $3 AND active AND title_th = $4 AND title_en = $5 AND body_th = $6 AND body_en = $7)`

// text has people asked to agree to a text of the version, unless they are already.
func (b Beginning) text(ctx context.Context, tx db.Tx, who auditlog.Actor, text consent.Version) error {
	var same bool
	err := tx.QueryRow(ctx, sameText, text.Document, text.Purpose, text.Addressee, text.TitleTH, text.TitleEN, text.BodyTH, text.BodyEN).Scan(&same)
	if err != nil || same {
		return err
	}
	table := consent.Terms
	if text.Document == "pdpa" {
		table = consent.PDPA
	}
	text.Base, text.Active, text.Version = resource.Base{}, false, fmt.Sprintf("T%d", b.number)
	saved, err := table.Save(ctx, tx, who, text)
	if err != nil {
		return fmt.Errorf("text of a template: %w", err)
	}
	return table.SetStatus(ctx, tx, who, []uuid.UUID{saved.ID}, resource.Active)
}
