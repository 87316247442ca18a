package owner

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/access"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/board"
	"welovevoucher/tenants/charge"
	"welovevoucher/tenants/contact"
	"welovevoucher/tenants/customer"
	"welovevoucher/tenants/gift"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/story"
	"welovevoucher/tenants/voucher"
)

// registerStories registers the stories of records that are read and not edited. Each needs letter v in the module of its table.
func (o *handlers) registerStories() {
	registerStory(o, order.Orders, (*story.Service).Order)
	registerStory(o, voucher.Vouchers, (*story.Service).Voucher)
	registerStory(o, customer.Customers, (*story.Service).Customer)
	registerStory(o, charge.Charges, (*story.Service).Charge)
	registerStory(o, charge.Cases, (*story.Service).Case)
	registerStory(o, agent.Agents, (*story.Service).Agent)
	registerStory(o, gift.Gifts, (*story.Service).Gift)
	registerStory(o, board.Offers, (*story.Service).Offer)
}

func registerStory[T any](o *handlers, t resource.Declared, read func(s *story.Service, ctx context.Context, org, id uuid.UUID, sees story.Visible) (T, error)) {
	post(o, "/api/owner/story/"+t.Name(), guard(t.Module(), access.See), "What happened to one of "+t.Name()+", newest first",
		func(ctx context.Context, who token.Session, in ByID) (out T, err error) {
			sees, err := o.seesRecords(ctx, who)
			if err != nil {
				return out, err
			}
			return read(o.Story, ctx, who.Org, in.ID, sees)
		})
}

// seesRecords is what of a story a person may see: records belong to the module of their list, and a use to that of its voucher too.
func (o *handlers) seesRecords(ctx context.Context, who token.Session) (sees story.Visible, err error) {
	return sees, o.fillSeen(ctx, who, []seen{
		{&sees.Orders, []string{order.Orders.Module()}},
		{&sees.Vouchers, []string{voucher.Vouchers.Module()}},
		{&sees.Uses, []string{voucher.Vouchers.Module(), voucher.Redemptions.Module()}},
		{&sees.Payments, []string{charge.Charges.Module()}},
		{&sees.Customers, []string{customer.Customers.Module()}},
		{&sees.Agents, []string{agent.Agents.Module()}},
		{&sees.Messages, []string{contact.Messages.Module()}},
		{&sees.Offers, []string{board.Offers.Module()}},
	})
}
