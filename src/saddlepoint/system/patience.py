"""The program's waiting times in seconds: one table of all that no player's clock and no option sets.

What a client of a server may take stands beside that server, and what one game alone waits for in its folder. Two waits are in files
that run without this package: `GONE` in `players/programs/control_group.py`, and `PATIENCE` in a bot file that a game writes.
"""

# Before silence looks like a hang: what has taken so long is said on stderr, or shows a bar.
COMPILING_SAID = 0.6  # a compilation, before its line
COMMAND_SAID = 0.7  # a command without a terminal, before its line
SOLVING_SAID = 2.0  # solving a game before it is played, before its line
MEASURING_SAID = 2.0  # measuring a policy: work that is expected to take longer is announced
WALKING_BAR = 1.0  # a walk through another library's game, before its bar
PUZZLES_BAR = 1.0  # players at puzzles, before their bar
REPORT_BAR = 2.0  # reading a ledger for a report, before its bar

# For what this program itself does elsewhere: in another thread or process, or for another client.
ONE_COMPILATION = (
    120.0  # a process, for another one that compiles the same function: that one may have been stopped
)
RULES_COMPILED = 120.0  # a request of the page, for the rules of its game to be compiled
ANALYSIS_PLACE = 1.0  # an analysis of the page, for another one that was stopped to end
LEDGER_WRITER = 60.0  # a ledger, for another program that writes into it
RUNNING_GAME_WRITER = 0.1  # a game that runs, for the same: then it is written another time

# For other people's programs and machines.
PROGRAM_READY = 120.0  # a program, to be ready for a game, and its move where the clock is endless
CHECKED_PROGRAM = 20.0  # the same of a program that `check` tries
SCHEDULER = 10.0  # the first answer of a cluster's scheduler
