"""Audit of logs of any size: every request compared with the one that it continues, the facts kept in a database."""
