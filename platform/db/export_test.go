package db

// NumberParameters is numberParameters.
var NumberParameters = numberParameters
