"""Planning: which variants exist, which scope each block gets in each, and whether the limits hold."""
