package queue

// Sign lets a test forge a task with a MAC of another organisation or key; Run does a job without Asynq.
var (
	Sign = sign
	Run  = (*Mux).run
)
