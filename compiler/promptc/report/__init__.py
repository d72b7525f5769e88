"""Renderers: values in, text or plain data out."""
