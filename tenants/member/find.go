package member

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/sms"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/servicepoint"
)

// ErrNobody is returned for a number that no member has.
var ErrNobody = fault.New(fault.NotFound, "member.nobody", "No member has this number")

// FindInput is a number that somebody at a service point says of himself.
type FindInput struct {
	Number       string    `json:"number" minLength:"1" maxLength:"40" doc:"Of a card or of a mobile phone, whole"`
	ServicePoint uuid.UUID `json:"service_point_id"`
}

// Found is what staff see of a member whose number they know: nothing that he has to show his card for.
type Found struct {
	Name       string  `json:"name"`
	PictureURL string  `json:"pictureUrl" doc:"Empty unless he agreed to the texts for members"`
	Number     string  `json:"number" doc:"Of his card"`
	TypeTH     string  `json:"type_name_th"`
	TypeEN     string  `json:"type_name_en"`
	Level      int16   `json:"level"`
	EndsOn     *string `json:"ends_on" nullable:"true" format:"date" doc:"The last day of the card; null: it has no end"`
	Mobile     string  `json:"mobile_digits" doc:"The last four"`
	State      State   `json:"state" enum:"active,suspended,expired"`
}

// FoundList are the members who have a number: a family may have one phone.
type FoundList struct {
	Data []Found `json:"data"`
}

const (
	findMembers = seenColumns + `, ` + stateOn + ofMember + `
		WHERE m.state <> 'left' AND (k.number = $1 OR a.mobile_index = $3)
			AND m.id IN (SELECT membership_id FROM member_card WHERE number = $1 UNION ALL SELECT b.id FROM application x JOIN membership b ON b.customer_id = x.customer_id WHERE x.mobile_index = $3)
		ORDER BY k.number LIMIT $4`
	mostFound = 20
)

var (
	numberForm = regexp.MustCompile(`^[A-Z]{2,4}[0-9]{8}$`)
	spacing    = strings.NewReplacer(" ", "", "-", "")
)

// Find returns the members who have a number. It returns fault.WrongFormat at number for what is none, servicepoint.ErrNotStaff, or ErrNobody.
func (s *Live) Find(ctx context.Context, who token.Session, in FindInput) (list FoundList, err error) {
	card, mobile := strings.ToUpper(spacing.Replace(strings.TrimSpace(in.Number))), ""
	if !numberForm.MatchString(card) {
		if mobile, err = sms.Normalise(card); err != nil {
			return list, fault.At("number", fault.WrongFormat)
		}
		card = ""
	}
	err = s.db.ReadInOrg(ctx, who.Org, func(tx db.Tx) error {
		servicepoint.RequireStaff(tx, who.Subject, in.ServicePoint)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		var index []byte
		if mobile != "" {
			if index, err = s.box.Index(tx.Key, "member.mobile", mobile); err != nil {
				return err
			}
		}
		rows, err := tx.Query(ctx, findMembers, card, clock.Day(tx.Now), index, mostFound)
		if err != nil {
			return fmt.Errorf("find a member: %w", err)
		}
		if list.Data, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Found]); err != nil {
			return fmt.Errorf("find a member: %w", err)
		}
		if len(list.Data) == 0 {
			return ErrNobody
		}
		return nil
	})
	return list, err
}
