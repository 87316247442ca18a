package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"welovevoucher/api"
	"welovevoucher/api/rest"
	"welovevoucher/apps"
	"welovevoucher/platform/access"
	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/config"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/secondfactor"
	"welovevoucher/platform/token"
	"welovevoucher/program"
	"welovevoucher/tenants"
	"welovevoucher/tenants/order"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/overview"
	"welovevoucher/tenants/rollup"
)

// dist is the built front ends inside this binary.
func dist() fs.FS {
	sub, err := fs.Sub(apps.Dist, "dist")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// with opens the program for one command of an operator.
func with(run func(ctx context.Context, p *program.Program, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p, err := open(cmd.Context())
		if err != nil {
			return err
		}
		defer p.Close()
		return run(cmd.Context(), p, args)
	}
}

var errNoOwner = errors.New("MIGRATE_URL is required")

func migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: "Bring the platform's schema and every organisation's up to date", Args: cobra.NoArgs,
		RunE: with(func(ctx context.Context, p *program.Program, _ []string) error {
			if p.Schemas == nil {
				return errNoOwner
			}
			if err := p.Schemas.MigratePlatform(ctx); err != nil {
				return err
			}
			n, err := p.Services.Provisioning.MigrateAll(ctx)
			fmt.Printf("platform and %d organisations are up to date\n", n)
			return err
		}),
	}
}

func adminCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "admin", Short: "Accounts of the platform's own people"}
	cmd.AddCommand(&cobra.Command{
		Use: "add USERNAME NAME", Short: "Add a superadmin; the password comes from ADMIN_PASSWORD", Args: cobra.ExactArgs(2),
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			return p.Services.Admins.Add(ctx, args[0], args[1], os.Getenv("ADMIN_PASSWORD"))
		}),
	})
	cmd.AddCommand(&cobra.Command{
		Use: "factor-off USERNAME", Short: "Switch the second factor of an admin off who has lost his phone, where no other admin can", Args: cobra.ExactArgs(1),
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			a, err := p.Services.Admins.Named(ctx, args[0])
			if err != nil {
				return err
			}
			return p.DB.InPlatform(ctx, func(tx db.Tx) error {
				return secondfactor.Drop(ctx, tx, operator, secondfactor.Holder{Subject: a.ID})
			})
		}),
	})
	return cmd
}

// operator is who runs a command, in the audit log.
var operator = auditlog.Actor{Kind: "operator"}

func orgCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "org", Short: "Organisations"}
	cmd.AddCommand(&cobra.Command{
		Use: "list", Short: "List organisations and where they live", Args: cobra.NoArgs,
		RunE: with(func(ctx context.Context, p *program.Program, _ []string) error {
			return eachOrg(ctx, p, nil, func(o org.Org) error {
				home, err := p.DB.Placement(ctx, o.ID)
				fmt.Printf("%s\t%s\t%s\t%s\t%s\t%s\n", o.Unique, o.ID, o.State, home.Node, home.Schema, o.NameTH)
				return err
			})
		}),
	})
	var reason string
	suspend := &cobra.Command{
		Use: "suspend --reason TEXT UNIQUE …", Short: "Have organisations sell nothing; uses and refunds go on, the days of their gifts stand still", Args: cobra.MinimumNArgs(1),
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			return eachOrg(ctx, p, args, func(o org.Org) error { return p.Services.Provisioning.Suspend(ctx, o.ID, operator, reason) })
		}),
	}
	suspend.Flags().StringVar(&reason, "reason", "", "why, for the platform's own people")
	_ = suspend.MarkFlagRequired("reason") // fails only where there is no such flag
	cmd.AddCommand(suspend)
	cmd.AddCommand(&cobra.Command{
		Use: "plan PLAN UNIQUE …", Short: "Put organisations on another plan, named in English; its fee holds for what is ordered from then on", Args: cobra.MinimumNArgs(2),
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			plan, err := planNamed(ctx, p, args[0])
			if err != nil {
				return err
			}
			return eachOrg(ctx, p, args[1:], func(o org.Org) error { return p.Services.Org.ChangePlan(ctx, o.ID, operator, plan) })
		}),
	})
	cmd.AddCommand(&cobra.Command{
		Use: "factor-off UNIQUE USERNAME", Short: "Switch the second factor of an account off, where nobody in its organisation can", Args: cobra.ExactArgs(2),
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			return eachOrg(ctx, p, args[:1], func(o org.Org) error {
				a, err := p.Services.Staff.Named(ctx, o.ID, args[1])
				if err != nil {
					return err
				}
				return p.DB.InOrg(ctx, o.ID, func(tx db.Tx) error {
					return secondfactor.Drop(ctx, tx, operator, secondfactor.Holder{Org: o.ID, Subject: a.ID})
				})
			})
		}),
	})
	cmd.AddCommand(&cobra.Command{
		Use: "resume UNIQUE …", Short: "Have suspended organisations sell again", Args: cobra.MinimumNArgs(1),
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			return eachOrg(ctx, p, args, func(o org.Org) error { return p.Services.Provisioning.Resume(ctx, o.ID, operator) })
		}),
	})
	return cmd
}

var errNoPlan = errors.New("no plan of this name can be chosen")

func planNamed(ctx context.Context, p *program.Program, name string) (uuid.UUID, error) {
	plans, err := p.Services.Orgs.Plans(ctx)
	if err != nil {
		return uuid.Nil, err
	}
	for _, plan := range plans {
		if plan.NameEN == name {
			return plan.ID, nil
		}
	}
	return uuid.Nil, fmt.Errorf("%w: %s", errNoPlan, name)
}

var (
	errAudit   = errors.New("the books do not balance")
	errRollups = errors.New("the figures are not a full count: welovevoucher rollup build")
	errLog     = errors.New("the audit log is not what was sealed")
	errCopies  = errors.New("the platform's copy is another, or a minute behind: welovevoucher overview build")
)

func auditCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "audit", Short: "Prove that everything adds up"}
	cmd.AddCommand(&cobra.Command{
		Use: "ledger [UNIQUE …]", Short: "Check the books of the named organisations, or of all",
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			bad := 0
			err := eachOrg(ctx, p, args, func(o org.Org) error {
				findings, err := order.KeepAudit(ctx, p.DB, o.ID)
				for _, f := range findings {
					fmt.Printf("%s: %s\n", o.Unique, f)
				}
				if bad += len(findings); len(findings) == 0 && err == nil {
					fmt.Printf("%s: the books balance\n", o.Unique)
				}
				return err
			})
			if err == nil && bad > 0 {
				return fmt.Errorf("%w: %d findings", errAudit, bad)
			}
			return err
		}),
	})
	cmd.AddCommand(&cobra.Command{
		Use: "log", Short: "Check that no sealed day of the platform's own audit log has changed; audit ledger checks those of organisations", Args: cobra.NoArgs,
		RunE: with(func(ctx context.Context, p *program.Program, _ []string) error {
			return p.DB.ReadInPlatform(ctx, func(tx db.Tx) error {
				broken, err := auditlog.CheckSeals(ctx, tx)
				if err != nil {
					return err
				}
				for _, b := range broken {
					fmt.Printf("%s %s\n", b.Day, b.Why)
				}
				if len(broken) > 0 {
					return fmt.Errorf("%w: %d days", errLog, len(broken))
				}
				fmt.Println("no sealed day has changed")
				return nil
			})
		}),
	})
	cmd.AddCommand(&cobra.Command{
		Use: "rollups [UNIQUE …]", Short: "Compare the figures of the named organisations, or of all, with a full count",
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			bad := 0
			err := eachOrg(ctx, p, args, func(o org.Org) error {
				return p.DB.InOrg(ctx, o.ID, func(tx db.Tx) error {
					findings, err := rollup.Audit(ctx, tx)
					for _, f := range findings {
						fmt.Printf("%s: %s\n", o.Unique, f)
					}
					if bad += len(findings); len(findings) == 0 && err == nil {
						fmt.Printf("%s: the figures are a full count\n", o.Unique)
					}
					return err
				})
			})
			if err == nil && bad > 0 {
				return fmt.Errorf("%w: %d findings", errRollups, bad)
			}
			return err
		}),
	})
	cmd.AddCommand(&cobra.Command{
		Use: "overview [UNIQUE …]", Short: "Compare the platform's copy of the figures of the named organisations, or of all, with theirs",
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			bad := 0
			err := eachOrg(ctx, p, args, func(o org.Org) error {
				days, err := p.Services.Overview.Audit(ctx, o.ID)
				for _, day := range days {
					fmt.Printf("%s: %s differs\n", o.Unique, day)
				}
				if bad += len(days); len(days) == 0 && err == nil {
					fmt.Printf("%s: the copy is the same\n", o.Unique)
				}
				return err
			})
			if err == nil && bad > 0 {
				return fmt.Errorf("%w: %d days", errCopies, bad)
			}
			return err
		}),
	})
	return cmd
}

func rollupCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "rollup", Short: "Figures by day and hour"}
	cmd.AddCommand(&cobra.Command{
		Use: "build [UNIQUE …]", Short: "Count the figures of the named organisations, or of all, anew while they sell",
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			return eachOrg(ctx, p, args, func(o org.Org) error {
				err := rollup.Build(ctx, p.DB, o.ID)
				if err == nil {
					fmt.Printf("%s: counted anew\n", o.Unique)
				}
				return err
			})
		}),
	})
	return cmd
}

func overviewCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "overview", Short: "Figures of all organisations together"}
	cmd.AddCommand(&cobra.Command{
		Use: "build [UNIQUE …]", Short: "Copy the figures of the named organisations, or of all, anew while they sell",
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			return eachOrg(ctx, p, args, func(o org.Org) error {
				if !o.Answers() {
					return nil
				}
				err := p.Services.Overview.Build(ctx, o.ID)
				if err == nil {
					fmt.Printf("%s: copied anew\n", o.Unique)
				}
				return err
			})
		}),
	})
	return cmd
}

// ownJobs stands for the platform in the place of an organisation.
const ownJobs = "platform"

// maxListed is how many jobs of one outbox are printed.
const maxListed = 1000

func jobCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "job", Short: "Jobs that do not get done"}
	list := func(ctx context.Context, of string) func(tx db.Tx) error {
		return func(tx db.Tx) error {
			jobs, err := queue.ReadUndone(ctx, tx, maxListed)
			for _, j := range jobs {
				fmt.Printf("%s\t%s\t%s\tdue %s\ttried %d times\t%s\n", of, j.ID, j.Kind, j.Due.Format(time.RFC3339), j.Attempts, j.LastError)
			}
			return err
		}
	}
	cmd.AddCommand(&cobra.Command{
		Use: "list [UNIQUE …]", Short: "List jobs that failed or are late, of the named organisations, or of all and of the platform", Args: cobra.ArbitraryArgs,
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			if len(args) == 0 {
				if err := p.DB.ReadInPlatform(ctx, list(ctx, ownJobs)); err != nil {
					return err
				}
			}
			return eachOrg(ctx, p, args, func(o org.Org) error { return p.DB.ReadInOrg(ctx, o.ID, list(ctx, o.Unique)) })
		}),
	})
	cmd.AddCommand(&cobra.Command{
		Use: "again UNIQUE|platform ID …", Short: "Have jobs that were given up be tried again", Args: cobra.MinimumNArgs(2),
		RunE: with(func(ctx context.Context, p *program.Program, args []string) error {
			var of *uuid.UUID
			if args[0] != ownJobs {
				o, err := p.Services.Orgs.ByUnique(ctx, args[0])
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				of = &o.ID
			}
			for _, text := range args[1:] {
				id, err := uuid.Parse(text)
				if err != nil {
					return fmt.Errorf("%s: %w", text, err)
				}
				if err := p.Services.Overview.RunAgain(ctx, operator, overview.ByJob{ID: id, Org: of}); err != nil {
					return fmt.Errorf("%s: %w", id, err)
				}
				fmt.Printf("%s is tried again\n", id)
			}
			return nil
		}),
	})
	return cmd
}

// eachOrg calls fn for the named organisations, or for every one that has a schema.
func eachOrg(ctx context.Context, p *program.Program, uniques []string, fn func(org.Org) error) error {
	if len(uniques) == 0 {
		return p.Services.Orgs.Each(ctx, fn)
	}
	for _, unique := range uniques {
		o, err := p.Services.Orgs.ByUnique(ctx, unique)
		if err != nil {
			return fmt.Errorf("%s: %w", unique, err)
		}
		if err := fn(o); err != nil {
			return fmt.Errorf("%s: %w", unique, err)
		}
	}
	return nil
}

func configCommand() *cobra.Command {
	return &cobra.Command{
		Use: "config", Short: "Print the configuration table", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			cmd.Println("| Variable | Default | Meaning |\n| --- | --- | --- |")
			for _, v := range config.Variables {
				cmd.Printf("| `%s` | %s | %s |\n", v.Name, v.Default, v.Meaning)
			}
		},
	}
}

func openapiCommand() *cobra.Command {
	return &cobra.Command{
		Use: "openapi", Short: "Print the description of the API (OpenAPI 3.1)", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			operations, err := api.Operations(fiber.New(), &tenants.Services{})
			if err != nil {
				return err
			}
			document, err := api.Document(operations)
			if err != nil {
				return err
			}
			_, err = os.Stdout.Write(document)
			return err
		},
	}
}

func modulesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "modules", Short: "Print the modules of which some call asks for a right, as TypeScript", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			operations, err := api.Operations(fiber.New(), &tenants.Services{})
			if err != nil {
				return err
			}
			letters := operations.Letters(access.OwnerLetters, token.Owner, token.Staff)
			for _, kind := range tenants.ApprovalKinds { // who answers a request needs its letter as well
				if !strings.Contains(letters[kind.Module], kind.Letter) {
					letters[kind.Module] += kind.Letter
				}
			}
			fmt.Println("// Made from the modules and the rights tables by `make generate`.")
			fmt.Println("/** Each module of which some call asks for a right: its group, its names, and the letters that do something. */")
			fmt.Println("export const modules = {")
			for _, m := range access.Modules() {
				if asked := letters[m.Name]; asked != "" {
					fmt.Printf("  %s: { group: %q, name_th: %q, name_en: %q, letters: %q },\n", m.Name, m.Group, m.TH, m.EN, asked)
				}
			}
			fmt.Println("} as const;")
			printAdministration(operations)
			return nil
		},
	}
}

func printAdministration(operations *rest.API) {
	letters, calls := operations.Letters(access.AdminLetters, token.Admin), operations.Calls(token.Admin)
	fmt.Println("/** Each module of the administration of which some call asks for a right: its names, and the letters that do something. */")
	fmt.Println("export const adminModules = {")
	for _, m := range org.AdminModules {
		fmt.Printf("  %s: { name_th: %q, name_en: %q, letters: %q },\n", m.Name, m.TH, m.EN, letters[m.Name])
	}
	fmt.Println("} as const;")
	fmt.Println("/** The right that a call of the administration asks for: a letter of a module. */")
	fmt.Println("export const adminCalls = {")
	for _, path := range slices.Sorted(maps.Keys(calls)) {
		fmt.Printf("  '%s': { module: %q, letter: %q },\n", path, calls[path].Module, calls[path].Letter)
	}
	fmt.Println("} as const;")
}

func faultsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "faults", Short: "Print every fault code as a TypeScript union", Args: cobra.NoArgs,
		Run: func(*cobra.Command, []string) {
			fmt.Println("// Made from the Go faults by `make generate`.\nexport type Fault =\n  | '" + strings.Join(fault.Codes(), "'\n  | '") + "';")
		},
	}
}
