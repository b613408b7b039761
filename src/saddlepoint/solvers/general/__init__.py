"""Every finite game, solved from its end: values of all positions that can come about, kept, asked and checked."""
