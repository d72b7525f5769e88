"""Renderers of diagnostics, one format a file: values and sources in, text out."""
