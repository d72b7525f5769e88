"""Requests, texts and manifests as prefix streams: what a provider caches, element by element, in its order."""
