package optionlist

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"welovevoucher/platform/db"
	"welovevoucher/platform/resource"
)

// Question is a question that customers ask, with the organisation's answer. As in every list the question is its name.
type Question struct {
	resource.Base
	NameTH   string `json:"name_th" minLength:"1" maxLength:"200" doc:"The question"`
	NameEN   string `json:"name_en" maxLength:"200"`
	AnswerTH string `json:"answer_th" minLength:"1" maxLength:"4000"`
	AnswerEN string `json:"answer_en" maxLength:"4000"`
	Position int32  `json:"position" minimum:"0" maximum:"9999" doc:"Order on the customers' page, smallest first"`
}

// Questions is the table faq.
var Questions = resource.New(resource.Def[Question]{
	Name: "faq", Module: "setting", Relation: "faq", AtMost: 1000, HasStatus: true, InitialStatus: resource.Active, Sort: "position",
	Columns: []resource.Column{
		{Name: "name_th", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "คำถาม (ไทย)", EN: "Question (Thai)"},
		{Name: "name_en", Can: resource.Search | resource.Sort | resource.Lookup | resource.Write, TH: "คำถาม (อังกฤษ)", EN: "Question (English)"},
		{Name: "answer_th", Can: resource.Search | resource.Write, TH: "คำตอบ (ไทย)", EN: "Answer (Thai)"},
		{Name: "answer_en", Can: resource.Search | resource.Write, TH: "คำตอบ (อังกฤษ)", EN: "Answer (English)"},
		{Name: "position", Can: resource.Sort | resource.Lookup | resource.Write, TH: "ลำดับ", EN: "Position"},
	},
})

// PublicQuestion is a question as customers read it.
type PublicQuestion struct {
	ID       uuid.UUID `json:"id"`
	NameTH   string    `json:"name_th" doc:"The question"`
	NameEN   string    `json:"name_en"`
	AnswerTH string    `json:"answer_th"`
	AnswerEN string    `json:"answer_en"`
}

// Service shows customers what concerns them.
type Service struct{ db *db.DB }

// New makes the service.
func New(d *db.DB) *Service { return &Service{db: d} }

// Two hundred are more than anybody reads.
const activeQuestions = `SELECT id, name_th, name_en, answer_th, answer_en FROM faq WHERE status = 5 ORDER BY position, id LIMIT 200`

// ListQuestions lists the organisation's active questions in its own order.
func (s *Service) ListQuestions(ctx context.Context, org uuid.UUID) (questions []PublicQuestion, err error) {
	err = s.db.InOrg(ctx, org, func(tx db.Tx) error {
		rows, err := tx.Query(ctx, activeQuestions)
		if err != nil {
			return err
		}
		questions, err = pgx.CollectRows(rows, pgx.RowToStructByPos[PublicQuestion])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("questions of %s: %w", org, err)
	}
	return questions, nil
}
