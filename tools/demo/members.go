package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/member"
)

// Every sixth day at two o'clock a customer becomes a member.
const (
	joinEvery = 6
	joinAt    = 14 * time.Hour
)

// join has a customer who has no card apply for the card that nobody has to approve.
func (p *history) join(ctx context.Context) error { return p.apply(ctx, p.cards[0]) }

// leaveApplication leaves an application that the shop has not answered.
func (p *history) leaveApplication(ctx context.Context) error { return p.apply(ctx, p.cards[1]) }

func (p *history) apply(ctx context.Context, card uuid.UUID) error {
	for _, who := range p.others() {
		stands, err := p.members.Read(ctx, who)
		if err != nil {
			return err
		}
		if stands.Card != nil || stands.Application != nil {
			continue
		}
		profile, err := p.customers.Profile(ctx, who)
		if err != nil {
			return err
		}
		in := member.ApplyInput{Type: card, Lang: "th", Form: member.Form{
			FirstName: strings.Fields(profile.DisplayName)[0], LastName: "ใจดี", Mobile: fmt.Sprintf("08%08d", p.dice.IntN(1e8)), Email: "member@example.com", BirthDate: "1991-04-12",
		}}
		for _, text := range stands.Texts {
			in.Versions = append(in.Versions, text.Version)
		}
		_, err = p.members.Apply(ctx, who, auditlog.Actor{Kind: token.User, ID: who.Subject}, in)
		return err
	}
	return nil
}
