package catalog

// Alone lets a test be a decoder that panics.
var Alone = (*Pictures).alone
