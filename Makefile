# What people type. `make` alone lists it.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PKG ?= ./...

.PHONY: help go-needed dev build image test check lint test-go isolation fuzz vulncheck apps e2e bench chaos lighthouse generated generate drift screenshots install check-beside

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# Said here, because without Go, or with one too old to read go.mod, nothing of ours can say it.
go-needed:
	@go list -m > /dev/null 2>&1 || { echo "Go 1.26 or newer is needed, this is $$(cd / && go version 2> /dev/null || echo no Go at all): https://go.dev/dl"; exit 1; }

dev: go-needed ## everything on this machine: http://localhost:8080 (PORT chooses another)
	@MAKE_PID=$$PPID CGO_ENABLED=0 go run ./tools/dev/start

build: go-needed install ## the one binary with the apps in it: bin/welovevoucher
	cd apps && npm run build
	CGO_ENABLED=0 go build -trimpath -o bin/welovevoucher .

IMAGE ?= welovevoucher:latest

image: go-needed install ## the binary for Linux in an image from scratch, without a daemon: bin/image.tar; IMAGE names it
	cd apps && npm run build
	CGO_ENABLED=0 GOOS=linux go build -trimpath -o bin/image/welovevoucher .
	go -C tools/image run . $(CURDIR)/bin/image/welovevoucher $(CURDIR)/bin/image.tar $(IMAGE)

test: go-needed install ## everything that must hold: lint, Go on a real Postgres, front end, browser
	cd apps && npm run build
	@$(MAKE) --no-print-directory -j 2 test-go check-beside
	@$(MAKE) --no-print-directory apps
	@$(MAKE) --no-print-directory e2e

# Beside the Go tests, which wait for half of their time, and behind them in every queue for a processor: they end calls that take
# too long, as the product does.
check-beside:
	@nice -n 19 $(MAKE) --no-print-directory check

install: apps/node_modules/.package-lock.json

# What npm ci writes last.
apps/node_modules/.package-lock.json: apps/package-lock.json
	@cd apps && npm ci --no-audit --no-fund --loglevel=error

check: drift lint ## lint, generated files, import walls
	@! git grep -nE '<{7} [A-Za-z]|>{7} [A-Za-z]' -- . || { echo 'a merge was left unfinished'; exit 1; }
	cd apps && npm run check

lint: ## lint of the Go code; the first run builds the linter, FIX=1 mends what can be mended by itself
	go tool -modfile=tools/lint/go.mod golangci-lint run $(if $(FIX),--fix) ./...

# The one that waits for most of its time, as for a lease to run out, begins first, its suites beside each other.
waiting := ./tools/chaos ./tools/isolation

test-go: .cache/first-screen/trials.json ## Go tests beside a Postgres of their own; PKG=./tenants/ledger runs one package
	go run ./tools/postgres/cmd/postgres -- go test -timeout 30m -p 2 -parallel 4 $(if $(filter ./...,$(PKG)),$(waiting)) $(PKG)

# What the server's first screens are compared with: the build writes it, and apps/dist with it.
.cache/first-screen/trials.json: | apps/node_modules/.package-lock.json
	cd apps && npm run build

isolation: ## strangers, odd input and a pool of two, N times as long as in make test and with their tables: N=500
	ISOLATION_N=$(N) go run ./tools/postgres/cmd/postgres -- go test -count=1 -timeout 60m -v ./tools/isolation

# Counted, not timed: up to Go 1.26 a fuzz run that ends by the clock can fail without a finding (go.dev/issue/75804).
fuzz: ## so many inputs for every parser's fuzz target, one after the other: N=100000
	@[[ "$(N)" =~ ^[1-9][0-9]*$$ ]] || { echo 'make fuzz N=… wants how many inputs each target gets'; exit 1; }
	@git grep -oE '^func Fuzz[A-Za-z]+' -- '*_test.go' | sed 's|/[^/]*:func | |' | while read -r package target; do \
		echo "$$package $$target"; go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(N)x ./$$package < /dev/null || exit 1; \
	done

suites := walk history race kills cuts storm flush scan cart cartoracle orderoracle yearoracle payoutoracle payoutkills rush

chaos: ## one kind of harm (walk, history, race, kills, cuts, storm, flush, scan, cart, cartoracle, orderoracle, yearoracle, payoutoracle, payoutkills, rush) N times over; goes on where it was interrupted: SUITE=walk N=50000
	@[[ "$(words $(SUITE)) $(filter $(suites),$(SUITE))" == "1 $(SUITE)" && "$(N)" =~ ^[1-9][0-9]*$$ ]] || \
		{ echo 'make chaos SUITE=… N=… wants one of these suites, and how often: $(suites)'; exit 1; }
	CHAOS_N=$(N) go run ./tools/postgres/cmd/postgres -- go test -count=1 -timeout 24h -v -run '^Test(?i:$(SUITE)(oracle)?)$$' ./tools/chaos

vulncheck: ## known vulnerabilities in what we depend on, where their databases answer
	tools/vulncheck/run

apps: ## front-end tests
	cd apps && npm test

e2e: ## the main job in a browser, on the whole platform, which builds the apps that have changed
	@test -x "$${CHROMIUM:-/usr/bin/chromium-headless-shell}" || { echo 'Chromium is missing: apt-get install chromium-headless-shell, or name one in CHROMIUM'; exit 1; }
	cd apps && npm run e2e

rows := purchase redeem market flash many organisation memory jobs office

bench: ## how fast it is, beside a yardstick in the same run; ROW=purchase measures one row of the table
	@[[ -z "$(ROW)" || "$(words $(ROW)) $(filter $(rows),$(ROW))" == "1 $(ROW)" ]] || { echo 'make bench ROW=… wants one of these rows, or no ROW for all: $(rows)'; exit 1; }
	go test -run '^$$' -bench '^Benchmark(?i:$(or $(ROW),.*))$$' -benchtime 1x -timeout 3h ./tools/bench

lighthouse: ## what a phone sees first, by Lighthouse's mobile profile: a table, and an error where a goal is missed
	cd apps && npm run build && npm run lighthouse

screenshots: ## every screen as a picture, into .cache/screenshots
	cd apps && npm run build && npm run screenshots

# Everything that is made from the Go code, and checked in.
generated: install
	@mkdir -p .cache/generated
	@go run . openapi > .cache/generated/openapi.json
	@go run . faults > .cache/generated/faults.gen.ts
	@go run . modules > .cache/generated/modules.gen.ts
	@cd apps && npm run --silent generate

generate: generated ## write what is made from the Go code
	cp .cache/generated/openapi.json api/
	cp .cache/generated/*.gen.ts apps/client/src/

drift: generated ## fail when generated files differ from what the code says
	@cmp .cache/generated/openapi.json api/openapi.json || { echo 'api/openapi.json is out of date: make generate'; exit 1; }
	@for file in .cache/generated/*.gen.ts; do \
		cmp $$file apps/client/src/$${file##*/} || { echo "$${file##*/} is out of date: make generate"; exit 1; }; \
	done
