"""How the reference interpreter spells a request, one module per format."""
