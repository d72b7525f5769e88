"""Providers: what each one caches, accepts and charges, as dated facts; the cache models and checks that read them."""
