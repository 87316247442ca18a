package session

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
)

// Login is a web login under way: the values that were sent to LINE and must come back.
type Login struct {
	Audience token.Audience
	Org      uuid.UUID // uuid.Nil for admins
	Return   string    // a path of our own
	// Invitation is the hash of a staff invitation's token, when the login takes one.
	Invitation []byte
	// Subject is the admin whose account shall be linked, when the login opens no session.
	Subject uuid.UUID
	// Resets says that the login shows who has lost his password, and opens no session.
	Resets   bool
	Nonce    string
	Verifier string // PKCE
}

// ErrLogin says that a login cannot be finished: unknown, used, older than ten minutes, or begun in another browser.
var ErrLogin = fault.New(fault.Conflict, "login.not_found", "please try again")

const (
	loginLifetime = 10 * time.Minute

	insertLogin = `INSERT INTO login (state_hash, audience, org_id, return_path, nonce, verifier, browser, expires_at, invitation, subject_id, resets)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	useLogin = `UPDATE login SET used_at = $2 WHERE state_hash = $1 AND used_at IS NULL AND expires_at > $2
		RETURNING audience, coalesce(org_id, '00000000-0000-0000-0000-000000000000'), return_path, nonce, verifier, browser, invitation,
			coalesce(subject_id, '00000000-0000-0000-0000-000000000000'), resets`
	sweepLogins = `DELETE FROM login WHERE expires_at < $1`

	firstUse = `INSERT INTO id_token_use (token_hash, browser, expires_at) VALUES ($1, $2, $3) ON CONFLICT (token_hash) DO NOTHING`
	boundTo  = `SELECT browser FROM id_token_use WHERE token_hash = $1`
)

// Begin remembers a login and returns its state. browser is the secret cookie of the browser that begins it.
func (s *Service) Begin(ctx context.Context, l Login, browser string) (state string, _ Login, _ error) {
	l.Nonce, l.Verifier, l.Return = token.Random(24), token.Random(48), OwnPath(l.Return)
	state = token.Random(24)
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, insertLogin, token.Hash(state), l.Audience, null(l.Org), l.Return, l.Nonce, l.Verifier,
			token.Hash(browser), tx.Now.Add(loginLifetime), l.Invitation, null(l.Subject), l.Resets)
		return err
	})
	return state, l, err
}

// Finish takes a login once, in the browser that began it. It returns ErrLogin otherwise.
func (s *Service) Finish(ctx context.Context, state, browser string) (Login, error) {
	var l Login
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		var bound []byte
		err := tx.QueryRow(ctx, useLogin, token.Hash(state), tx.Now).
			Scan(&l.Audience, &l.Org, &l.Return, &l.Nonce, &l.Verifier, &bound, &l.Invitation, &l.Subject, &l.Resets)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrLogin
		}
		if err != nil {
			return err
		}
		if subtle.ConstantTimeCompare(bound, token.Hash(browser)) != 1 {
			return ErrLogin
		}
		return nil
	})
	return l, err
}

// UseIDToken lets an ID token open a session: the first time for anybody, again only in the same browser, because
// LIFF hands out one token for an hour. It returns fault.NoSession otherwise. claims is what the
// token says, in one spelling: the token's own text can be spelled in several ways.
func (s *Service) UseIDToken(ctx context.Context, claims, browser string, expires time.Time) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, firstUse, token.Hash(claims), browser, expires)
		if err != nil || tag.RowsAffected() == 1 {
			return err
		}
		var bound string
		if err := tx.QueryRow(ctx, boundTo, token.Hash(claims)).Scan(&bound); err != nil {
			return err
		}
		if bound != browser || bound == "" {
			return fault.NoSession
		}
		return nil
	})
}

// MaxReturn is how long a path to come back to may be, in characters: no page of ours has a longer address, because a request's
// header may not be larger.
const MaxReturn = 8000

// ownPath are the places that people sign in from: our areas, and the public pages.
var ownPath = regexp.MustCompile(`^/(?:(?:user|welovevoucher|weloveagent|owner|staff|advwsadmin|trade|tradeuser|transfer|transferuser|home|main|faq|contact|aboutus|partner|termsandconditions)(?:/.*)?)?$`)

// OwnPath returns the path, with its query and its hash, when it leads to one of our pages, else "/". No login redirects anywhere
// else. What a browser writes in escapes is escaped.
//
// A browser takes a tab or a line's end out of an address before it reads it, a backslash for a slash, and two dots, however they
// are escaped, for the way up: an address with one of them means another than it shows, and no page of ours has one.
func OwnPath(path string) string {
	way, rest := path, ""
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		way, rest = path[:i], path[i:]
	}
	if utf8.RuneCountInString(path) > MaxReturn || !utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl) ||
		strings.Contains(way, `\`) || !ownPath.MatchString(way) {
		return "/"
	}
	for segment := range strings.SplitSeq(way, "/") {
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case ".", "..":
			return "/"
		}
	}
	return escape(way + rest)
}

// escape writes what has no place in an address by its bytes.
func escape(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c >= utf8.RuneSelf || strings.IndexByte("\"'<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
