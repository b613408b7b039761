"""The words spoken with other programs: both sides of the library's own protocol, docs/protocol.md, and what protocols share."""
