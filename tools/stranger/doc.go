// Package stranger is a client of the API whose author had read the specification and no code: its tests are the
// specification's rows as data, and small functions that hold the product to them.
package stranger
