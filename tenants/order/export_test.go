package order

import "github.com/google/uuid"

// Waiting is how many buyers wait for an organisation's next batch.
func (s *Service) Waiting(org uuid.UUID) int { return s.batcher.QueueLen(org) }
