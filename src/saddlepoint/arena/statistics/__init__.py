"""What games say about who is better, and how sure it is: pure functions of counts, and nothing of files."""
