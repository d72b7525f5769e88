"""What touches the world for an assembler: a host may use it, or something of its own. Standard library only."""
