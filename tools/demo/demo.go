// Package demo fills a running platform with three believable organisations, as people would: over HTTP, through the
// same calls as the back office and the phones, with LINE and the payment gateway imitated. What lies behind them, past.go
// lives through by the use cases themselves.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Options are the addresses of a running platform and of what is imitated around it.
type Options struct {
	BaseURL, LineURL, PayURL string
	Program                  string   // the binary, for `admin add`
	Environment              []string // for the binary
	Dir                      string   // where it is remembered that the demo is loaded
}

// Account is an area and who can sign in there.
type Account struct{ Area, URL, SignIn string }

// The accounts of the demo. They open a platform on one machine and nothing else.
const (
	adminName, adminPassword     = "admin", "welovevoucher"
	ownerName, ownerPassword     = "owner", "owner2026"
	doorName, doorPassword       = "door", "door2026"
	accountName, accountPassword = "account", "account2026" // a second person
)

// ErrNeedsEmulators says that LINE or the gateway is a real one, where no demo people can sign in.
var ErrNeedsEmulators = errors.New("demo data needs the imitated LINE and payment gateway")

// Load fills the platform once; later calls only say who can sign in. It may be stopped and started again.
func Load(ctx context.Context, o Options) ([]Account, error) {
	if o.LineURL == "" || o.PayURL == "" {
		return nil, ErrNeedsEmulators
	}
	l, err := newLoader(ctx, o)
	if err != nil {
		return nil, err
	}
	done := filepath.Join(o.Dir, "loaded")
	if _, err := os.Stat(done); errors.Is(err, os.ErrNotExist) {
		if err := l.addHolidays(ctx); err != nil {
			return nil, err
		}
		if err := l.withoutTimetable(ctx, func() error { return l.organisations(ctx) }); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(o.Dir, 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(done, nil, 0o644); err != nil {
			return nil, err
		}
	}
	return l.accounts(), nil
}

func (l *loader) organisations(ctx context.Context) error {
	all, each := errgroup.WithContext(ctx)
	for _, org := range organisations {
		all.Go(func() error {
			if err := l.organisation(each, org); err != nil {
				return fmt.Errorf("%s: %w", org.Unique, err)
			}
			return nil
		})
	}
	return all.Wait()
}

// signInAdmin opens the admin's session; the first time it adds him.
func (l *loader) signInAdmin(ctx context.Context) (signedIn, error) {
	signIn := func() (signedIn, error) {
		return post[signedIn](ctx, l, l.BaseURL, "/api/authen/admin/user", "", map[string]string{"username": adminName, "password": adminPassword})
	}
	answer, err := signIn()
	if refused := (*refusal)(nil); !errors.As(err, &refused) || refused.Fault != "admin.wrong_password" {
		return answer, err
	}
	if err := addAdmin(ctx, l.Options); err != nil {
		return answer, err
	}
	return signIn()
}

func addAdmin(ctx context.Context, o Options) error {
	cmd := exec.CommandContext(ctx, o.Program, "admin", "add", adminName, "ผู้ดูแลแพลตฟอร์ม")
	cmd.Env = slices.Concat(o.Environment, []string{"ADMIN_PASSWORD=" + adminPassword, "LOG_LEVEL=error"})
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("add the admin: %w: %s", err, out)
	}
	return nil
}

func (l *loader) accounts() []Account {
	list := []Account{{"Admin", l.base.String() + "/advwsadmin", adminName + " / " + adminPassword}}
	for _, org := range organisations {
		site := l.site(org.Unique)
		list = append(list,
			Account{org.NameEN, site + "/welovevoucher/" + org.liff("user"), "sign in with LINE as anybody"},
			Account{"  online", site + "/user/market", ""},
			Account{"  owner", site + "/owner", ownerName + " / " + ownerPassword},
			Account{"  accountant", site + "/owner", accountName + " / " + accountPassword},
			Account{"  staff", site + "/staff", doorName + " / " + doorPassword},
			Account{"  agent", site + "/weloveagent/" + org.liff("agent"), "sign in with LINE as " + agentPerson})
	}
	return list
}
