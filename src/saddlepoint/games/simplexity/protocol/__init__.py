"""ColorShapeLinks' protocol `csl 1` for Simplexity: our engine's side, over pipes or TCP."""
