"""The passes, one a file, each a function of the file's name."""
