"""Two people at two places: tables with secret seats, rooms of many people, the file that keeps both."""
