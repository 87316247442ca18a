package chaos

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/db"
	payemu "welovevoucher/tools/emulator/omise"
	"welovevoucher/tools/harness"
)

// A round's people, and what each of them tops up.
const (
	payers      = 10
	topUpsEach  = 10
	stormAmount = 100_00
)

// weather is how a webhook reaches us, how many of a hundred do so, and what we answer to each of its deliveries. A twentieth is
// late: the money comes when the charge is over, or the webhook some minutes after it was signed, or so old that it is not
// believed; then the charge is found paid when the gateway is asked.
var weather = []struct {
	name    string
	percent int
	how     map[string]any
	answers []int
	lands   bool // the money is to be credited
}{
	{"twice", 30, map[string]any{"times": 2}, []int{200, 200}, true},
	{"reordered", 20, map[string]any{"reorder": true}, []int{200}, true},
	{"forged", 5, map[string]any{"forge": true}, []int{401}, false},
	{"late money", 2, map[string]any{"late": true}, []int{200}, true},
	{"late webhook", 2, map[string]any{"age_seconds": 240}, []int{200}, true},
	{"webhook too late", 1, map[string]any{"age_seconds": 3600}, []int{401}, true},
	{"another sum", 2, map[string]any{"amount_satang": stormAmount * 10}, []int{200}, false},
	{"once", 38, map[string]any{}, []int{200}, true},
}

// firstCheck is when the gateway is asked about a charge for which no webhook came.
const firstCheck = 31 * time.Second

// TestStorm: whatever becomes of webhooks on their way, each payment is credited once, and only what was paid. What is
// counted are payments.
func TestStorm(t *testing.T) {
	t.Parallel()
	storms := begin(t, "storm", payers*topUpsEach)
	p := harness.Start(t)
	o := p.Open("storm", "ร้านในพายุ", "1651000001")
	for storms.more() {
		storms.round(func(t *testing.T, part *result) {
			p.T = t
			require.NoError(t, p.ForgetLimits()) // all of these people come from one address
			dice := rand.New(rand.NewPCG(part.Seed, 1))
			deck := deal(dice)
			phones, want := make([]*harness.Browser, payers), make([]int64, payers)
			for i := range phones {
				phones[i] = o.Customer(fmt.Sprintf("U%d-%d", part.Seed, i))
			}
			paid := map[uuid.UUID]int{} // the weather that each met
			for n, w := range deck {
				begun := phones[n%payers].StartTopUp(stormAmount)
				o.PayFor(begun.ID, weather[w].how)
				if paid[begun.ID] = w; weather[w].lands {
					want[n%payers] += stormAmount
				}
				part.count(weather[w].name, 1)
			}

			for id, w := range paid {
				o.Eventually("every webhook is answered", func() bool { return slices.Equal(weather[w].answers, answers(o, id)) })
			}
			p.Clock.Advance(firstCheck)
			o.Eventually("nothing is left to be done", func() bool { return open(t, o) == 0 })
			for i, phone := range phones {
				require.Equal(t, want[i], phone.Balance())
			}
			for id, w := range paid {
				state, credits := became(o, id)
				if weather[w].lands {
					require.Equal(t, "captured 1", fmt.Sprint(state, " ", credits), weather[w].name)
				} else {
					require.Equal(t, "awaiting 0", fmt.Sprint(state, " ", credits), weather[w].name)
				}
			}
			o.MustBalance()
			part.Did = len(deck)
		})
	}
}

// deal is a round's weather, in any order, with exactly the share of each.
func deal(dice *rand.Rand) (deck []int) {
	for i, w := range weather {
		for range payers * topUpsEach * w.percent / 100 {
			deck = append(deck, i)
		}
	}
	dice.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	return deck
}

// became is the state of a charge, and how many transfers credited it.
func became(o *harness.Organisation, id uuid.UUID) (state string, credits int) {
	o.T.Helper()
	require.NoError(o.T, o.DB.InOrg(o.T.Context(), o.ID, func(tx db.Tx) error {
		return tx.QueryRow(o.T.Context(), `SELECT state, (SELECT count(*) FROM transfer WHERE cause_id = charge.id) FROM charge WHERE id = $1`, id).Scan(&state, &credits)
	}))
	return state, credits
}

// answers is what we said to the webhooks of a charge's end.
func answers(o *harness.Organisation, id uuid.UUID) (statuses []int) {
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
