package batch

// Busy is how many keys have a group under way.
func (t *Batcher[K, W]) Busy() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queues)
}
