package line

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"time"
)

// Identity is the content of a verified ID token. Subject is the person's id for the channel's provider. The same person has
// another Subject at another provider, so a customer is looked up by nothing else.
type Identity struct {
	Subject string
	Name    string
	Picture string
	Email   string
	Expires time.Time
	// Claims names the token by what it says, in one spelling: a signature can be written in more than one way.
	Claims string
}

// Tokens are the result of Exchange. IDToken must still be verified by VerifyIDToken.
type Tokens struct {
	AccessToken  string `json:"access_token"`
	IDToken      string `json:"id_token"`
	RefreshToken string `json:"refresh_token"`
	ExpiresIn    int    `json:"expires_in"` // seconds
}

// Channel is a LINE Login channel of an organisation or of the platform.
type Channel struct{ ID, Secret string }

// VerifyChannel checks with LINE that the channel has this secret. It gets an access token and drops it. It returns ErrChannel or ErrUnavailable.
func (c *Client) VerifyChannel(ctx context.Context, ch Channel) error {
	_, err := c.AccountToken(ctx, ch)
	return err
}

// Authorize describes one web login. State, Nonce and Verifier are random for each login, and kept on the server.
type Authorize struct {
	ChannelID   string
	RedirectURI string
	State       string
	Nonce       string
	Verifier    string
	Language    string // "th" or "en"
}

// AuthorizeURL returns the address to which the browser is sent to sign in.
func (c *Client) AuthorizeURL(a Authorize) string {
	query := url.Values{
		"response_type":         {"code"},
		"client_id":             {a.ChannelID},
		"redirect_uri":          {a.RedirectURI},
		"state":                 {a.State},
		"scope":                 {"profile openid"},
		"nonce":                 {a.Nonce},
		"code_challenge":        {challenge(a.Verifier)},
		"code_challenge_method": {"S256"},
	}
	if a.Language != "" {
		query.Set("ui_locales", a.Language)
	}
	return c.access + "/oauth2/v2.1/authorize?" + query.Encode()
}

func challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Exchange trades the code of a web login for tokens. redirectURI and verifier are those of its Authorize. It returns ErrRefused
// for a code that is old, used, or of another login.
func (c *Client) Exchange(ctx context.Context, ch Channel, code, redirectURI, verifier string) (Tokens, error) {
	var t Tokens
	err := c.post(ctx, "/oauth2/v2.1/token", url.Values{
		"grant_type":    {"authorization_code"},
		"code":          {code},
		"redirect_uri":  {redirectURI},
		"client_id":     {ch.ID},
		"client_secret": {ch.Secret},
		"code_verifier": {verifier},
	}, &t)
	if err != nil {
		return Tokens{}, err
	}
	if t.IDToken == "" {
		return Tokens{}, fmt.Errorf("LINE token: no ID token in the answer: %w", ErrRefused)
	}
	return t, nil
}

// VerifyIDToken verifies an ID token of a web login or of a LIFF app with LINE, and checks the answer too. nonce is empty for LIFF,
// which has none. It returns ErrRefused unless the token is valid and of this channel.
func (c *Client) VerifyIDToken(ctx context.Context, idToken, channelID, nonce string) (Identity, error) {
	form := url.Values{"id_token": {idToken}, "client_id": {channelID}}
	if nonce != "" {
		form.Set("nonce", nonce)
	}
	var claims struct {
		Issuer   string `json:"iss"`
		Subject  string `json:"sub"`
		Audience string `json:"aud"`
		Issued   int64  `json:"iat"`
		Expires  int64  `json:"exp"`
		SignedIn int64  `json:"auth_time"`
		Nonce    string `json:"nonce"`
		Name     string `json:"name"`
		Picture  string `json:"picture"`
		Email    string `json:"email"`
	}
	if err := c.post(ctx, "/oauth2/v2.1/verify", form, &claims); err != nil {
		return Identity{}, err
	}

	expires := time.Unix(claims.Expires, 0).UTC()
	switch {
	case claims.Issuer != Issuer:
		return Identity{}, fmt.Errorf("LINE ID token: issuer: %w", ErrRefused)
	case claims.Audience != channelID || channelID == "":
		return Identity{}, fmt.Errorf("LINE ID token: made for another channel: %w", ErrRefused)
	case !expires.After(c.now()):
		return Identity{}, fmt.Errorf("LINE ID token: expired: %w", ErrRefused)
	case claims.Nonce != nonce && nonce != "":
		return Identity{}, fmt.Errorf("LINE ID token: nonce of another login: %w", ErrRefused)
	case claims.Subject == "":
		return Identity{}, fmt.Errorf("LINE ID token: no subject: %w", ErrRefused)
	}
	return Identity{
		Subject: claims.Subject, Name: claims.Name, Picture: claims.Picture, Email: claims.Email, Expires: expires,
		Claims: fmt.Sprintf("%q %q %q %d %d %d %q", claims.Issuer, claims.Audience, claims.Subject, claims.Issued, claims.Expires,
			claims.SignedIn, claims.Nonce),
	}, nil
}

// VerifyAccessToken returns ErrRefused unless the token is valid and was issued for this channel. It must be called before Profile:
// a token that the same person gave to another service also returns their profile.
func (c *Client) VerifyAccessToken(ctx context.Context, accessToken, channelID string) error {
	var answer struct {
		ClientID  string `json:"client_id"`
		ExpiresIn int64  `json:"expires_in"`
	}
	if err := c.get(ctx, "/oauth2/v2.1/verify", "", url.Values{"access_token": {accessToken}}, &answer); err != nil {
		return err
	}
	if answer.ClientID != channelID || channelID == "" {
		return fmt.Errorf("LINE access token: made for another channel: %w", ErrRefused)
	}
	if answer.ExpiresIn <= 0 {
		return fmt.Errorf("LINE access token: expired: %w", ErrRefused)
	}
	return nil
}

// Profile is how a person appears in LINE.
type Profile struct {
	Subject string `json:"userId"`
	Name    string `json:"displayName"`
	Picture string `json:"pictureUrl"`
	Status  string `json:"statusMessage"`
}

// Profile returns the profile of an access token that VerifyAccessToken has accepted.
func (c *Client) Profile(ctx context.Context, accessToken string) (Profile, error) {
	var p Profile
	if err := c.get(ctx, "/v2/profile", accessToken, nil, &p); err != nil {
		return Profile{}, err
	}
	if p.Subject == "" {
		return Profile{}, fmt.Errorf("LINE profile: no user id: %w", ErrRefused)
	}
	return p, nil
}

// Friend reports whether the person has added the channel's official account, and so receives its messages.
func (c *Client) Friend(ctx context.Context, accessToken string) (bool, error) {
	var answer struct {
		Friend bool `json:"friendFlag"`
	}
	err := c.get(ctx, "/friendship/v1/status", accessToken, nil, &answer)
	return answer.Friend, err
}

// Revoke revokes an access token.
func (c *Client) Revoke(ctx context.Context, ch Channel, accessToken string) error {
	return c.post(ctx, "/oauth2/v2.1/revoke", url.Values{
		"access_token": {accessToken}, "client_id": {ch.ID}, "client_secret": {ch.Secret},
	}, nil)
}
