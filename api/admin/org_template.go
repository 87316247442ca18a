package admin

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/orgtemplate"
)

// Templates are all templates.
type Templates struct {
	Data []orgtemplate.Row `json:"data"`
}

func (c handlers) templates(ctx context.Context, _ token.Session, _ rest.Empty) (Templates, error) {
	list, err := c.OrgTemplates.List(ctx)
	return Templates{list}, err
}

// TemplateID names a template.
type TemplateID struct {
	ID uuid.UUID `json:"id"`
}

func (c handlers) template(ctx context.Context, _ token.Session, in TemplateID) (orgtemplate.Record, error) {
	return c.OrgTemplates.Template(ctx, in.ID)
}

// NewTemplate is a template to be, and what it is made from.
type NewTemplate struct {
	orgtemplate.Names
	orgtemplate.Source
}

func (c handlers) addTemplate(ctx context.Context, who token.Session, in NewTemplate) (TemplateID, error) {
	id, err := c.OrgTemplates.Add(ctx, actor(ctx, who), in.Names, in.Source)
	return TemplateID{id}, err
}

// NewTemplateVersion is a template, and what its next version is made from.
type NewTemplateVersion struct {
	ID uuid.UUID `json:"id"`
	orgtemplate.Source
}

func (c handlers) addTemplateVersion(ctx context.Context, who token.Session, in NewTemplateVersion) (orgtemplate.Record, error) {
	if err := c.OrgTemplates.AddVersion(ctx, actor(ctx, who), in.ID, in.Source); err != nil {
		return orgtemplate.Record{}, err
	}
	return c.OrgTemplates.Template(ctx, in.ID)
}

func (c handlers) saveTemplate(ctx context.Context, who token.Session, in orgtemplate.Change) (orgtemplate.Record, error) {
	if err := c.OrgTemplates.Save(ctx, actor(ctx, who), in); err != nil {
		return orgtemplate.Record{}, err
	}
	return c.OrgTemplates.Template(ctx, in.ID)
}
