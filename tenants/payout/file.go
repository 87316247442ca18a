package payout

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
	"welovevoucher/platform/money"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/bankfile"
	"welovevoucher/tenants/payee"
)

// File is what a bank is sent of a run: a csv file, the same bytes each time (docs/payouts.md, The bank's file).
type File struct {
	Name string `json:"name"`
	Text string `json:"text" doc:"UTF-8 with a byte order mark"`
	Hash string `json:"sha256"`
}

const (
	toSend     = `SELECT p.reference, coalesce(p.version_id, m.account_id), p.net_satang FROM payout p LEFT JOIN remittance m ON m.id = p.remittance_id WHERE p.run_id = $1 AND p.sent_at IS NOT NULL ORDER BY p.position`
	sendAll    = `UPDATE payout SET state = 'sent', sent_at = $2 WHERE run_id = $1 AND state = 'booked'`
	markExport = `UPDATE payout_run SET state = 'exported', exported_at = $2, exported_by = $3, file_hash = $4 WHERE id = $1`
)

// Export makes the bank's file of a run that is booked, and takes it as handed over: from then on each payout in it may be paid. What somebody said had failed
// or was paid before is not in it. Later it makes the same file
// again. It returns fault.Missing, ErrNotNow, ErrBooking, ErrDayPassed after the pay day, or ErrForgotten.
func (s *Service) Export(ctx context.Context, org uuid.UUID, who auditlog.Actor, id uuid.UUID) (f File, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		r, err := read(ctx, tx, lockRun, id)
		if err != nil {
			return err
		}
		again := r.FileHash != nil
		switch {
		case r.State == Approved && r.Booked == nil:
			return ErrBooking
		case r.State != Approved && !again:
			return ErrNotNow
		case !again && r.PayDay.Before(clock.Day(tx.Now)):
			return ErrDayPassed
		}
		if !again && r.Kind == Refunds {
			if err := r.sendRefunds(ctx, tx, who.ID); err != nil {
				return err
			}
		}
		if !again {
			tx.Queue(sendAll, r.ID, tx.Now)
		}
		text, err := s.bankFile(ctx, tx, r)
		if err != nil {
			return err
		}
		hash := sha256.Sum256(text)
		f = File{Name: fmt.Sprintf("payout-%s-%s.csv", r.PayDay.Format(time.DateOnly), r.Number), Text: string(text), Hash: hex.EncodeToString(hash[:])}
		if again {
			if !bytes.Equal(hash[:], r.FileHash) {
				return errors.New("payout: the file of a run is not what it was")
			}
			return changed(ctx, tx, who, "export again", r.ID, nil)
		}
		tx.Queue(markExport, r.ID, tx.Now, who.ID, hash[:])
		return changed(ctx, tx, who, "export", r.ID, map[string]string{"sha256": f.Hash})
	})
	return f, err
}

// bankFile returns the bytes of a run's file: of what was on its way when it was made first. It returns ErrNotNow if nothing was, or ErrForgotten if an account of it was erased.
func (s *Service) bankFile(ctx context.Context, tx db.Tx, r run) ([]byte, error) {
	rows, err := tx.Query(ctx, toSend, r.ID)
	if err != nil {
		return nil, fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	type line struct {
		Reference string
		Account   uuid.UUID // what accounts has it by
		Net       money.Amount
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[line])
	if err != nil {
		return nil, fmt.Errorf("payouts of run %s: %w", r.ID, err)
	}
	if len(list) == 0 {
		return nil, ErrNotNow
	}
	accounts, err := s.accounts(ctx, tx, r.Kind, db.Column(list, func(l line) uuid.UUID { return l.Account }))
	if err != nil {
		return nil, err
	}
	lines := make([]bankfile.Line, 0, len(list))
	for _, l := range list {
		a, ok := accounts[l.Account]
		if !ok {
			return nil, ErrForgotten
		}
		lines = append(lines, bankfile.Line{Reference: l.Reference, Account: a, Amount: l.Net})
	}
	return bankfile.Write(lines, r.PayDay)
}

// accounts returns the bank accounts that a run pays to: of payees by the versions that name them, of refunds by their own ids. It has none that was erased.
func (s *Service) accounts(ctx context.Context, tx db.Tx, of Kind, ids []uuid.UUID) (map[uuid.UUID]bank.Account, error) {
	all := map[uuid.UUID]bank.Account{}
	if of == Refunds {
		named, err := bank.ReadAll(ctx, tx, s.box, ids)
		for id, a := range named {
			if a.Number != "" {
				all[id] = a.Account
			}
		}
		return all, err
	}
	forms, err := payee.FormsOf(ctx, tx, s.box, ids)
	for id, f := range forms {
		all[id] = bank.Account{Bank: f.Bank, Number: f.Number, Name: f.AccountName}
	}
	return all, err
}
