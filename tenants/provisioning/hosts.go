package provisioning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/tenants/org"
)

// Faults of an organisation's addresses.
var (
	ErrHostUnverified = fault.New(fault.Conflict, "org.host_unverified", "The DNS of this host does not show this organisation's record yet")
	ErrHostLast       = fault.New(fault.Conflict, "org.host_last", "This is the only address of this organisation")
)

// Host is an address of an organisation. Outside of the platform's domain it is used once its DNS has the TXT record.
type Host struct {
	Host      string `json:"host"`
	Canonical bool   `json:"canonical" doc:"The address that links lead to"`
	Verified  bool   `json:"verified"`
	Record    string `json:"record" doc:"Name of the TXT record that proves it; empty where none is needed any more"`
	Value     string `json:"value" doc:"What the record holds"`
}

const (
	hostsOf    = `SELECT host, canonical, verified_at IS NOT NULL FROM host WHERE org_id = $1 ORDER BY canonical DESC, host`
	hostTaken  = `SELECT EXISTS (SELECT FROM host WHERE host = $1 AND org_id <> $2 AND verified_at IS NOT NULL)`
	insertHost = `INSERT INTO host (host, org_id, canonical, verified_at) VALUES ($1, $2, $3, $4) ON CONFLICT (host, org_id) DO NOTHING`

	openHosts     = `SELECT host FROM host WHERE org_id = $1 AND verified_at IS NULL ORDER BY host`
	verifyHost    = `UPDATE host SET verified_at = $3 WHERE host = $1 AND org_id = $2 AND verified_at IS NULL`
	lockHosts     = `SELECT host, canonical, verified_at IS NOT NULL FROM host WHERE org_id = $1 ORDER BY canonical DESC, host FOR UPDATE`
	makeCanonical = `UPDATE host SET canonical = (host = $2) WHERE org_id = $1`
	dropHost      = `DELETE FROM host WHERE org_id = $1 AND host = $2`
	hostCount     = `SELECT count(*) FROM host WHERE org_id = $1`
)

const (
	maxHosts     = 20
	recordPrefix = "_voucher-verify."
)

// hosts are the admin's, and always the one below the platform's own domain; the first is canonical.
func (s *Service) hosts(in NewOrg) []string {
	var hosts []string
	for _, host := range append(in.Hosts, in.Unique+"."+s.domain) {
		if host = org.CleanHost(host); !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// platforms says whether a host is below the platform's own domain.
func (s *Service) platforms(host string) bool { return strings.HasSuffix(host, "."+s.domain) }

// writeHost gives an organisation a host below the platform's domain at once. Another may be written down by anybody: it
// belongs to the organisation whose record its DNS shows. It returns ErrHostTaken for a host that has proved another's.
func (s *Service) writeHost(ctx context.Context, tx db.Tx, id uuid.UUID, host string, canonical bool) error {
	var taken bool
	if err := tx.QueryRow(ctx, hostTaken, host, id).Scan(&taken); err != nil {
		return err
	}
	if taken {
		return ErrHostTaken
	}
	verified := &tx.Now
	if !s.platforms(host) {
		verified = nil
	}
	_, err := tx.Exec(ctx, insertHost, host, id, canonical, verified)
	if db.IsUnique(err, "host_verified") {
		return ErrHostTaken
	}
	return err
}

func (s *Service) readHosts(ctx context.Context, tx db.Tx, sql string, id uuid.UUID) ([]Host, error) {
	rows, err := tx.Query(ctx, sql, id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (h Host, err error) {
		if err = row.Scan(&h.Host, &h.Canonical, &h.Verified); err == nil && !h.Verified {
			h.Record, h.Value = recordPrefix+h.Host, id.String()
		}
		return h, err
	})
}

// AddHost writes an address down. It returns fault.BadInput with the field, or org.ErrNotFound.
func (s *Service) AddHost(ctx context.Context, id uuid.UUID, who auditlog.Actor, host string) error {
	host = org.CleanHost(host)
	if !org.HostForm.MatchString(host) || host == s.domain {
		return fault.At("host", fault.WrongFormat)
	}
	if _, err := s.directory.ByID(ctx, id); err != nil {
		return err
	}
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		var have int
		if err := tx.QueryRow(ctx, hostCount, id).Scan(&have); err != nil {
			return err
		}
		if have >= maxHosts {
			return fault.At("host", fault.TooBig)
		}
		if err := s.writeHost(ctx, tx, id, host, false); err != nil {
			return err
		}
		tx.Publish(org.Topic, id.String())
		return auditlog.Record(ctx, tx, who, "add_host", "organisation/"+id.String(), nil, map[string]string{"host": host})
	})
	if errors.Is(err, ErrHostTaken) {
		return fault.At("host", ErrHostTaken)
	}
	return err
}

// VerifyHost looks for a host's record now, when the admin has just set it. It returns ErrHostUnverified while it is not
// there, and org.ErrNotFound for a host that is not the organisation's.
func (s *Service) VerifyHost(ctx context.Context, id uuid.UUID, who auditlog.Actor, host string) error {
	var found Host
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		hosts, err := s.readHosts(ctx, tx, hostsOf, id)
		if err != nil {
			return err
		}
		found, err = named(hosts, host)
		return err
	})
	if err != nil || found.Verified {
		return err
	}
	proved, err := s.proveHost(ctx, found.Host, id)
	if err != nil {
		return err
	}
	if !proved {
		return ErrHostUnverified
	}
	return s.db.InPlatform(ctx, func(tx db.Tx) error {
		return auditlog.Record(ctx, tx, who, "verify_host", "organisation/"+id.String(), nil, map[string]string{"host": found.Host})
	})
}

func named(hosts []Host, host string) (Host, error) {
	i := slices.IndexFunc(hosts, func(h Host) bool { return h.Host == org.CleanHost(host) })
	if i < 0 {
		return Host{}, org.ErrNotFound
	}
	return hosts[i], nil
}

// CanonicalHost makes a verified host the one that links lead to. It returns ErrHostUnverified or org.ErrNotFound.
func (s *Service) CanonicalHost(ctx context.Context, id uuid.UUID, who auditlog.Actor, host string) error {
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		hosts, err := s.readHosts(ctx, tx, lockHosts, id)
		if err != nil {
			return err
		}
		found, err := named(hosts, host)
		switch {
		case err != nil:
			return err
		case !found.Verified:
			return ErrHostUnverified
		case found.Canonical:
			return nil
		}
		if _, err := tx.Exec(ctx, makeCanonical, id, found.Host); err != nil {
			return err
		}
		tx.Publish(org.Topic, id.String())
		return auditlog.Record(ctx, tx, who, "canonical_host", "organisation/"+id.String(), canonical(hosts), map[string]string{"host": found.Host})
	})
	return err
}

func canonical(hosts []Host) map[string]string {
	for _, h := range hosts {
		if h.Canonical {
			return map[string]string{"host": h.Host}
		}
	}
	return nil
}

// RemoveHost takes an address away; of the last one that can be reached it returns ErrHostLast. Links then lead to
// another.
func (s *Service) RemoveHost(ctx context.Context, id uuid.UUID, who auditlog.Actor, host string) error {
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		hosts, err := s.readHosts(ctx, tx, lockHosts, id)
		if err != nil {
			return err
		}
		found, err := named(hosts, host)
		if err != nil {
			return err
		}
		next := slices.IndexFunc(hosts, func(h Host) bool { return h.Verified && h.Host != found.Host })
		if found.Verified && next < 0 {
			return ErrHostLast
		}
		if _, err := tx.Exec(ctx, dropHost, id, found.Host); err != nil {
			return err
		}
		tx.Publish(org.Topic, id.String())
		if found.Canonical && next >= 0 {
			if _, err := tx.Exec(ctx, makeCanonical, id, hosts[next].Host); err != nil {
				return err
			}
		}
		return auditlog.Record(ctx, tx, who, "remove_host", "organisation/"+id.String(), map[string]string{"host": found.Host}, nil)
	})
	return err
}

// verifyHosts believes hosts below the platform's domain, and others when their DNS says so: a TXT record
// _voucher-verify.<host> with the organisation's id. The site itself is never fetched. It returns the
// hosts that wait for their record.
func (s *Service) verifyHosts(ctx context.Context, id uuid.UUID) (string, error) {
	var hosts []string
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, openHosts, id)
		if err != nil {
			return err
		}
		hosts, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		return "", err
	}

	var waiting []string
	for _, host := range hosts {
		proved, err := s.proveHost(ctx, host, id)
		if err != nil {
			return "", err
		}
		if !proved {
			waiting = append(waiting, host)
		}
	}
	return strings.Join(waiting, ", "), nil
}

// proveHost verifies one host if its DNS shows the organisation's record. Of two that wrote it down, the first to prove it
// has it.
func (s *Service) proveHost(ctx context.Context, host string, id uuid.UUID) (bool, error) {
	if !s.platforms(host) && !s.proven(ctx, host, id) {
		return false, nil
	}
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		tag, err := tx.Exec(ctx, verifyHost, host, id, tx.Now)
		if tag.RowsAffected() > 0 {
			tx.Publish(org.Topic, id.String())
		}
		return err
	})
	if db.IsUnique(err, "host_verified") {
		return false, nil
	}
	return err == nil, err
}

const (
	orgsWaiting = `SELECT DISTINCT h.org_id FROM host h JOIN organisation o ON o.id = h.org_id
		WHERE h.verified_at IS NULL AND o.state = 'live' ORDER BY h.org_id`
	setDetail = `UPDATE provision_step SET detail = $3 WHERE org_id = $1 AND name = $2`
)

// VerifyPendingHosts looks again for the records of hosts that had none when their organisation was opened: people set them
// afterwards, when the administration has shown them what to set.
func (s *Service) VerifyPendingHosts(ctx context.Context) error {
	var waiting []uuid.UUID
	err := s.db.InPlatform(ctx, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, orgsWaiting)
		if err != nil {
			return err
		}
		waiting, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		return err
	})
	if err != nil {
		return fmt.Errorf("hosts that wait for their DNS: %w", err)
	}
	for _, id := range waiting {
		detail, err := s.verifyHosts(ctx, id)
		if err != nil {
			return fmt.Errorf("verify the hosts of %s: %w", id, err)
		}
		if err := s.exec(ctx, setDetail, id, "addresses", detail); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) proven(ctx context.Context, host string, id uuid.UUID) bool {
	records, err := s.lookup(ctx, recordPrefix+host)
	if err != nil {
		return false // not there yet; the admin sees what to set
	}
	return slices.Contains(records, id.String())
}
