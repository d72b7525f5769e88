"""Read prompts written for other tools, and write them as specs; what cannot be carried over is reported."""
