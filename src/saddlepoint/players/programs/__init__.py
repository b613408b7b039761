"""Players that are programs: their processes, supervision, view of files, and limits."""
