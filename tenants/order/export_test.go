package order

import "github.com/google/uuid"

// Waiting is how many buyers wait for their turn at an organisation's till.
func (s *Service) Waiting(org uuid.UUID) int { return s.batcher.QueueLen(org) }
