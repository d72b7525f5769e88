"""Cache models: what a request reads and writes, as pure functions over a value that is the cache's state."""
