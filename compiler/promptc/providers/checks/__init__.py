"""Checks of request bodies: one module a theme, each a tuple of rules over the same view."""
