"""The language server: what a spec costs and what is wrong with it, as it is typed."""
