"""The residual program: what is left to do when everything that is known at build time has been done."""
