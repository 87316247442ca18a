package line

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"welovevoucher/tools/emulator"
)

const issuer = "https://access.line.me"

// claims are the parts of an ID token that callers choose; zero values give a normal one of a web login.
type claims struct {
	nonce      string
	asymmetric bool          // ES256, as LIFF's are; else HS256 with the channel's secret
	age        time.Duration // how long ago it was issued
	audience   string        // another audience than the channel
}

func (e *Emulator) idToken(r *http.Request, c Channel, person string, with claims) string {
	p, _ := e.person(person)
	issued := e.now().Add(-with.age)
	// Each token has another moment of signing in at LINE, so that two of one second, in two browsers, are two.
	signedIn := issued.Add(-time.Duration(e.issued.Add(1)%3600) * time.Second)
	payload := jwt.MapClaims{
		"iss": issuer, "sub": userID(c.Provider, p.ID), "aud": c.ID,
		"iat": issued.Unix(), "exp": issued.Add(idTokenLife).Unix(), "auth_time": signedIn.Unix(),
		"amr": []string{"linesso"}, "name": p.Name, "picture": e.pictureURL(r, p),
	}
	if with.audience != "" {
		payload["aud"] = with.audience
	}
	if with.nonce != "" {
		payload["nonce"] = with.nonce
	}
	if p.Email != "" {
		payload["email"] = p.Email
	}
	if with.asymmetric {
		return e.sign(payload)
	}
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, payload).SignedString([]byte(c.Secret))
	if err != nil {
		panic(err) // HS256 takes any key of bytes
	}
	return text
}

func (e *Emulator) sign(payload jwt.MapClaims) string {
	unsigned := jwt.NewWithClaims(jwt.SigningMethodES256, payload)
	unsigned.Header["kid"] = e.keyID()
	text, err := unsigned.SignedString(e.kept.signer)
	if err != nil {
		panic(err) // the key is on P-256, which load has checked
	}
	return text
}

func (e *Emulator) keyID() string {
	sum := sha256.Sum256(e.kept.Key)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

func (e *Emulator) verifyIDToken(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	c, known := e.channel(r.FormValue("client_id"))
	if !known {
		refuse(w, http.StatusBadRequest, "invalid_request", "Invalid client_id.")
		return
	}
	payload := jwt.MapClaims{}
	_, err := jwt.NewParser(jwt.WithTimeFunc(e.now)).ParseWithClaims(r.FormValue("id_token"), payload, func(t *jwt.Token) (any, error) {
		switch t.Method {
		case jwt.SigningMethodES256:
			return e.kept.signer.Public(), nil
		case jwt.SigningMethodHS256:
			if c.Secret != "" {
				return []byte(c.Secret), nil
			}
		}
		return nil, errors.New("no key for this token")
	})
	nonce, user := r.FormValue("nonce"), r.FormValue("user_id")
	why := ""
	switch {
	case errors.Is(err, jwt.ErrTokenMalformed):
		why = "JWS format error"
	case errors.Is(err, jwt.ErrTokenExpired):
		why = "IdToken expired."
	case err != nil:
		why = "Invalid IdToken."
	case payload["iss"] != issuer:
		why = "Invalid IdToken Issuer."
	case payload["aud"] != c.ID:
		why = "Invalid IdToken Audience."
	case nonce != "" && payload["nonce"] != nonce:
		why = "Invalid IdToken Nonce."
	case user != "" && payload["sub"] != user:
		why = "Invalid IdToken Subject Identifier."
	}
	if why != "" {
		refuse(w, http.StatusBadRequest, "invalid_request", why)
		return
	}

	e.distort(r.URL.Path, payload)
	emulator.Answer(w, http.StatusOK, payload)
}

func (e *Emulator) verifyAccessToken(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()

	t, known := e.access[r.URL.Query().Get("access_token")]
	if !known || e.now().After(t.expires) {
		refuse(w, http.StatusBadRequest, "invalid_request", "access token expired")
		return
	}
	payload := map[string]any{"scope": t.scope, "client_id": t.channel, "expires_in": int(t.expires.Sub(e.now()).Seconds())}
	e.distort(r.URL.Path, payload)
	emulator.Answer(w, http.StatusOK, payload)
}

func (e *Emulator) certs(w http.ResponseWriter, _ *http.Request) {
	point, err := e.kept.signer.PublicKey.Bytes() // 4, then X and Y of 32 bytes each
	if err != nil {
		panic(err) // the key is on P-256, which load has checked
	}
	emulator.Answer(w, http.StatusOK, map[string]any{"keys": []map[string]string{{
		"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": e.keyID(),
		"x": base64.RawURLEncoding.EncodeToString(point[1:33]), "y": base64.RawURLEncoding.EncodeToString(point[33:]),
	}}})
}

func (e *Emulator) configuration(w http.ResponseWriter, r *http.Request) {
	base := e.base(r)
	emulator.Answer(w, http.StatusOK, map[string]any{
		"issuer":                                issuer,
		"authorization_endpoint":                base + "/oauth2/v2.1/authorize",
		"token_endpoint":                        base + "/oauth2/v2.1/token",
		"revocation_endpoint":                   base + "/oauth2/v2.1/revoke",
		"jwks_uri":                              base + "/oauth2/v2.1/certs",
		"response_types_supported":              []string{"code"},
		"subject_types_supported":               []string{"pairwise"},
		"id_token_signing_alg_values_supported": []string{"ES256"},
		"code_challenge_methods_supported":      []string{"S256"},
	})
}
