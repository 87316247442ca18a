package agent_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"welovevoucher/platform/auditlog"
	"welovevoucher/platform/clock"
	"welovevoucher/platform/db"
	"welovevoucher/platform/fault"
	"welovevoucher/platform/token"
	"welovevoucher/tenants/agent"
	"welovevoucher/tenants/bank"
	"welovevoucher/tenants/consent"
	"welovevoucher/tenants/payee"
	"welovevoucher/tenants/tenanttest"
)

// office is an organisation, an account that decides, and a type of agents.
type office struct {
	*tenanttest.World
	owner token.Session
	kind  uuid.UUID
	n     int // of applicants
}

func open(t *testing.T) *office {
	t.Helper()
	w := tenanttest.New(t)
	o := &office{World: w, owner: w.Owner(), kind: db.NewID()}
	o.Force(`INSERT INTO agent_type (id, name_th, name_en, rate_basis_points, matures, status, created_at, updated_at) VALUES ($1, 'ทั่วไป', 'Standard', 1000, 'use', 5, now(), now())`, o.kind)
	return o
}

func (o *office) by() auditlog.Actor {
	return auditlog.Actor{Kind: token.Owner, ID: o.owner.Subject, Request: "r"}
}

func his(who token.Session) auditlog.Actor {
	return auditlog.Actor{Kind: token.Agent, ID: who.Subject, Request: "r"}
}

// applicant makes a customer who is signed in to the agents' app.
func (o *office) applicant() token.Session {
	who := o.Customer(0)
	who.Audience = token.Agent
	o.n++
	return who
}

// formOf is a form that can be sent; each has a card, a number and an account of its own.
func (o *office) formOf() payee.Form {
	return payee.Form{
		Kind: payee.Person, FirstName: "วิภาดา", LastName: "กันทะวงศ์", Resident: true, IDCard: fmt.Sprintf("AA%06d", o.n), BirthDate: "1993-08-02", Mobile: fmt.Sprintf("0865%06d", o.n),
		Email: "wipada.k@example.com", Address: "45 หมู่ 3", Subdistrict: "ริมใต้", District: "แม่ริม", Province: "เชียงใหม่", Postcode: "50180", Nationality: "TH",
		Bank: "004", Number: fmt.Sprintf("0418%06d", o.n), AccountName: "น.ส. วิภาดา กันทะวงศ์",
	}
}

func picture(t *testing.T) *bytes.Reader {
	t.Helper()
	canvas := image.NewRGBA(image.Rect(0, 0, 400, 250))
	for x := range 400 {
		canvas.Set(x, x/2, color.White)
	}
	var file bytes.Buffer
	require.NoError(t, jpeg.Encode(&file, canvas, nil))
	return bytes.NewReader(file.Bytes())
}

// fills has somebody fill everything in, but send it.
func (o *office) fills(t *testing.T, who token.Session, form payee.Form) {
	t.Helper()
	ctx := t.Context()
	_, err := o.Applications.Save(ctx, who, his(who), form)
	require.NoError(t, err)
	for _, kind := range []string{payee.IDCardPicture, payee.BankPicture} {
		_, err := o.Applications.AddPicture(ctx, who, his(who), kind, picture(t))
		require.NoError(t, err)
	}
	_, err = o.Applications.SetVerified(ctx, who, his(who), form.Mobile)
	require.NoError(t, err)
}

// sends has somebody send a form, and returns its version.
func (o *office) sends(t *testing.T, who token.Session, form payee.Form) uuid.UUID {
	t.Helper()
	o.fills(t, who, form)
	a, err := o.Applications.Send(t.Context(), who, his(who))
	require.NoError(t, err)
	require.Equal(t, "pending", a.Sent.State)
	return a.Sent.ID
}

func (o *office) accept(version uuid.UUID, reason string) error {
	return o.Applications.Accept(context.Background(), o.Org, o.by(), agent.AcceptInput{Version: version, Type: &o.kind, Reason: reason})
}

func (o *office) refuse(version uuid.UUID, fields ...string) error {
	return o.Applications.Refuse(context.Background(), o.Org, o.by(), agent.RefuseInput{Version: version, Reason: "หน้าสมุดไม่ชัด", Fields: fields})
}

// approved makes somebody an agent whose form was approved.
func (o *office) approved(t *testing.T) (token.Session, payee.Form) {
	t.Helper()
	who := o.applicant()
	form := o.formOf()
	require.NoError(t, o.accept(o.sends(t, who, form), ""))
	return who, form
}

func (o *office) read(t *testing.T, who token.Session) agent.Application {
	t.Helper()
	a, err := o.Applications.Read(t.Context(), who)
	require.NoError(t, err)
	return a
}

func (o *office) idOf(who token.Session) (id uuid.UUID) {
	o.In(func(ctx context.Context, tx db.Tx) error {
		return tx.QueryRow(ctx, `SELECT coalesce((SELECT id FROM agent WHERE customer_id = $1), $1)`, who.Subject).Scan(&id)
	})
	return id
}

// in makes a customer in a state.
func (o *office) in(t *testing.T, state agent.State) token.Session {
	t.Helper()
	ctx := t.Context()
	switch state {
	case agent.Approved, agent.Suspended:
		who, _ := o.approved(t)
		if state == agent.Suspended {
			require.NoError(t, o.Applications.SetStatus(ctx, o.Org, o.by(), []uuid.UUID{o.idOf(who)}, 4))
		}
		return who
	}
	who := o.applicant()
	switch state {
	case agent.Draft:
		o.fills(t, who, o.formOf())
	case agent.Pending:
		o.sends(t, who, o.formOf())
	case agent.Refused:
		require.NoError(t, o.refuse(o.sends(t, who, o.formOf()), "picture_bank"))
	case agent.Left:
		o.fills(t, who, o.formOf())
		_, err := o.Applications.Leave(ctx, who, his(who))
		require.NoError(t, err)
	}
	return who
}

// TestStates tries every step in every state, as the table of the design has them.
func TestStates(t *testing.T) {
	o := open(t)
	ctx := t.Context()
	states := []agent.State{agent.Nobody, agent.Draft, agent.Pending, agent.Approved, agent.Refused, agent.Suspended, agent.Left}
	const no = agent.State("agent.not_now")
	status := map[agent.State]int16{agent.Draft: 1, agent.Pending: 1, agent.Approved: 5, agent.Refused: 3, agent.Suspended: 4, agent.Left: 2}

	// waiting is the version of somebody that waits, or any that is his.
	waiting := func(who token.Session) uuid.UUID {
		if a := o.read(t, who); a.Sent != nil {
			return a.Sent.ID
		}
		return uuid.New()
	}
	notFound := func(err error) error {
		if fault.From(err).Code == fault.Missing.Code {
			return agent.ErrNotNow
		}
		return err
	}
	steps := []struct {
		name string
		do   func(who token.Session) error
		to   [7]agent.State
	}{
		{
			"begin", func(who token.Session) error { _, err := o.Applications.Begin(ctx, who, his(who)); return err },
			[7]agent.State{agent.Draft, agent.Draft, no, agent.Approved, agent.Draft, agent.Suspended, agent.Draft},
		},
		{
			"mend", func(who token.Session) error {
				_, err := o.Applications.Save(ctx, who, his(who), o.formOf())
				return err
			},
			[7]agent.State{agent.Draft, agent.Draft, no, agent.Approved, agent.Draft, agent.Suspended, agent.Draft},
		},
		{
			"send", func(who token.Session) error { _, err := o.Applications.Send(ctx, who, his(who)); return err },
			[7]agent.State{no, agent.Pending, no, no, no, no, no},
		},
		{
			"take back", func(who token.Session) error { _, err := o.Applications.TakeBack(ctx, who, his(who)); return err },
			[7]agent.State{no, no, agent.Draft, no, no, no, no},
		},
		{
			"approve", func(who token.Session) error { return notFound(o.accept(waiting(who), "")) },
			[7]agent.State{no, no, agent.Approved, no, no, no, no},
		},
		{"approve early", func(who token.Session) error {
			return o.DB.InOrg(ctx, o.Org, func(tx db.Tx) error {
				_, err := agent.Approve(ctx, tx, o.owner.Subject, agent.ApproveInput{Customer: who.Subject, Type: o.kind})
				return err
			})
		}, [7]agent.State{agent.Approved, agent.Approved, no, no, agent.Approved, no, agent.Approved}},
		{
			"refuse", func(who token.Session) error { return notFound(o.refuse(waiting(who), "idcard")) },
			[7]agent.State{no, no, agent.Refused, no, no, no, no},
		},
		{"suspend", func(who token.Session) error {
			return notFound(o.Applications.SetStatus(ctx, o.Org, o.by(), []uuid.UUID{o.idOf(who)}, 4))
		}, [7]agent.State{no, no, no, agent.Suspended, no, no, no}},
		{"resume", func(who token.Session) error {
			return notFound(o.Applications.SetStatus(ctx, o.Org, o.by(), []uuid.UUID{o.idOf(who)}, 5))
		}, [7]agent.State{no, no, no, no, no, agent.Approved, no}},
		{
			"leave", func(who token.Session) error { _, err := o.Applications.Leave(ctx, who, his(who)); return err },
			[7]agent.State{no, agent.Left, agent.Left, agent.Left, no, agent.Left, no},
		},
		{
			"a new form is sent", func(who token.Session) error { o.again(t, who); return nil },
			[7]agent.State{"", "", "", agent.Approved, "", agent.Suspended, ""},
		},
		{
			"a new form is approved", func(who token.Session) error { return o.accept(o.again(t, who), "") },
			[7]agent.State{"", "", "", agent.Approved, "", agent.Suspended, ""},
		},
		{
			"a new form is refused", func(who token.Session) error { return o.refuse(o.again(t, who)) },
			[7]agent.State{"", "", "", agent.Approved, "", agent.Suspended, ""},
		},
	}
	for _, step := range steps {
		for i, state := range states {
			if step.to[i] == "" {
				continue
			}
			t.Run(fmt.Sprintf("%s, in %q", step.name, state), func(t *testing.T) {
				who := o.in(t, state)
				err := step.do(who)
				want := step.to[i]
				if want == no {
					require.ErrorIs(t, err, agent.ErrNotNow)
					want = state
				} else {
					require.NoError(t, err)
				}
				require.Equal(t, want, o.read(t, who).State)
				if want != agent.Nobody {
					require.EqualValues(t, status[want], o.Count(`SELECT status FROM agent WHERE customer_id = $1`, who.Subject))
				}
			})
		}
	}
}

// again has an agent send another form, with another account.
func (o *office) again(t *testing.T, who token.Session) uuid.UUID {
	t.Helper()
	o.n++
	return o.sends(t, who, o.formOf())
}

func TestSend(t *testing.T) {
	o := open(t)
	who := o.applicant()
	form := o.formOf()
	send := func(change func(f *payee.Form)) error {
		f := form
		change(&f)
		o.fills(t, who, f)
		_, err := o.Applications.Send(t.Context(), who, his(who))
		return err
	}
	fields := func(err error) []fault.Field { return fault.From(err).Fields }

	_, err := o.Applications.Save(t.Context(), who, his(who), payee.Form{Kind: payee.Person})
	require.NoError(t, err)
	_, err = o.Applications.Send(t.Context(), who, his(who))
	require.Greater(t, len(fields(err)), 15, "every field, both pictures and the number")
	require.Contains(t, fields(err), fault.Field{Path: "picture_idcard", Fault: fault.Required.Code})
	require.Contains(t, fields(err), fault.Field{Path: "picture_bank", Fault: fault.Required.Code})

	young := clock.Day(o.Clock.Now()).AddDate(-20, 0, 1).Format(time.DateOnly)
	require.Equal(t, []fault.Field{{Path: "birthdate", Fault: agent.ErrTooYoung.Code}}, fields(send(func(f *payee.Form) { f.BirthDate = young })))
	require.Equal(t, []fault.Field{{Path: "account_name", Fault: agent.ErrBankName.Code}}, fields(send(func(f *payee.Form) { f.AccountName = "วัชระ ทองใบ" })))
	require.Equal(t, []fault.Field{{Path: "account_number", Fault: bank.ErrNumber.Code}}, fields(send(func(f *payee.Form) { f.Number = "12345" })))
	require.Equal(t, []fault.Field{{Path: "referercode", Fault: agent.ErrRecruiter.Code}}, fields(send(func(f *payee.Form) { f.Recruiter = "NOBODY" })))

	t.Run("a number that changed after it was verified is not verified", func(t *testing.T) {
		o.fills(t, who, form)
		changed := form
		changed.Mobile = "0811111111"
		a, err := o.Applications.Save(t.Context(), who, his(who), changed)
		require.NoError(t, err)
		require.False(t, a.Draft.Verified)
		_, err = o.Applications.Send(t.Context(), who, his(who))
		require.Equal(t, []fault.Field{{Path: "mobilenumber", Fault: agent.ErrUnverified.Code}}, fields(err))
		_, err = o.Applications.SetVerified(t.Context(), who, his(who), form.Mobile)
		require.Equal(t, []fault.Field{{Path: "mobilenumber", Fault: agent.ErrUnverified.Code}}, fields(err))
	})

	t.Run("a number of nine digits is kept, and cannot be sent", func(t *testing.T) {
		short := form
		short.Mobile = "053123456"
		a, err := o.Applications.Save(t.Context(), who, his(who), short)
		require.NoError(t, err)
		require.Equal(t, "053123456", a.Draft.Form.Mobile)
		_, err = o.Applications.Send(t.Context(), who, his(who))
		require.Equal(t, []fault.Field{{Path: "mobilenumber", Fault: agent.ErrUnverified.Code}}, fields(err))
	})

	t.Run("nothing is sent before the texts for agents are agreed to", func(t *testing.T) {
		o.Text("terms", "agent")
		require.ErrorIs(t, send(func(*payee.Form) {}), consent.ErrMissing)
		open, err := o.Applications.Read(t.Context(), who)
		require.NoError(t, err)
		require.Equal(t, agent.Draft, open.State)
	})
}

func TestCompany(t *testing.T) {
	o := open(t)
	who := o.applicant()
	form := o.formOf()
	form.Kind, form.Company, form.TaxID, form.Branch, form.AccountName, form.VATRegistered = payee.Company, "บริษัท ฟ้าเหนือทัวร์ จำกัด", "0105561000003", "00000", "บจก.ฟ้าเหนือทัวร์", true
	require.NoError(t, o.accept(o.sends(t, who, form), ""))
	known := o.read(t, who).Known
	require.Equal(t, "บริษัท ฟ้าเหนือทัวร์ จำกัด", known.Name)
	require.Equal(t, "0003", known.Identity)
}

func TestAccept(t *testing.T) {
	o := open(t)
	first, form := o.approved(t)

	t.Run("another agent's card is refused, whatever the reason", func(t *testing.T) {
		who := o.applicant()
		f := o.formOf()
		f.IDCard = form.IDCard
		v := o.sends(t, who, f)
		err := o.accept(v, "พี่น้องกัน")
		require.ErrorIs(t, err, agent.ErrDuplicate)
		require.Equal(t, "identity", fault.From(err).Detail.(agent.Duplicate).What)
	})

	for what, change := range map[string]func(f *payee.Form){
		"account": func(f *payee.Form) { f.Bank, f.Number = form.Bank, form.Number },
		"mobile":  func(f *payee.Form) { f.Mobile = form.Mobile },
	} {
		t.Run("another agent's "+what+" needs a reason", func(t *testing.T) {
			who := o.applicant()
			f := o.formOf()
			change(&f)
			v := o.sends(t, who, f)
			err := o.accept(v, " ")
			require.ErrorIs(t, err, agent.ErrDuplicate)
			require.True(t, fault.From(err).Detail.(agent.Duplicate).Reason)
			queue, err := o.Applications.Queue(t.Context(), o.Org)
			require.NoError(t, err)
			require.Equal(t, []string{what}, queue.Data[len(queue.Data)-1].Same)
			record, err := o.Applications.Record(t.Context(), o.Org, o.owner.Subject, o.idOf(who))
			require.NoError(t, err)
			require.Equal(t, o.idOf(first), record.Sent[0].Same[0].Agent)
			require.NoError(t, o.accept(v, "สามีภรรยา ใช้ร่วมกัน"))
		})
	}

	t.Run("nobody approves himself", func(t *testing.T) {
		who := o.applicant()
		v := o.sends(t, who, o.formOf())
		o.Force(`UPDATE staff SET line_sub = (SELECT line_sub FROM customer WHERE id = $2) WHERE id = $1`, o.owner.Subject, who.Subject)
		require.ErrorIs(t, o.accept(v, ""), agent.ErrSelf)
		record, err := o.Applications.Record(t.Context(), o.Org, o.owner.Subject, o.idOf(who))
		require.NoError(t, err)
		require.True(t, record.Own)
		o.Force(`UPDATE staff SET line_sub = NULL WHERE id = $1`, o.owner.Subject)
	})

	t.Run("the type has to be active", func(t *testing.T) {
		v := o.sends(t, o.applicant(), o.formOf())
		other := uuid.New()
		require.ErrorIs(t, o.Applications.Accept(t.Context(), o.Org, o.by(), agent.AcceptInput{Version: v, Type: &other}), agent.ErrTypeNotFound)
		err := o.Applications.Accept(t.Context(), o.Org, o.by(), agent.AcceptInput{Version: v})
		require.Equal(t, []fault.Field{{Path: "agent_type_id", Fault: fault.Required.Code}}, fault.From(err).Fields)
	})

	t.Run("who recruited him is named at approval, for ever", func(t *testing.T) {
		code := ""
		o.In(func(ctx context.Context, tx db.Tx) error {
			return tx.QueryRow(ctx, `SELECT upper(refer_code) FROM customer WHERE id = $1`, first.Subject).Scan(&code)
		})
		o.Force(`UPDATE customer SET refer_code = $2 WHERE id = $1`, first.Subject, "TJ219")
		who := o.applicant()
		f := o.formOf()
		f.Recruiter = "tj219"
		name, err := o.Applications.Recruiter(t.Context(), who, agent.RecruiterInput{Code: "tj219"})
		require.NoError(t, err)
		require.Equal(t, "แอน", name.Name)
		require.NoError(t, o.accept(o.sends(t, who, f), ""))
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM agent WHERE id = $1 AND recruiter_id = $2`, o.idOf(who), o.idOf(first)))
		o.n++
		again := o.formOf()
		require.NoError(t, o.accept(o.sends(t, who, again), ""))
		require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM agent WHERE id = $1 AND recruiter_id = $2`, o.idOf(who), o.idOf(first)))
		_, err = o.Applications.Recruiter(t.Context(), first, agent.RecruiterInput{Code: "tj219"})
		require.Equal(t, []fault.Field{{Path: "referercode", Fault: agent.ErrRecruiter.Code}}, fault.From(err).Fields, "nobody recruits himself")
	})
}

// TestTwoApprovals: of two approvals of one card at once, one is refused.
func TestTwoApprovals(t *testing.T) {
	o := open(t)
	var versions []uuid.UUID
	card := ""
	for range 2 {
		who := o.applicant()
		f := o.formOf()
		if card == "" {
			card = f.IDCard
		}
		f.IDCard = card
		versions = append(versions, o.sends(t, who, f))
	}
	answers := make(chan error, len(versions))
	for _, v := range versions {
		go func() { answers <- o.accept(v, "") }()
	}
	refused := 0
	for range versions {
		if err := <-answers; err != nil {
			require.ErrorIs(t, err, agent.ErrDuplicate)
			refused++
		}
	}
	require.Equal(t, 1, refused)
}

func TestNewAccount(t *testing.T) {
	o := open(t)
	who, form := o.approved(t)
	today := clock.Day(o.Clock.Now())
	require.Equal(t, today.Format(time.DateOnly), *o.read(t, who).Known.PaysFrom, "the first is paid to at once")

	moved := form
	moved.Address = "46 หมู่ 3"
	require.NoError(t, o.accept(o.sends(t, who, moved), ""))
	require.Equal(t, today.Format(time.DateOnly), *o.read(t, who).Known.PaysFrom, "the account is the same")

	moved.AccountName = "วิภาดา กันทะวงศ์"
	require.NoError(t, o.accept(o.sends(t, who, moved), ""))
	require.Equal(t, today.AddDate(0, 0, 7).Format(time.DateOnly), *o.read(t, who).Known.PaysFrom)
	o.Clock.Advance(24 * time.Hour)
	moved.Address = "47 หมู่ 3"
	require.NoError(t, o.accept(o.sends(t, who, moved), ""))
	require.Equal(t, today.AddDate(0, 0, 7).Format(time.DateOnly), *o.read(t, who).Known.PaysFrom, "another form of the new account does not end the wait for it")
	require.EqualValues(t, 3, o.Count(`SELECT count(*) FROM message WHERE customer_id = $1 AND kind = 'agent_changed'`, who.Subject))
	require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM message WHERE customer_id = $1 AND kind = 'agent_approved'`, who.Subject))
}

func TestRefuse(t *testing.T) {
	o := open(t)
	who := o.applicant()
	form := o.formOf()
	v := o.sends(t, who, form)
	require.Equal(t, []fault.Field{{Path: "fields.0", Fault: fault.NotInList.Code}}, fault.From(o.refuse(v, "password")).Fields)
	require.NoError(t, o.refuse(v, "picture_bank"))

	a := o.read(t, who)
	require.Equal(t, "หน้าสมุดไม่ชัด", a.Sent.Reason)
	require.Equal(t, []string{"picture_bank"}, a.Draft.Mend)
	require.True(t, a.Draft.Verified, "what was right stays")
	_, err := o.Applications.AddPicture(t.Context(), who, his(who), payee.BankPicture, picture(t))
	require.NoError(t, err)
	a, err = o.Applications.Send(t.Context(), who, his(who))
	require.NoError(t, err)
	require.Equal(t, agent.Pending, a.State)
	require.NoError(t, o.accept(a.Sent.ID, ""))
}

func TestLapse(t *testing.T) {
	o := open(t)
	who := o.applicant()
	o.sends(t, who, o.formOf())
	lapse := func() {
		o.In(func(ctx context.Context, tx db.Tx) error { return o.Applications.Lapse(ctx, tx) })
		require.NoError(t, o.Album.DeleteDropped(t.Context(), o.Org))
	}
	objects := func() int {
		list, err := o.Objects.List(t.Context(), o.Org.String())
		require.NoError(t, err)
		return len(list)
	}
	o.Clock.Advance(29 * 24 * time.Hour)
	lapse()
	require.Equal(t, agent.Pending, o.read(t, who).State)
	o.Clock.Advance(25 * time.Hour)
	lapse()
	a := o.read(t, who)
	require.Equal(t, agent.Refused, a.State)
	require.True(t, a.Sent.Lapsed)
	require.Equal(t, 2, objects())

	o.Clock.Advance(31 * 24 * time.Hour)
	lapse()
	a = o.read(t, who)
	require.Nil(t, a.Draft, "what was refused is kept for thirty days")
	require.Empty(t, a.Sent.Name)
	require.Zero(t, objects())
	require.Zero(t, o.Count(`SELECT count(*) FROM payee_picture`))
}

func TestPictures(t *testing.T) {
	o := open(t)
	who := o.applicant()
	o.fills(t, who, o.formOf())
	id := *o.read(t, who).Draft.Pictures.IDCard

	t.Run("an object is encrypted, and lies where no page leads", func(t *testing.T) {
		list, err := o.Objects.List(t.Context(), o.Org.String())
		require.NoError(t, err)
		require.Len(t, list, 2)
		for _, object := range list {
			require.Regexp(t, `^[0-9a-f-]{36}/private/[0-9a-f-]{36}$`, object.Key)
			body, _, err := o.Objects.Get(t.Context(), object.Key)
			require.NoError(t, err)
			var text bytes.Buffer
			_, err = text.ReadFrom(body)
			require.NoError(t, err)
			require.NoError(t, body.Close())
			require.NotContains(t, text.String(), "\xff\xd8\xff")
		}
	})

	t.Run("the applicant sees his own, and nobody else's", func(t *testing.T) {
		own, err := o.Applications.Picture(t.Context(), who, id)
		require.NoError(t, err)
		_, err = jpeg.Decode(bytes.NewReader(own))
		require.NoError(t, err)
		other := o.applicant()
		_, err = o.Applications.Picture(t.Context(), other, id)
		require.ErrorIs(t, err, fault.Missing)
		o.fills(t, other, o.formOf())
		_, err = o.Applications.Picture(t.Context(), other, id)
		require.ErrorIs(t, err, fault.Missing)
	})

	t.Run("the office sees what was sent, and each look is written down", func(t *testing.T) {
		_, err := o.Applications.SeePicture(t.Context(), o.Org, o.by(), id)
		require.ErrorIs(t, err, fault.Missing, "it was not sent yet")
		_, err = o.Applications.Send(t.Context(), who, his(who))
		require.NoError(t, err)
		for range 2 {
			_, err = o.Applications.SeePicture(t.Context(), o.Org, o.by(), id)
			require.NoError(t, err)
		}
		require.EqualValues(t, 2, o.Count(`SELECT count(*) FROM audit_log WHERE action = 'see' AND object = $1`, "payee_picture/"+id.String()))
	})

	t.Run("what is no picture is refused", func(t *testing.T) {
		other := o.applicant()
		_, err := o.Applications.AddPicture(t.Context(), other, his(other), payee.IDCardPicture, bytes.NewReader([]byte("<svg/>")))
		require.Equal(t, "picture.unsupported", fault.From(err).Code)
	})
}

func TestWhole(t *testing.T) {
	o := open(t)
	who := o.applicant()
	form := o.formOf()
	v := o.sends(t, who, form)
	whole, err := o.Applications.Whole(t.Context(), o.Org, o.by(), agent.WholeInput{Version: v, Reason: "ตรวจกับกรมสรรพากร"})
	require.NoError(t, err)
	require.Equal(t, form.Tidy(), whole)
	require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM audit_log WHERE action = 'see' AND object = $1 AND after ->> 'reason' = 'ตรวจกับกรมสรรพากร'`, "payee_version/"+v.String()))
	record, err := o.Applications.Record(t.Context(), o.Org, o.owner.Subject, o.idOf(who))
	require.NoError(t, err)
	require.Equal(t, form.IDCard[len(form.IDCard)-4:], record.Sent[0].Identity)
	require.NotContains(t, fmt.Sprintf("%+v", record), form.IDCard)
	require.NotContains(t, fmt.Sprintf("%+v", record), form.Number)
	require.NotContains(t, fmt.Sprintf("%+v", record), form.Mobile)
	for _, column := range []string{"form::text", "after::text"} {
		table := map[string]string{"form::text": "payee_version", "after::text": "audit_log"}[column]
		require.Zero(t, o.Count(`SELECT count(*) FROM `+table+` WHERE `+column+` LIKE '%' || $1 || '%'`, form.IDCard))
	}
}

func TestType(t *testing.T) {
	o := open(t)
	who, _ := o.approved(t)
	other := db.NewID()
	o.Force(`INSERT INTO agent_type (id, name_th, name_en, rate_basis_points, matures, status, created_at, updated_at) VALUES ($1, 'พิเศษ', 'Special', 2000, 'use', 5, now(), now())`, other)
	set := func(id, kind uuid.UUID) error {
		return o.Applications.SetType(t.Context(), o.Org, o.by(), agent.TypeInput{Agent: id, Type: kind})
	}
	require.NoError(t, set(o.idOf(who), other))
	require.EqualValues(t, 1, o.Count(`SELECT count(*) FROM agent WHERE id = $1 AND agent_type_id = $2`, o.idOf(who), other))
	require.ErrorIs(t, set(o.idOf(who), uuid.New()), agent.ErrTypeNotFound)
	require.ErrorIs(t, set(uuid.New(), other), fault.Missing)
	require.ErrorIs(t, set(o.idOf(o.in(t, agent.Pending)), other), agent.ErrNotNow)
}
