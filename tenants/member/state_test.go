package member

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStates tries every step in every state of a membership, allowed and refused.
func TestStates(t *testing.T) {
	states := []State{None, Active, Suspended, Expired, Left}
	for do, want := range map[step]string{ // by the order of states
		stepGrant:   "active active member.suspended active active",
		stepUpgrade: "member.none active member.suspended member.expired member.left",
		stepEnd:     "member.none expired expired member.expired member.left",
		stepSuspend: "member.none suspended member.suspended member.expired member.left",
		stepResume:  "member.none member.not_now active member.expired member.left",
		stepLeave:   "member.none left left left member.left",
	} {
		for i, cell := range strings.Fields(want) {
			to, err := states[i].after(do)
			if strings.HasPrefix(cell, "member.") {
				require.Equal(t, states[i], to, "%s %q", do, states[i])
				require.ErrorContains(t, err, cell, "%s %q", do, states[i])
				continue
			}
			require.NoError(t, err, "%s %q", do, states[i])
			require.EqualValues(t, cell, to, "%s %q", do, states[i])
		}
	}
}

// TestAnswers tries every answer to an application in every state, with and without a term that is to come.
func TestAnswers(t *testing.T) {
	for do, want := range map[answer]string{approve: "granted", refuse: "refused", takeBack: "taken_back", leave: "taken_back"} {
		for _, toCome := range []bool{false, true} {
			to, err := Pending.after(do, toCome)
			require.NoError(t, err)
			require.EqualValues(t, want, to)
			for _, final := range []ApplicationState{Granted, Refused, TakenBack} {
				to, err := final.after(do, toCome)
				if final == Granted && do == takeBack && toCome {
					require.NoError(t, err)
					require.Equal(t, TakenBack, to)
					continue
				}
				require.Equal(t, ErrOver, err, "%s %s", do, final)
				require.Equal(t, final, to)
			}
		}
	}
}

// TestNeedsAnswer: nobody, the first application, or each.
func TestNeedsAnswer(t *testing.T) {
	for approval, want := range map[string][3]bool{"none": {}, "first": {true, false, false}, "always": {true, true, true}} {
		for i, of := range []kind{first, renewal, upgrade} {
			require.Equal(t, want[i], needsAnswer(approval, of), "%s %s", approval, of)
		}
	}
}

// TestNumber: letters of the organisation and a check digit that finds each wrong digit, and each two neighbours that were exchanged.
func TestNumber(t *testing.T) {
	require.Equal(t, byte('6'), checkDigit("0048221"), "as the designs draw it: RLM 0048 2216")
	for unique, letters := range map[string]string{"ruen-lamai": "RUE", "a-9b": "AB", "9-9": "MC", "a99": "MC", "xy": "XY"} {
		require.Equal(t, letters, lettersOf(unique))
	}
	for range 200 {
		number, err := newNumber("lamai")
		require.NoError(t, err)
		require.Regexp(t, `^LAM[0-9]{8}$`, number)
		digits := number[3:]
		require.Equal(t, byte('0'), checkDigit(digits), "a whole number checks to 0")
		for i := range digits {
			for d := byte('0'); d <= '9'; d++ {
				if wrong := digits[:i] + string(d) + digits[i+1:]; wrong != digits {
					require.NotEqual(t, byte('0'), checkDigit(wrong))
				}
			}
			if i > 0 && digits[i] != digits[i-1] {
				require.NotEqual(t, byte('0'), checkDigit(digits[:i-1]+string(digits[i])+string(digits[i-1])+digits[i+1:]))
			}
		}
	}
}
