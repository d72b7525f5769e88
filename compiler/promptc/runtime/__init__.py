"""What emitted assemblers run on: standard library only, imports nothing of promptc."""
