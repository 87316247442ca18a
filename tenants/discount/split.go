package discount

import "welovevoucher/platform/money"

// Terms are the rates of which a sale's price is split, in basis points. Agent is 0 where nobody is owed commission.
type Terms struct{ Fee, Agent int64 }

// Split is what a line's price is made of once it is sold. Its buyer pays Share + Fee + Commission - Platform.
type Split struct {
	Share      money.Amount // the seller's, once all is used
	Fee        money.Amount // the platform's
	Commission money.Amount // the agent's, after what he pays of the discount
	Platform   money.Amount // what the platform pays of the price
}

// Paid returns what the buyer pays.
func (s Split) Paid() money.Amount { return s.Share + s.Fee + s.Commission - s.Platform }

// Split splits a price. Fee and commission are counted of the base, which is gross less what the organisation pays of the discount. The agent pays at
// most his commission, the platform at most the share.
func (t Terms) Split(gross, organisation, agent, platform money.Amount) Split {
	base := gross - organisation
	fee := base.Percent(t.Fee)
	commission := min(base.Percent(t.Agent), base-fee)
	share := base - fee - commission
	return Split{Share: share, Fee: fee, Commission: commission - min(agent, commission), Platform: min(platform, share)}
}
