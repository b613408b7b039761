"""The library's own line protocol, docs/protocol.md: its words, our bot that speaks it, a program that does."""
