package discount

import (
	"welovevoucher/platform/money"
)

// Split is what a line's price is made of once it is sold. Its buyer pays Share + Fee + Commission + Recruiter - Platform.
type Split struct {
	Share      money.Amount // the seller's, once all is used
	Fee        money.Amount // the platform's
	Commission money.Amount // the agent's, after what he pays of the discount
	Recruiter  money.Amount // of who recruited the agent
	Platform   money.Amount // what the platform pays of the price
}

// Paid returns what the buyer pays.
func (s Split) Paid() money.Amount { return s.Share + s.Fee + s.Commission + s.Recruiter - s.Platform }

// Split splits the price of a line, of which the platform has feeBasisPoints. Fee and commission are counted of the base, which is gross less what the
// organisation pays of the discount. The agent pays at most his commission, of which nothing is the recruiter's, the platform at most the share.
func (l Line) Split(feeBasisPoints int64, organisation, agent, platform money.Amount) Split {
	base := l.Gross - organisation
	fee := base.Percent(feeBasisPoints)
	commission := min(l.Rate.Of(base, l.Quantity), base-fee)
	recruiter := min(base.Percent(l.Rate.Recruiter), base-fee-commission)
	share := base - fee - commission - recruiter
	return Split{Share: share, Fee: fee, Commission: commission - min(agent, commission), Recruiter: recruiter, Platform: min(platform, share)}
}
