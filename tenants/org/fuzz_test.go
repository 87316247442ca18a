package org

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzCleanHost: a host is cleaned once and for all, and never into another one.
func FuzzCleanHost(f *testing.F) {
	for _, seed := range []string{"Shop.Example:8080", "shop.example.", "[::1]:80", "[::1]", "a:b:c", ":", "", "shop.example:", "ร้าน.ไทย:1", "shop.example:80.", "x..:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, host string) {
		clean := CleanHost(host)
		require.LessOrEqual(t, strings.Count(clean, ":"), strings.Count(host, ":"))
		require.True(t, strings.HasPrefix(strings.ToLower(host), clean), "%q became %q", host, clean)
	})
}

// FuzzLiffID: what passes for a LIFF app's id in a path is plain text, and so can be looked up and shown.
func FuzzLiffID(f *testing.F) {
	for _, seed := range []string{"1650000001-abcdefgh", "165000-ABCD1234", "1650000001-abcdefg", "1650000001-abcdefgh\n", "๑๖๕๐๐๐-abcdefgh", "1650000001-abcdefgh/..", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if LiffForm.MatchString(text) {
			require.LessOrEqual(t, len(text), 21)
			require.NotContains(t, text, "\n")
			channel, app, _ := strings.Cut(text, "-")
			require.Empty(t, strings.Trim(channel, "0123456789"))
			require.Len(t, app, 8)
		}
	})
}
