package approval

import (
	"context"

	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
	"welovevoucher/platform/token"
)

// Inbox is what waits for an answer and what was answered lately.
type Inbox struct {
	Waiting  []Row `json:"waiting" doc:"Asked for by others; the oldest first"`
	Asked    []Row `json:"asked" doc:"One's own that wait"`
	Answered []Row `json:"answered" doc:"Of the last 100 that do not wait, newest first"`
	Rules    Rules `json:"rules"`
}

// shown is how many requests the inbox shows of those that wait, and how many of all it looks through for answered ones.
const shown = 100

// Inbox returns what an account sees.
func (s *Service) Inbox(ctx context.Context, who token.Session) (in Inbox, err error) {
	in = Inbox{Waiting: []Row{}, Asked: []Row{}, Answered: []Row{}}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		if in.Rules, err = ReadRules(ctx, tx); err != nil {
			return err
		}
		waiting, err := Approvals.List(ctx, tx, resource.Query{Filter: map[string]any{"state": "waiting"}, Sort: "asked_at", Limit: shown})
		if err != nil {
			return err
		}
		for _, listed := range waiting.Data {
			row := listed.Value
			switch {
			case !tx.Now.Before(row.DueAt): // no worker has ended it yet
			case row.AskedBy == who.Subject:
				in.Asked = append(in.Asked, row)
			default:
				in.Waiting = append(in.Waiting, row)
			}
		}
		all, err := Approvals.List(ctx, tx, resource.Query{Limit: shown})
		if err != nil {
			return err
		}
		for _, listed := range all.Data {
			if listed.Value.AnsweredAt != nil {
				in.Answered = append(in.Answered, listed.Value)
			}
		}
		return nil
	})
	return in, err
}
