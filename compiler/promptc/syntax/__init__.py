"""Syntax: DSL, YAML and template bodies to one AST."""
