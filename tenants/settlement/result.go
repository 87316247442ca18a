package settlement

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/money"
	"welovevoucher/platform/queue"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/payee"
)

// File is what the bank is sent of a run: a csv file, the same bytes each time (docs/payouts.md, The bank's file).
type File struct {
	Name string `json:"name"`
	Text string `json:"text" doc:"UTF-8 with a byte order mark"`
	Hash string `json:"sha256"`
}

// Said is what is said of one settlement.
type Said struct {
	ID      uuid.UUID `json:"id" doc:"Of the settlement"`
	Outcome string    `json:"outcome" enum:"paid,failed,returned" doc:"returned: the bank paid it, and it came back"`
	Day     string    `json:"day" format:"date"`
	Reason  string    `json:"reason" maxLength:"300" doc:"Needed unless it was paid; the organisation reads it"`
}

// ResultFile is what a bank answers to a run.
type ResultFile struct {
	ID   uuid.UUID `json:"id" doc:"Of the run"`
	Name string    `json:"name" minLength:"1" maxLength:"200"`
	Text string    `json:"text" maxLength:"2000000" doc:"csv with the columns reference, amount, outcome, day and reason (docs/payouts.md, The bank's answer)"`
}

const (
	toSend       = `SELECT reference, org_id, version_id, amount_satang FROM settlement WHERE run_id = $1 AND (sent_at IS NOT NULL OR state = 'booked') ORDER BY position`
	sendAll      = `UPDATE settlement SET state = 'sent', sent_at = $2 WHERE run_id = $1 AND state = 'booked'`
	markExport   = `UPDATE settlement_run SET state = 'exported', exported_at = $2, exported_by = $3, file_hash = $4 WHERE id = $1`
	referencesOf = `SELECT reference, id, amount_satang FROM settlement WHERE run_id = $1 AND booked_at IS NOT NULL`
	runOf        = `SELECT run_id FROM settlement WHERE id = $1`
	lockOne      = `SELECT state, reference, paid_on FROM settlement WHERE id = $1 AND booked_at IS NOT NULL FOR UPDATE`
	insertResult = `INSERT INTO settlement_result (id, settlement_id, outcome, day, reason, file_name, file_hash, answer, said_at, said_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	markPaid     = `UPDATE settlement SET state = 'paid', paid_on = $2, paid_at = $3, ended_at = $3 WHERE id = $1`
	markFailed   = `UPDATE settlement SET state = 'failed', ended_at = $2, reason = $3 WHERE id = $1`
	markReturned = `UPDATE settlement SET state = 'returned', ended_at = $2, reason = $3 WHERE id = $1`
)

// sentLine is a line of the bank's file.
type sentLine struct {
	Reference    string
	Org, Version uuid.UUID
	Amount       money.Amount
}

// Export makes the bank's file of a run that is booked, and takes it as handed over: from then on each settlement in it may be paid. Later it makes the same file again. It
// returns fault.Missing, ErrNotNow, ErrBooking, or ErrDayPassed after the pay day.
func (s *Service) Export(ctx context.Context, by auditlog.Actor, in ByRun) (f File, err error) {
	text, err := s.fileOf(ctx, in.ID)
	if err != nil {
		return f, err
	}
	hash := sha256.Sum256(text)
	return f, s.db.InPlatform(ctx, func(tx db.Tx) error {
		r, err := read(ctx, tx, lockRun, in.ID)
		if err != nil {
			return err
		}
		f = File{Name: fmt.Sprintf("settlement-%s-%s.csv", r.PayDay.Format(time.DateOnly), r.Number), Text: string(text), Hash: hex.EncodeToString(hash[:])}
		if r.FileHash != nil {
			if !bytes.Equal(hash[:], r.FileHash) {
				return errors.New("settlement: the file of a run is not what it was")
			}
			return done(ctx, tx, by, "export again", r.ID, nil)
		}
		if r.State != Approved {
			return ErrNotNow
		}
		if r.PayDay.Before(clock.Day(tx.Now)) {
			return ErrDayPassed
		}
		tx.Queue(sendAll, r.ID, tx.Now)
		tx.Queue(markExport, r.ID, tx.Now, by.ID, hash[:])
		return done(ctx, tx, by, "export", r.ID, map[string]string{"sha256": f.Hash})
	})
}

// fileOf returns the bytes of a run's file: of what was on its way when it was made first, or is now. It returns fault.Missing, ErrBooking or ErrNotNow.
func (s *Service) fileOf(ctx context.Context, id uuid.UUID) ([]byte, error) {
	var r run
	var list []sentLine
	err := s.db.ReadInPlatform(ctx, func(tx db.Tx) (err error) {
		if r, err = read(ctx, tx, runByID, id); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, toSend, id)
		if err != nil {
			return fmt.Errorf("settlements of run %s: %w", id, err)
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[sentLine])
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case r.State == Approved && r.Booked == nil:
		return nil, ErrBooking
	case len(list) == 0 || r.State != Approved && r.FileHash == nil:
		return nil, ErrNotNow
	}
	lines := make([]bankfile.Line, 0, len(list))
	for _, l := range list {
		var forms map[uuid.UUID]payee.Form
		err := s.db.ReadInOrg(ctx, l.Org, func(tx db.Tx) (err error) {
			forms, err = payee.FormsOf(ctx, tx, s.box, []uuid.UUID{l.Version})
			return err
		})
		if err != nil {
			return nil, err
		}
		form, ok := forms[l.Version]
		if !ok {
			return nil, fmt.Errorf("settlement %s: its account is gone", l.Reference)
		}
		lines = append(lines, bankfile.Line{Reference: l.Reference, Account: bank.Account{Bank: form.Bank, Number: form.Number, Name: form.AccountName}, Amount: l.Amount})
	}
	return bankfile.Write(lines, r.PayDay)
}

// Say takes in what a person says of one settlement. It returns a fault at a field, fault.Missing, ErrNotNow or ErrContradicts.
func (s *Service) Say(ctx context.Context, by auditlog.Actor, in Said) error {
	one, err := bankfile.Checked(in.ID, in.Outcome, in.Day, in.Reason, clock.Day(s.db.Now()))
	if err != nil {
		return err
	}
	var result bankfile.ReadResult
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		var of uuid.UUID
		if err := tx.QueryRow(ctx, runOf, in.ID).Scan(&of); errors.Is(err, pgx.ErrNoRows) {
			return fault.Missing
		} else if err != nil {
			return fmt.Errorf("run of settlement %s: %w", in.ID, err)
		}
		result, err = take(ctx, tx, by, of, []bankfile.Said{one}, "", nil)
		return err
	})
	if err == nil && len(result.Contradicts) > 0 {
		return ErrContradicts
	}
	return err
}

// ReadFile takes in what a bank answers. A file that was read before changes nothing; one of which a row is not of the run changes nothing at all. It returns
// bankfile.ErrNoFile, a fault at a column of a row, fault.Missing or ErrNotNow.
func (s *Service) ReadFile(ctx context.Context, by auditlog.Actor, in ResultFile) (result bankfile.ReadResult, err error) {
	rows, err := bankfile.Parse(in.Text)
	if err != nil {
		return result, err
	}
	hash := sha256.Sum256([]byte(in.Text))
	err = s.db.InPlatform(ctx, func(tx db.Tx) error {
		sent, err := sentOf(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		list, _, err := bankfile.Match(rows, sent, clock.Day(tx.Now))
		if err != nil {
			return err
		}
		result, err = take(ctx, tx, by, in.ID, list, in.Name, hash[:])
		return err
	})
	return result, err
}

// sentOf returns the settlements of a run that were booked, by their references.
func sentOf(ctx context.Context, tx db.Tx, id uuid.UUID) (map[string]bankfile.Payment, error) {
	rows, err := tx.Query(ctx, referencesOf, id)
	if err != nil {
		return nil, fmt.Errorf("settlements of run %s: %w", id, err)
	}
	sent := map[string]bankfile.Payment{}
	var reference string
	var one bankfile.Payment
	_, err = pgx.ForEachRow(rows, []any{&reference, &one.ID, &one.Net}, func() error {
		sent[reference] = one
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("settlements of run %s: %w", id, err)
	}
	return sent, nil
}

// take applies what is said of settlements of one run, in this order; a job has the books of their organisations follow.
func take(ctx context.Context, tx db.Tx, by auditlog.Actor, id uuid.UUID, list []bankfile.Said, file string, hash []byte) (result bankfile.ReadResult, err error) {
	result = bankfile.ReadResult{Rows: len(list), Contradicts: []string{}}
	r, err := read(ctx, tx, lockRun, id)
	if err != nil {
		return result, err
	}
	if r.Booked == nil {
		return result, ErrNotNow
	}
	for _, one := range list {
		var is bankfile.Standing
		var reference string
		var paidOn *time.Time
		err := tx.QueryRow(ctx, lockOne, one.ID).Scan(&is, &reference, &paidOn)
		if errors.Is(err, pgx.ErrNoRows) {
			return result, ErrNotNow
		}
		if err != nil {
			return result, fmt.Errorf("lock settlement %s: %w", one.ID, err)
		}
		path, sense := one.Path(is, paidOn)
		became := result.Count(reference, path, sense)
		tx.Queue(insertResult, db.NewID(), one.ID, one.Outcome, one.Day, one.Reason, file, hash, became, tx.Now, by.ID)
		for _, to := range path {
			switch to {
			case bankfile.Paid:
				tx.Queue(markPaid, one.ID, one.Day, tx.Now)
			case bankfile.Failed:
				tx.Queue(markFailed, one.ID, tx.Now, one.Reason)
			default:
				tx.Queue(markReturned, one.ID, tx.Now, one.Reason)
			}
		}
		if err := tx.Flush(ctx); err != nil {
			return result, err
		}
	}
	tx.Queue(endRun, r.ID, tx.Now)
	if err := queue.Enqueue(ctx, tx, WorkJob{}); err != nil {
		return result, err
	}
	return result, done(ctx, tx, by, "result", r.ID, map[string]any{"file": file, "rows": result.Rows, "applied": result.Applied, "contradicts": result.Contradicts})
}
