"""What a change of specs does to cached prefixes: rules, findings, and what they look like."""
