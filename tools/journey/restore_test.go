package journey

// clientTools names a folder with Postgres and its client programs (psql, pg_dump, pg_restore), which the package of
// `make dev` has not; .ci/run sets it. They are of one version then, as README.md demands.
const clientTools = "TEST_POSTGRES_TOOLS"
