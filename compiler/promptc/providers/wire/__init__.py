"""Reading request bodies: one module a wire format, all giving the same view."""
