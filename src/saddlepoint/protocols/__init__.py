"""The words spoken with other programs."""
