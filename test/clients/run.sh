#!/usr/bin/env bash
# Clients in other languages against `edgewise serve`: boto3 and the AWS CLI. PYTHONPATH has both.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
log=$(mktemp)
exports=$(mktemp -d)
node dist/cli/main.js serve --port 0 --json --exports "$exports" >"$log" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$log" "$exports"' EXIT
for _ in $(seq 100); do [[ -s $log ]] && break; sleep 0.1; done
python3 test/clients/operations.py "$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).url' "$log")"
