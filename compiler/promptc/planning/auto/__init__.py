"""`cache auto`: where markers stand and how long they live, so that the sessions of a deployment cost least."""
