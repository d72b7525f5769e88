"""From what a conversation stored to what of it counts now: leaf, boundary, pairing, merging, stripping."""
