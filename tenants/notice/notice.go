// Package notice sends events to a person's open screens. A notice is a job of the transaction that caused it. The dispatcher of the
// process that committed it sends it over the socket at once; the relay sends what no dispatcher did. A lost one costs a refresh, so it
// carries no truth of its own.
package notice

import (
	"context"

	"github.com/google/uuid"

	"welovevoucher/platform/db"
	"welovevoucher/platform/queue"
	"welovevoucher/platform/realtime"
	"welovevoucher/platform/token"
)

// Event is what a screen receives, as command_print.
type Event struct {
	Topic string     `json:"topic"` // wallet, topup, order, use, gift, offer, message, job
	ID    *uuid.UUID `json:"id,omitempty"`
	State string     `json:"state,omitempty"`
	Fault string     `json:"fault,omitempty"` // why staff cannot honour what a customer shows them
	Late  bool       `json:"late,omitempty"`
}

// Job is one notice on its way to one person of one audience.
type Job struct {
	Audience token.Audience `json:"audience"`
	Subject  uuid.UUID      `json:"subject"`
	Event    Event          `json:"print"`
}

// Kind names the job.
func (Job) Kind() string { return "notice" }

// Send puts a notice for one person into the transaction's outbox.
func Send(ctx context.Context, tx db.Tx, audience token.Audience, subject uuid.UUID, event Event) error {
	return queue.Enqueue(ctx, tx, Job{Audience: audience, Subject: subject, Event: event})
}

// Recipient is one of several people with his event, in the trace of what each did.
type Recipient struct {
	Subject uuid.UUID
	Event   Event
	Trace   string
}

// Jobs are the notices to several people, to be enqueued with what else their transaction leaves to do.
func Jobs(audience token.Audience, people []Recipient) []queue.TracedJob {
	return db.Column(people, func(to Recipient) queue.TracedJob {
		return queue.TracedJob{Job: Job{Audience: audience, Subject: to.Subject, Event: to.Event}, Trace: to.Trace}
	})
}

// TableUpdate goes to every open screen of the back office when a table has changed, as optionupdate.
type TableUpdate struct {
	Table string `json:"table"`
}

// Options is a TableUpdate with the list itself: id/name records of what is active, for who may see them.
type Options struct {
	Table string `json:"table"`
	Data  any    `json:"data"`
}

// Kind names the job.
func (TableUpdate) Kind() string { return "notice.update" }

// SendTableUpdate puts an update into the transaction's outbox.
func SendTableUpdate(ctx context.Context, tx db.Tx, table string) error {
	return queue.Enqueue(ctx, tx, TableUpdate{Table: table})
}

// AudienceRoom is where everybody of one audience listens.
func AudienceRoom(org uuid.UUID, audience token.Audience) string {
	return realtime.Room(org.String(), string(audience), "")
}

// ModuleRoom is the room of those of an audience who may see a module.
func ModuleRoom(org uuid.UUID, audience token.Audience, module string) string {
	return realtime.Room(org.String(), string(audience), "module:"+module)
}

// SubjectRoom is where a person of one audience listens. No other organisation's events ever go there.
func SubjectRoom(org uuid.UUID, audience token.Audience, subject uuid.UUID) string {
	return realtime.Room(org.String(), string(audience), subject.String())
}
