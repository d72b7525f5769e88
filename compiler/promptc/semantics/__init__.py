"""Semantics: what a parsed program means, and every fault that can be proved before anything runs."""
