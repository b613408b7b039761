"""Statistics of results: scores, ratings, intervals and tests as pure functions of counts, without files."""
