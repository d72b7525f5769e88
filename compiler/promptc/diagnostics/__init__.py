"""Diagnostics: what promptc tells a person, as values first and as text last."""
