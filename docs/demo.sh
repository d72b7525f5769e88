#!/usr/bin/env bash
# What `make demo` shows: build the shipped specs, render one request, show one prefix diff.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }

step promptc check specs/coding_agent specs/support_bot
promptc check specs/coding_agent specs/support_bot

step promptc build specs/coding_agent specs/support_bot --out gen
promptc build specs/coding_agent specs/support_bot --out "$work/gen" 2>&1 | tail -n 3
promptc verify "$work/gen"

step promptc render specs/support_bot --prompt support_bot --pretty
promptc render specs/support_bot --prompt support_bot --pretty | head -n 24
echo "  ..."

# The same agent one release later: one word of one shared text has changed.
cp -r specs/coding_agent "$work/next"
touch "$work/promptc.toml"
sed -i.bak '1s/^/Note: /' "$work/next/text/$(ls "$work/next/text" | sed -n 2p)"
rm -f "$work/next/text/"*.bak
step promptc diff specs/coding_agent next/coding_agent
status=0
promptc diff specs/coding_agent "$work/next" > "$work/diff.txt" || status=$?
sed "s#$work/##g" "$work/diff.txt" | head -n 24
echo "  ..."
test "$status" -eq 1

# The mistake that promptc exists for: a session's value in a text that all sessions share.
cat > "$work/mistake.promptc" <<'SPEC'
language 1
scope global holds static ttl 1h
scope session holds session ttl 5m

input cwd : text @session

prompt helper {
  target anthropic
  system {
    cache global {
      section rules @static """
        Be brief.
        You work in {{ cwd }}.
        """
    }
    cache session {
      section where @session "Working directory: {{ cwd }}"
    }
  }
}
SPEC
step promptc check mistake.promptc
status=0
promptc check "$work/mistake.promptc" || status=$?
test "$status" -eq 1
