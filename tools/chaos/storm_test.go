package chaos

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	payemu "welovevoucher/tools/pay"
	"welovevoucher/tools/stage"
)

// A round's people, and what each of them tops up.
const (
	payers      = 10
	topUpsEach  = 10
	stormAmount = 100_00
)

// weather is how a webhook reaches us, and how many of a hundred do so. The rest comes once and in time.
var weather = []struct {
	name    string
	percent int
	how     map[string]any
	lands   bool // the money is to be credited
}{
	{"twice", 30, map[string]any{"times": 2}, true},
	{"reordered", 20, map[string]any{"reorder": true}, true},
	{"forged", 5, map[string]any{"forge": true}, false},
	{"late", 5, map[string]any{"late": true}, true},
	{"another sum", 2, map[string]any{"amount_satang": stormAmount * 10}, false},
	{"once", 38, map[string]any{}, true},
}

// TestStorm: whatever becomes of webhooks on their way, each payment is credited once, and only what was paid. What is
// counted are payments.
func TestStorm(t *testing.T) {
	storms := begin(t, "storm", payers*topUpsEach)
	p := stage.Start(t)
	o := p.Open("storm", "ร้านในพายุ", "1651000001")
	for storms.more() {
		storms.round(func(t *testing.T, part *result) {
			p.T = t
			require.NoError(t, p.ForgetLimits()) // all of these people come from one address
			dice := rand.New(rand.NewPCG(part.Seed, 1))
			phones, want := make([]*stage.Browser, payers), make([]int64, payers)
			for i := range phones {
				phones[i] = o.Customer(fmt.Sprintf("U%d-%d", part.Seed, i))
			}
			var forged []uuid.UUID
			for range topUpsEach {
				for i, phone := range phones {
					begun := phone.StartTopUp(stormAmount)
					w := weather[draw(dice)]
					part.count(w.name, 1)
					o.PayFor(begun.ID, w.how)
					if w.lands {
						want[i] += stormAmount
					}
					if w.name == "forged" {
						forged = append(forged, begun.ID)
					}
				}
			}
			for i, phone := range phones {
				o.Eventually("each payment arrives", func() bool { return phone.Balance() == want[i] })
			}
			for _, id := range forged {
				o.Eventually("a forged webhook is refused", func() bool { return slices.Equal([]int{http.StatusUnauthorized}, answers(o, id)) })
			}
			o.MustBalance()
			part.Did = payers * topUpsEach
		})
	}
}

// draw picks the weather.
func draw(dice *rand.Rand) int {
	n := dice.IntN(100)
	for i, w := range weather {
		if n -= w.percent; n < 0 {
			return i
		}
	}
	panic("the weather is more than a hundred percent")
}

// answers is what we said to the webhooks that told of a charge's end.
func answers(o *stage.Organisation, id uuid.UUID) (statuses []int) {
	o.T.Helper()
	res, err := http.Get(o.Pay.URL + "/emulator/deliveries?charge=" + o.Charge(id))
	require.NoError(o.T, err)
	defer res.Body.Close()
	var sent []payemu.Delivery
	require.NoError(o.T, json.NewDecoder(res.Body).Decode(&sent))
	for _, d := range sent {
		if d.Kind == "charge.complete" {
			statuses = append(statuses, d.Status)
		}
	}
	return statuses
}
