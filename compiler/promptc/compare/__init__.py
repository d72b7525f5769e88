"""Where two prefix streams part, what kind of change that is, and what it costs."""
