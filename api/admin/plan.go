package admin

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/api/rest"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/org"
)

// Plans are all plans, and the modules that one may have.
type Plans struct {
	Data    []org.PlanRow `json:"data"`
	Modules []Module      `json:"modules" doc:"Those in which some call asks for a right, in the order of the page of rights"`
}

// Module is a module that a plan may have.
type Module struct {
	Name   string `json:"name"`
	Group  string `json:"group"`
	NameTH string `json:"name_th"`
	NameEN string `json:"name_en"`
}

func (c handlers) plans(ctx context.Context, _ token.Session, _ rest.Empty) (p Plans, err error) {
	p.Modules = []Module{}
	for _, m := range org.PlanModules() {
		if m.TH != "" {
			p.Modules = append(p.Modules, Module{m.Name, m.Group, m.TH, m.EN})
		}
	}
	p.Data, err = c.Orgs.Plans(ctx)
	return p, err
}

func (c handlers) addPlan(ctx context.Context, who token.Session, in org.PlanInput) (ID, error) {
	id, err := c.Org.AddPlan(ctx, actor(ctx, who), in)
	return ID{id}, err
}

// PlanChange is a plan as it is to be.
type PlanChange struct {
	ID uuid.UUID `json:"id"`
	org.PlanInput
}

func (c handlers) savePlan(ctx context.Context, who token.Session, in PlanChange) (rest.Empty, error) {
	return rest.Empty{}, c.Org.SavePlan(ctx, in.ID, actor(ctx, who), in.PlanInput)
}
