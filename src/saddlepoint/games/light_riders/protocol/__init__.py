"""riddles.io's Light Riders: its words, our bot, a program that is one, and the contest's referee."""
