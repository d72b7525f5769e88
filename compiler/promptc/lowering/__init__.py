"""Lowering: a checked and planned prompt becomes the residual program."""
