"""Recordings: files in which tools keep the requests that they saw, read into one neutral form."""
