"""Changes one place of the code at a time and runs the tests that should notice: what survives is a hole in the tests."""
