"""The words spoken with other programs: a folder a protocol, both sides in it."""
