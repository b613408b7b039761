"""Other people's programs: their processes, who supervises and ends them, what they see and may use."""
