package provisioning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/line"
	"welovevoucher/tenants/org"
)

// LineChange is an organisation's LINE Login channel and LIFF apps to be.
type LineChange struct {
	Line LineInput `json:"line" doc:"An empty secret keeps the one that is there"`
	Liff org.Liff  `json:"liff"`
}

const (
	lockLine = `SELECT line_channel_id, line_secret FROM organisation WHERE id = $1 FOR UPDATE`
	saveLine = `UPDATE organisation SET line_channel_id = $2, line_secret = $3, updated_at = $4 WHERE id = $1`
	liffOf   = `SELECT purpose, liff_id FROM liff_app WHERE org_id = $1`

	dropLiff   = `DELETE FROM liff_app WHERE org_id = $1`
	insertLiff = `INSERT INTO liff_app (liff_id, org_id, purpose) VALUES ($1, $2, $3)`
)

// SaveLine connects an organisation to LINE, once LINE has confirmed channel and secret; an empty channel takes it off.
// Pages know it at once. It returns fault.BadInput with the fields that are wrong, org.ErrNotFound or line.ErrUnavailable.
func (s *Service) SaveLine(ctx context.Context, id uuid.UUID, who auditlog.Actor, in LineChange) error {
	bad := checkLine(in.Line, in.Liff)
	before, err := s.directory.ByID(ctx, id)
	if err != nil {
		return err
	}
	channel := line.Channel{ID: in.Line.ChannelID, Secret: in.Line.Secret}
	if channel.Secret == "" && channel.ID != "" && channel.ID != before.LineChannel || channel.Secret != "" && channel.ID == "" {
		bad = append(bad, fault.Field{Path: "line.channel_secret", Fault: fault.Required.Code})
	}
	if len(bad) > 0 {
		return fault.Of(bad...)
	}
	if channel.Secret != "" {
		if err := s.proveLine(ctx, channel); err != nil {
			return err
		}
	}
	err = s.db.InPlatform(ctx, func(tx db.Tx) error { return s.saveLine(ctx, tx, id, who, in) })
	if err != nil {
		return fmt.Errorf("connect %s to LINE: %w", id, err)
	}
	return nil
}

// lineState is the channel as the audit log keeps it: of a secret only its end.
type lineState struct {
	ChannelID string   `json:"channel_id"`
	SecretEnd string   `json:"secret_end"`
	Liff      org.Liff `json:"liff"`
}

func (s *Service) saveLine(ctx context.Context, tx db.Tx, id uuid.UUID, who auditlog.Actor, in LineChange) error {
	before, sealed, err := s.readLine(ctx, tx, lockLine, id)
	if err != nil {
		return err
	}
	after := lineState{ChannelID: in.Line.ChannelID, SecretEnd: before.SecretEnd, Liff: in.Liff}
	switch {
	case in.Line.ChannelID == "":
		sealed, after.SecretEnd = nil, ""
	case in.Line.Secret != "":
		after.SecretEnd = end(in.Line.Secret)
		if sealed, err = s.box.Seal(org.LineSecretAAD(id), []byte(in.Line.Secret)); err != nil {
			return err
		}
	case in.Line.ChannelID != before.ChannelID: // somebody else was quicker
		return fault.At("line.channel_secret", fault.Required)
	}
	if _, err := tx.Exec(ctx, saveLine, id, in.Line.ChannelID, sealed, tx.Now); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, dropLiff, id); err != nil {
		return err
	}
	if err := writeLiff(ctx, tx, id, in.Liff); err != nil {
		return err
	}
	tx.Publish(org.Topic, id.String())
	return auditlog.Record(ctx, tx, who, "connect_line", "organisation/"+id.String(), before, after)
}

// readLine is an organisation's channel with the end of its secret, and the secret as it lies there.
func (s *Service) readLine(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) (state lineState, sealed []byte, err error) {
	err = tx.QueryRow(ctx, sql, id).Scan(&state.ChannelID, &sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return state, nil, org.ErrNotFound
	}
	if err != nil {
		return state, nil, err
	}
	if len(sealed) > 0 {
		plain, err := s.box.Open(org.LineSecretAAD(id), sealed)
		if err != nil {
			return state, nil, err
		}
		state.SecretEnd = end(string(plain))
	}
	rows, err := tx.Query(ctx, liffOf, id)
	if err != nil {
		return state, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var purpose, liff string
		if err := rows.Scan(&purpose, &liff); err != nil {
			return state, nil, err
		}
		*purposes(&state.Liff)[purpose] = liff
	}
	return state, sealed, rows.Err()
}

// end returns the part of a secret that may be shown: the last four characters, nothing of a short one.
func end(secret string) string {
	const shown, least = 4, 12
	if len(secret) < least {
		return ""
	}
	return secret[len(secret)-shown:]
}

// purposes are the LIFF apps by the names of the table liff_app.
func purposes(l *org.Liff) map[string]*string {
	return map[string]*string{"user": &l.User, "agent": &l.Agent, "trade": &l.Trade, "transfer": &l.Transfer}
}

func writeLiff(ctx context.Context, tx db.Tx, id uuid.UUID, apps org.Liff) error {
	for purpose, liff := range purposes(&apps) {
		if *liff == "" {
			continue
		}
		_, err := tx.Exec(ctx, insertLiff, *liff, id, purpose)
		if db.IsUnique(err, "liff_app_pkey") {
			return fault.At("liff.liff"+purpose, ErrLiffTaken)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkLine checks a channel without asking LINE. A LIFF id begins with its channel's id.
func checkLine(channel LineInput, apps org.Liff) (bad []fault.Field) {
	seen := map[string]bool{}
	all := purposes(&apps)
	for _, purpose := range []string{"user", "agent", "trade", "transfer"} {
		liff, why := *all[purpose], ""
		switch {
		case liff == "":
			continue
		case !org.LiffForm.MatchString(liff):
			why = fault.WrongFormat.Code
		case !strings.HasPrefix(liff, channel.ChannelID+"-"):
			why = ErrLiffChannel.Code
		case seen[liff]:
			why = fault.Duplicate.Code
		}
		seen[liff] = true
		if why != "" {
			bad = append(bad, fault.Field{Path: "liff.liff" + purpose, Fault: why})
		}
	}
	return slices.Clip(bad)
}

func (s *Service) proveLine(ctx context.Context, channel line.Channel) error {
	err := s.proofs.Line(ctx, channel)
	if errors.Is(err, line.ErrChannel) {
		return fault.At("line.channel_secret", line.ErrChannel)
	}
	return err
}
