package harness

import (
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"
)

// AppCode is the code of a secret that an app on a phone shows now.
func (p *Platform) AppCode(secret string) string {
	p.T.Helper()
	code, err := totp.GenerateCode(secret, p.DB.Now())
	require.NoError(p.T, err)
	return code
}
