package provisioning

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"

	"welovevoucher/platform/db"
	"welovevoucher/platform/log"
	"welovevoucher/tenants/catalog"
	"welovevoucher/tenants/ledger"
	"welovevoucher/tenants/org"
	"welovevoucher/tenants/orgtemplate"
	"welovevoucher/tenants/staff"
)

// steps is everything that opening an organisation takes. Each may run twice and does nothing the second time.
var steps = []struct {
	name string
	run  func(s *Service, ctx context.Context, id uuid.UUID) (stepResult, error)
}{
	{"schema", (*Service).takeSchema},
	{"tables", (*Service).makeTables},
	{"rows", (*Service).seedRows},
	{"owner", (*Service).firstOwner},
	{"addresses", (*Service).addresses},
	{"live", (*Service).goLive},
}

// stepResult is what came of a step: a sentence for the admin, and what the platform's tables keep of it, which is written
// together with the step's end.
type stepResult struct {
	detail string
	keep   func(tx db.Tx) error
}

const (
	openSteps = `SELECT position FROM provision_step WHERE org_id = $1 AND state <> 'done' ORDER BY position`
	startStep = `UPDATE provision_step SET state = 'running', attempt = attempt + 1, started_at = $3, finished_at = NULL, detail = ''
		WHERE org_id = $1 AND position = $2`
	endStep = `UPDATE provision_step SET state = $3, detail = $4, finished_at = $5 WHERE org_id = $1 AND position = $2`
)

// Run opens an organisation: every step that is not done yet, in order. A step that fails is written down with a
// sentence for the admin, and the error is returned so that the job is tried again.
func (s *Service) Run(ctx context.Context, id uuid.UUID) error {
	var open []int
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, openSteps, id)
		if err != nil {
			return err
		}
		if open, err = pgx.CollectRows(rows, pgx.RowTo[int]); err != nil {
			return err
		}
		start(tx, id, open)
		return nil
	})
	if err != nil {
		return fmt.Errorf("steps of %s: %w", id, err)
	}
	for n, i := range open {
		if err := s.step(ctx, id, i, open[n+1:]); err != nil {
			return fmt.Errorf("provision %s: step %s: %w", id, steps[i].name, err)
		}
	}
	return nil
}

// start begins the first of the steps that are open.
func start(tx db.Tx, id uuid.UUID, open []int) {
	if len(open) > 0 {
		tx.Queue(startStep, id, open[0], tx.Now)
	}
}

// step runs one that was started, writes down what came of it, and with that starts the next.
func (s *Service) step(ctx context.Context, id uuid.UUID, i int, then []int) error {
	came, err := steps[i].run(s, ctx, id)
	if err == nil {
		err = s.db.InPlatform(ctx, func(tx db.Tx) error {
			if came.keep != nil {
				if err := came.keep(tx); err != nil {
					return err
				}
			}
			tx.Queue(endStep, id, i, "done", came.detail, tx.Now)
			start(tx, id, then)
			return nil
		})
	}
	if err == nil {
		return nil
	}
	log.From(ctx).Error("provisioning failed", zap.Stringer("org_id", id), zap.String("step", steps[i].name), zap.Error(err))
	// The cause may name hosts and addresses of the machine room.
	return errors.Join(err, s.exec(context.WithoutCancel(ctx), endStep, id, i, "failed", "see the log", s.db.Now()))
}

func (s *Service) exec(ctx context.Context, sql string, args ...any) error {
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	})
}

const (
	takeSpare = `DELETE FROM schema_pool WHERE schema_name = (
		SELECT schema_name FROM schema_pool WHERE node = (SELECT node FROM organisation WHERE id = $1)
		ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING schema_name, version`
	giveSchema = `UPDATE organisation SET schema_name = $2, schema_version = $3 WHERE id = $1 AND schema_name IS NULL`
	homeOf     = `SELECT coalesce(schema_name, ''), node, schema_version FROM organisation WHERE id = $1`
)

// takeSchema gives the organisation a spare schema, or the name of one to be made.
func (s *Service) takeSchema(ctx context.Context, id uuid.UUID) (stepResult, error) {
	return stepResult{keep: func(tx db.Tx) error {
		var home db.Placement
		var version int64
		if err := tx.QueryRow(ctx, homeOf, id).Scan(&home.Schema, &home.Node, &version); err != nil || home.Schema != "" {
			return err
		}
		err := tx.QueryRow(ctx, takeSpare, id).Scan(&home.Schema, &version)
		if errors.Is(err, pgx.ErrNoRows) {
			home.Schema, err = NewSchemaName(), nil
		}
		if err != nil {
			return err
		}
		tx.Queue(giveSchema, id, home.Schema, version)
		return nil
	}}, nil
}

// NewSchemaName makes the name of a schema and its role: t_ and twelve hex digits, never anybody's choice.
func NewSchemaName() string {
	b := make([]byte, 6)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return "t_" + hex.EncodeToString(b)
}

// makeTables makes what is missing of the schema; of a spare, that is what has been added since it was made.
func (s *Service) makeTables(ctx context.Context, id uuid.UUID) (came stepResult, err error) {
	if s.schemas == nil {
		return came, errNoSchemas
	}
	newest, err := s.schemas.TenantVersion()
	if err != nil {
		return came, err
	}
	var home db.Placement
	var version int64
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		return tx.QueryRow(ctx, homeOf, id).Scan(&home.Schema, &home.Node, &version)
	})
	if err != nil || version >= newest {
		return came, err
	}
	return came, s.migrate(ctx, id, home)
}

const (
	readOwner  = `SELECT first_owner FROM organisation WHERE id = $1`
	clearOwner = `UPDATE organisation SET first_owner = '{}' WHERE id = $1`
)

// seedRows makes what every organisation begins with: its accounts, its logo, and how it is paid.
func (s *Service) seedRows(ctx context.Context, id uuid.UUID) (came stepResult, err error) {
	owner, err := s.readOwner(ctx, id)
	if err != nil {
		return came, err
	}
	var keys PayInput
	if len(owner.Pay) > 0 {
		plain, err := s.box.Open(firstOwnerAAD(id), owner.Pay)
		if err != nil {
			return came, err
		}
		if err := json.Unmarshal(plain, &keys); err != nil {
			return came, fmt.Errorf("payment keys: %w", err)
		}
	}

	var begins orgtemplate.Beginning
	if t := owner.Template; t != nil {
		if begins, err = s.templates.Prepare(ctx, id, t.Version); err != nil {
			return came, err
		}
	}
	var collects system
	err = s.db.InOrg(ctx, id, func(tx db.Tx) error {
		if err := ledger.OpenSystemAccounts(ctx, tx); err != nil {
			return err
		}
		seedDefaults(tx)
		if owner.Logo != nil {
			if err := catalog.SavePicture(ctx, tx, owner.Logo.By, owner.Logo.Picture); err != nil {
				return err
			}
		}
		if t := owner.Template; t != nil {
			if err := orgtemplate.Begin(ctx, tx, t.By, begins); err != nil {
				return err
			}
		}
		collects, err = s.firstSystem(ctx, tx, keys)
		return err
	})
	if err != nil {
		return came, err
	}
	came.keep = func(tx db.Tx) error { return collects.choose(ctx, tx, id, collects.collector) }
	return came, nil
}

func (s *Service) readOwner(ctx context.Context, id uuid.UUID) (owner ownerSeed, err error) {
	err = s.db.InPlatform(ctx, func(tx db.Tx) error { return tx.QueryRow(ctx, readOwner, id).Scan(&owner) })
	return owner, err
}

// firstOwner makes the owner's account and forgets what it was made from.
func (s *Service) firstOwner(ctx context.Context, id uuid.UUID) (came stepResult, err error) {
	owner, err := s.readOwner(ctx, id)
	if err != nil || owner.Username == "" {
		return came, err
	}
	came.detail = owner.Username
	came.keep = func(tx db.Tx) error {
		tx.Queue(clearOwner, id)
		return nil
	}
	return came, s.db.InOrg(ctx, id, func(tx db.Tx) error {
		return staff.Add(ctx, tx, staff.Account{Username: owner.Username, Name: owner.Name, Role: staff.RoleAdminOwner}, owner.Hash)
	})
}

func (s *Service) addresses(ctx context.Context, id uuid.UUID) (came stepResult, err error) {
	came.detail, err = s.verifyHosts(ctx, id)
	return came, err
}

const goLive = `UPDATE organisation SET state = 'live', updated_at = $2 WHERE id = $1 AND state = 'provisioning'`

func (s *Service) goLive(_ context.Context, id uuid.UUID) (stepResult, error) {
	return stepResult{keep: func(tx db.Tx) error {
		tx.Queue(goLive, id, tx.Now)
		tx.Publish(org.Topic, id.String())
		return nil
	}}, nil
}
