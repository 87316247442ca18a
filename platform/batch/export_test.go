package batch

// Busy returns how many keys have a running batch.
func (t *Batcher[K, W]) Busy() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queues)
}
