"""Conversations as a provider sees them: scenarios played through an assembler and a cache model."""
