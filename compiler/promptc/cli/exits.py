"""Exit codes, the same for every command."""

CLEAN = 0
# Errors in a spec, a break, or files that are out of date.
FINDINGS = 1
# Usage, configuration, or input and output.
USAGE = 2
# A bug in promptc itself.
BUG = 70
