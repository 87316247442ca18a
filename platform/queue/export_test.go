package queue

// Sign lets a test forge the MAC of another organisation or key. Run runs a job without Asynq.
var (
	Sign = sign
	Run  = (*Mux).run
)
