package stage

import "github.com/stretchr/testify/require"

// ForgetLimits lets everybody call as if he had not called yet, for tests that call more often than people do.
func (p *Platform) ForgetLimits() {
	p.T.Helper()
	for keys := p.Redis.Scan(p.T.Context(), 0, "limit:*", 1000).Iterator(); keys.Next(p.T.Context()); {
		require.NoError(p.T, p.Redis.Del(p.T.Context(), keys.Val()).Err())
	}
}
