"""What the program refuses: one sentence on stderr that names the option, file or word, exit code 2, and nothing is done."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import saddlepoint.cli
from helpers.cli_runs import Program

MANY = "9" * 27
SEARCH = "'alphabeta(evaluator=voronoi)'"
FITTED = "fit tic_tac_toe -o x.weights"
FILES = {
    "empty.txt": "",
    "blank.txt": "\n\n",
    "nonsense.txt": "nonsense",
    "object.txt": "{}",
    "sqlite.txt": "SQLite format 3\0 and no more",
    "two_rows.txt": "0.1\n...\n",
    "two_heads.txt": "0.......\n" * 6,
    "over.txt": "light_riders 8x6 round 2 facing left right alive 0\n0xx...x1\n" + "........\n" * 5,
    "over_moves.txt": "moves: 0 4 1 5 2",
    "of_battlesnake.txt": "battlesnake 11x11 round 0",
    "flip.txt": "RB../.W../..../....",
    "test_other.py": "",
}
"""What the folder has in which a command is run, beside `mygame.py` of `new game`."""

REFUSED: dict[str, list[tuple[str, str]]] = {
    "": [
        ("bogus", "No such command 'bogus'"),
        (
            "serve --nonsense",
            "No such option: --nonsense; `saddlepoint serve --help` lists those that there are",
        ),
        ("ledger list --nonsense", "`saddlepoint ledger list --help`"),
        ("serve --port " + MANY, "Invalid value for '--port'"),
        ("players --game chess", "no game is called 'chess'"),
        ("warm --player nobody", "no player is called 'nobody'"),
        ("literature chess", "no row is called 'chess'"),
        ("literature ''", "no row is called ''"),
    ],
    "play": [
        ("light_riders ./none.py random", "./none.py: there is no program './none.py'"),
        ("light_riders 'cmd:/no/such/bot' random --json", "/no/such/bot: there is no program '/no/such/bot'"),
        ("'goofspiel(cards=4)' 'cmd:/no/such/bot' random", "there is no program '/no/such/bot'"),
        ("light_riders random", "Missing argument 'player_b'. For example: saddlepoint play light_riders "),
        ("light_ridders random random", "no game is called 'light_ridders'; did you mean light_riders?"),
        ("'light_riders(width=3)' random random", "the field must be 4 to 32 cells wide"),
        ("'light_riders(colour=3)' random random", "has no parameter 'colour'"),
        ("'light_riders(name=3)' random random", "has no parameter 'name'"),
        ("light_riders 'random(' random", "at position 8: expected an option's name or ')'"),
        ("light_riders randon random", "did you mean random?"),
        ("light_riders random random --size big", "--size takes two numbers such as 16x16"),
        ("light_riders random random --start 4", "--start takes two numbers such as 4,7"),
        ("light_riders random random --start 40,7", "outside the 16x16 field"),
        ("goofspiel random random --start 4,7", "--start is for games whose start is a cell"),
        ("light_riders random random --time -1", "--time and --bank take seconds above 0"),
        ("tic_tac_toe random random -o ''", "'' is a folder; expected the name of a file"),
        ("tic_tac_toe random random -o no/such", "the folder of 'no/such' does not exist"),
        ("tic_tac_toe random random --delay inf", "Invalid value for '--delay'"),
        ("tic_tac_toe random random -o - --json", "choose one"),
    ],
    "match": [
        ("best random --gamme tron", "No such option: --gamme (Possible options: "),
        ("random human -n 2", "a match is between programs"),
        ("random random -n 0", "Invalid value for '-n'"),
        ("random random --game tic_tac_toe -n " + MANY, "Invalid value for '-n'"),
        ("random random --game tic_tac_toe --bank inf", "Invalid value for '--bank'"),
        ("random random --nodes 0", "nodes must be 1 or more"),
        (
            f"'mcts(nodes={MANY})' random --game tic_tac_toe",
            "nodes must be 1,000,000,000,000,000 at most",
        ),
        ("random ./none.py", "there is no program './none.py'"),
        ("random random --memory much", "--memory takes a size"),
        ("random random --memory 300K", "--memory takes a size of 1M or more"),
        ("random random --memory 0", "--memory takes a size of 1M or more"),
        ("random random --isolate", "Option '--isolate' requires an argument."),
        (
            "random random --isolate=tight",
            "--isolate takes auto, namespaces, supervisor or all, not 'tight'",
        ),
        (
            "random random --isolate tight",
            "--isolate takes auto, namespaces, supervisor or all, not 'tight'",
        ),
        ('random random --sandbox "\'"', "is no command"),
        ("random cmd:cat --sandbox no-such-sandbox", "there is no program 'no-such-sandbox'"),
        ("random random --game ./test_other.py", "FILE.py:CLASS"),
        ("random random --game ./nowhere.py", "there is no file './nowhere.py'"),
        (
            "random random --openings none.txt",
            "openings are start, starts, random:PLIES, 'moves: ...' or a file",
        ),
        ("random random --sprt elo0=3", "elo1"),
        ("random random --time-of nobody=1", "--time-of names 'nobody', who does not play"),
        ("random random --bank-of random", "--bank-of takes PLAYER=SECONDS"),
        ("random random --executor here", "dask://HOST:PORT"),
        ("random random --ledger /no/such/folder/games.db", "the folder of"),
        ("random random --resume --ledger /no/such.db", "there is no ledger"),
        ("http://127.0.0.1:9 random --game goofspiel", "plays battlesnake, not goofspiel"),
    ],
    "match --game battlesnake random": [
        ("http://", "a server's address is"),
        ("http://me:secret@host", "a server's address is"),
        ("http://host:99999", "a server's address is"),
        ("'http://host/?a=b'", "a server's address is"),
        ("snake", "takes the address"),
        ("'snake(url=ftp)'", "a server's address is"),
        ("""'snake(url="http://a", command="b")'""", "takes the address"),
        ("'snake(prot=1)'", "no option 'prot'"),
        (
            "http://127.0.0.1:9",
            "http://127.0.0.1:9 does not answer GET / as a snake does: connection refused",
        ),
    ],
    "play battlesnake random": [
        ("http://me:secret@host", "a server's address is"),
        ("snake", "takes the address"),
        (
            "http://127.0.0.1:9 --plain",
            "http://127.0.0.1:9 does not answer GET / as a snake does: connection refused",
        ),
    ],
    "match random random --alias": [
        ("x", "takes NAME=SPEC"),
        ("=random", "takes NAME=SPEC"),
        ("x=", "takes NAME=SPEC"),
        ("'a b=random'", "takes NAME=SPEC"),
        ("best=random", "a player is called best already"),
        ("alphabeta=random", "a player is called alphabeta already"),
        ("human=random", "a player is called human already"),
        ("x=random --alias x=best", "x is there twice"),
        ("'x=best(choice=best)' --alias 'y=best( choice = best )'", "y and x are the same player"),
        ("x=y --alias y=random", "y is an alias itself"),
        ("'x=random('", "expected an option's name"),
    ],
    "tournament": [
        ("random -n 2", "at least two players"),
        (
            "random random --game tic_tac_toe",
            "random is there twice; every player of a tournament plays once, and `match` plays one against itself\n",
        ),
        ("random random best", "random is there twice"),
        ("random best --kind swiss", "--kind is round-robin, gauntlet, knockout, ladder"),
        ("random best --anchor random", "--anchor takes PLAYER=ELO"),
        ("random best --anchor ace=3", "who does not play"),
        ("random best --resume", "give the file"),
        (
            "random 'cmd:no_such_program --fast' --game goofspiel",
            "there is no program 'no_such_program'",
        ),
    ],
    "ledger": [
        ("list /no/such.db", "there is no ledger"),
        ("show /no/such.db 1", "there is no ledger"),
        ("sow", "No such command 'sow'"),
    ],
    "league": [
        ("show /no/such.db", "there is no ledger"),
        ("add /no/such/folder.db random", "the folder of"),
        ("add league.db randon", "did you mean random?"),
    ],
    "analyze": [
        ("/no/such/file --algorithm " + SEARCH, "there is no file"),
        ("moves: --game tic_tac_toe --time inf", "Invalid value for '--time'"),
        ("moves: --game tic_tac_toe --time 1e300", "Invalid value for '--time'"),
        ("moves: --game tic_tac_toe --time nan", "Invalid value for '--time'"),
        ("moves: --game tic_tac_toe --time -inf", "Invalid value for '--time'"),
        ("moves: --game tic_tac_toe --nodes " + MANY, "Invalid value for '--nodes'"),
        ("moves: --game tic_tac_toe --depth " + MANY, "Invalid value for '--depth'"),
        (
            "'moves: prize_1 1/1 prize_2 2/2' --game 'goofspiel(cards=2)'",
            "the game is over in this position; nothing is left to analyse",
        ),
        ("empty.txt --algorithm " + SEARCH, "expected 16 rows of 16 cells"),
        ("two_rows.txt --algorithm " + SEARCH, "the field must be 4 to 32"),
        ("over.txt --algorithm " + SEARCH, "the game is over"),
        ("two_heads.txt --algorithm " + SEARCH, "player 0 has two heads"),
        ("moves: --algorithm random", "does not search"),
        (
            "--game 'goofspiel(cards=3)' 'moves: prize_1 1/1 prize_1'",
            "saddlepoint: move 3 of 3: 'prize_1' is no outcome of chance there; possible: prize_2, prize_3\n",
        ),
        (
            "--game 'goofspiel(cards=3)' '1 1/1'",
            "there is no file '1 1/1'; a position given by its moves is written 'moves: 3/5 2/4'\n",
        ),
        (
            "flip.txt --game rubiks_flip --algorithm database",
            "finds no database of this game; solve first: saddlepoint solve rubiks_flip",
        ),
        (
            "moves: --game 'rubiks_flip(double_lock=mover)' --algorithm database",
            "solve first: saddlepoint solve rubiks_flip --double-lock mover\n",
        ),
    ],
    "compare": [
        ("moves: --game tic_tac_toe --nodes " + MANY, "Invalid value for '--nodes'"),
        ("--game tic_tac_toe --trace", "both players choose"),
        ("--game 'goofspiel(cards=3)' --trace", "both players choose"),
        ("--game biased_rps --algorithm mcts", "mcts searches turn-based games"),
        ("--game biased_rps --algorithm random", "does not search"),
        ("--game biased_rps --algorithm smabb", "no player is called 'smabb'"),
        ("--game biased_rps --time 0", "seconds must be above 0"),
        ("nowhere.txt --game biased_rps", "there is no file"),
        ("'moves: 0 4 1 5 2' --game tic_tac_toe", "the game is over"),
    ],
    "bot": [
        ("chess", "no game is called 'chess'"),
        ("goofspiel --protocol csl", "goofspiel is played by lines, not by 'csl'"),
        ("light_riders --protocol csl", "light_riders is played by riddles or lines, not by 'csl'"),
        ("'Light Riders' --protocol csl", "light_riders is played by riddles or lines, not by 'csl'"),
        ("'Tic-tac-toe' --protocol csl", "is played by lines"),
        ("'goofspiel(cards=3)'", "the other side tells the game's parameters"),
        ("goofspiel --player human", "a person cannot play over stdin and stdout"),
        ("light_riders --colour '#3355aa'", "--colour is for battlesnake"),
        ("light_riders --color '#3355aa'", "--colour is for battlesnake"),
    ],
    "referee": [
        ("/no/such/bot /no/such/bot", "'/no/such/bot' cannot be started"),
        ("a b -o /no/such/directory/x", "the folder of '/no/such/directory/x' does not exist"),
    ],
    "show": [
        ("/no/such/replay", "there is no file"),
        ("object.txt", "line 1: expected the game"),
        ("none.jsonl", "there is no file 'none.jsonl'"),
    ],
    "review": [
        ("empty.txt --number 1", "the file is empty"),
        ("object.txt --number 1", "expected the game"),
        ("sqlite.txt --number 1", "sqlite.txt"),
        ("folder", "has no file that ends with .json or .jsonl"),
    ],
    "exploit --game 'goofspiel(cards=3)'": [
        ("saddle", "--nodes 1000"),
        ("human", "a person"),
        ("cmd:true", "no game was played"),
        ("./no_bot.py", "there is no program"),
        ("random --study 10 --plot out.svg --at 10", "by games alone"),
        ("random --habits nonsense.txt", "nonsense.txt"),
        ("random random", "twice"),
        ("saddle --at 10,x", "--at takes"),
        ("saddle --at 10,10", "--at takes"),
        ("saddle --at 10 --nodes 5", "without --nodes"),
        ("'saddle(nodes=4)' --at 10", "without nodes=4"),
        ("random --plot out.svg", "--at"),
        ("saddle --at 10 --plot out.png", ".svg"),
        ("random --exact --games 10", "--exact takes none"),
        ("random --exact --game soccer", "cannot be enumerated"),
        ("random --exact --game 'goofspiel(cards=7)' --memory 1", "cannot be enumerated"),
        ("random --position 'moves: prize_3 3/3 prize_1 2/2 prize_2 1/1'", "over"),
        ("random --resume no/such/folder/rows", "folder"),
        ("random --resume nonsense.txt", "no file of `exploit --resume`"),
        ("random --resume object.txt", "no file of `exploit --resume`"),
        ("random --resume blank.txt", "no file of `exploit --resume`"),
    ],
    FITTED: [
        ("--hours inf", "Invalid value for '--hours'"),
        ("--executor elsewhere", "an executor is dask://HOST:PORT"),
        ("--units 12", "--units takes one of 8, 16, 32, 64, 128, not 12"),
        ("--search saddel", "no algorithm is called 'saddel'; did you mean saddle?"),
        ("--search 'pvs(evaluator=constant)'", "the search is given without an evaluator"),
        ("--from voronoi", "the evaluator voronoi is not made for tic_tac_toe"),
        ("--against nobody", "no player is called 'nobody'"),
        (
            "--evaluator constant",
            "constant has no weights that can be fitted: give fitted, or an evaluator made of FeatureNetwork",
        ),
        ("--evaluator prospects", "the evaluator prospects is not made for tic_tac_toe"),
        ("--resume", "there is no fit to go on with"),
        ("--hours 1 --minutes 2", "--hours and --minutes are the same limit: give one of them"),
        ("--trace 1.5", "'--trace'"),
        ("--plot x.png", "--plot writes SVG, into a file whose name ends in .svg, not 'x.png'"),
        (
            "--openings no/such.txt",
            "openings are start, starts, random:PLIES, 'moves: ...' or a file of positions; there is no",
        ),
        ("--openings random:0", "openings are random:PLIES, such as random:4, not 'random:0'"),
        ("--openings 'moves: 9/9'", "--openings: move 1 of 1"),
        ("--openings nonsense.txt", "position 1: "),
        ("--openings blank.txt", "has no position"),
        ("--openings over_moves.txt", "position 1: the game is over"),
        ("--openings of_battlesnake.txt", "position 1: "),
        ("-o /no/such/folder/x.weights", "/no/such/folder"),
    ],
    "fit": [
        (
            "'battlesnake(mode=constrictor,map=empty)' --evaluator snake_prospects -o x.weights",
            "snake_prospects values constrictor by the weights of prospects",
        ),
    ],
    "puzzles": [
        ("goofspiel", "no puzzles of goofspiel"),
        ("battlesnake nobody", "no player is called 'nobody'"),
        ("battlesnake human", "programs"),
        ("battlesnake wall", "wall plays tron41, not battlesnake"),
        ("battlesnake --set none.jsonl", "there is no file 'none.jsonl'"),
        ("battlesnake --time 0", "--time"),
        ("battlesnake --theme ladders", "the themes are"),
        ("Battle-Snake random --nodes 1 --theme nothing", "no puzzle has the theme 'nothing'"),
    ],
    "solve": [
        ("chess", "no game is called 'chess'"),
        ("'goofspiel(cards=99)'", "cards must be 1 to 13, not 99"),
        ("goofspiel -o .", "'.' is a folder; expected the name of a file"),
        ("./nowhere.py:Game", "there is no file './nowhere.py'"),
        ("nowhere.sol", "'nowhere.sol' cannot be read: No such file or directory"),
        ("tic_tac_toe -j " + MANY, "Invalid value for '-j'"),
        ("rubiks_flip --double-lock both", "double_lock must be draw, opponent or mover, not 'both'"),
        ("rubiks_flip -o .", "'.' is a folder; expected the name of a file"),
        ("rubiks_flip --workers 0", "Invalid value for '--workers'"),
        (
            "'rubiks_flip(double_lock=opponent)' --position flip.txt",
            "Rubik's Flip is solved as a whole: without --position",
        ),
        (
            "'rubiks_flip(double_lock=opponent)' --memory 100",
            "Rubik's Flip is solved as a whole, in as much memory as that takes",
        ),
        ("'simplexity(rows=4, cols=4)' --method own -o s.sol", "without --output, or --method induction"),
        (
            "'simplexity(rows=4, cols=4)' --method own -j 4",
            "are searched for with one thread: without -j",
        ),
        (
            "soccer --method proof_number",
            "positions come back: leave --method out, or give --no-cycles",
        ),
    ],
    "solve tic_tac_toe": [
        (
            "--method guess",
            "method must be induction, alpha_beta, proof_number or own, not 'guess'",
        ),
        (
            "--method alpha_beta -o t.sol",
            "--output has no use with alpha_beta; it goes with induction or own",
        ),
        (
            "--method proof_number -j 2",
            "-j has no use with proof_number; it goes with induction or own",
        ),
        (
            "--all-moves",
            "--all-moves has no use with induction; it goes with alpha_beta or proof_number",
        ),
        (
            "--time 3",
            "--time has no use with induction; it goes with alpha_beta or proof_number or own",
        ),
        ("--method alpha_beta --time 0", "--time takes seconds above 0"),
        ("--method own", "TicTacToe has no solver of its own"),
        (
            "--method alpha_beta --no-check",
            "--check has no use with alpha_beta; it goes with induction",
        ),
    ],
    "solve 'goofspiel(cards=3)'": [
        ("--method alpha_beta", "alpha_beta searches turn-based games"),
        ("--method values", "policies and values are for games with cycles: give --cycles"),
        (
            "--checkpoint 5",
            "--checkpoint writes beside --output FILE; give the file, or leave it out",
        ),
        ("--resume", "--resume goes on with the checkpoint beside --output FILE; give the file"),
        (
            "--position 'moves: prize_1 1/1 prize_1'",
            "saddlepoint: move 3 of 3: 'prize_1' is no outcome of chance there; possible: prize_2, prize_3\n",
        ),
        (
            "--position '1 1/1'",
            "there is no file '1 1/1'; a position given by its moves is written 'moves: 3/5 2/4'\n",
        ),
        ("--cycles -j 2", "-j has no use with policies"),
        ("--cycles --resume -o a.sol", "--resume has no use with policies; it goes with induction"),
        (
            "--cycles --checkpoint 5 -o a.sol",
            "--checkpoint has no use with policies; it goes with induction",
        ),
        (
            "--executor here",
            "an executor is dask://HOST:PORT, the address of a Dask scheduler, not 'here'",
        ),
        ("--executor dask://here:1 -j 2", "--resume and -j are for this machine"),
        ("--executor dask://here:1 --resume -o a.sol", "--resume and -j are for this machine"),
        (
            "--executor dask://here:1 --cycles",
            "--executor has no use with policies; it goes with induction",
        ),
    ],
    "solve 'soccer(width=2, height=2)'": [
        ("--discount 2", "a discount is above 0 and at most 1, not 2.0"),
        ("--method guess", "method must be policies or values"),
        (
            "--no-cycles --discount 0.9",
            "--discount has no use with induction; it goes with policies or values",
        ),
        ("-j 2", "-j has no use with policies"),
        ("--resume -o a.sol", "--resume has no use with policies; it goes with induction"),
        ("--checkpoint 5 -o a.sol", "--checkpoint has no use with policies; it goes with induction"),
    ],
    "solve simplexity": [
        ("--only draw", "--only takes win or loss, not 'draw'"),
        ("--rows 8 --cols 13", "on boards of at most 64 bits, (rows + 1) x cols, not 8x13"),
        ("--rows 3 --cols 3", "no line of 4 fits on a board of 3x3"),
        ("--position nowhere.txt", "there is no file"),
        ("--time 0", "--time takes seconds above 0"),
        ("--plies 0", "Invalid value for '--plies'"),
    ],
    "solve tron": [
        ("--width 40", "the field must have sides of 1 to 32 cells"),
        ("--heads 1,1", "--heads takes two cells such as '0,0 8,8', not '1,1'"),
        ("--heads '1,1 1,1'", "the cell 1,1 is there twice"),
        ("--heads '9,9 1,1'", "the cell 9,9 is outside the 9x9 field"),
        ("--heads '1,1 2,2' --every-start", "--every-start takes neither --heads nor --position"),
        ("--heads '1,1 2,2' --position -", "a --position has its heads"),
        ("--time 0", "--time takes seconds above 0"),
        (
            "--width 8 --height 8 --no-symmetry --time 0.001 --memory 1",
            "the value is not known after 0.001 s",
        ),
    ],
    "tron41": [
        ("-map nowhere", "no map is called 'nowhere'"),
        ("-bots nobody wall", "no player is called 'nobody'"),
        ("-bots ./none.py wall", "is a Python file with a bot class"),
        ("-max_wait 0", "max_wait takes seconds above 0"),
        ("--rules 2020", "--rules is 2019 or 2021, not '2020'"),
        ("-bots human wall --write-bot ours.py", "is written for a player of this library"),
    ],
    "new": [
        (
            "game mygame.py",
            "saddlepoint: mygame.py is there already: choose another name, or remove it\n",
        ),
        ("game other.py", "test_other.py is there already"),
        ("game nowhere/mygame.py", "saddlepoint: there is no folder nowhere\n"),
        ("game my-game.py", "cannot be imported"),
        ("game mygame", "cannot be imported"),
        ("game class.py", "cannot be imported"),
        ("game 1game.py", "cannot be imported"),
        ("game 'spiel spiel.py'", "cannot be imported"),
        ("game größe.py", "cannot be imported"),
        ("bot random.py", "would stand in the place of the module random"),
        ("bot typing.py", "would stand in the place of the module typing"),
        ("bot saddlepoint.py", "would stand in the place of the module saddlepoint"),
        ("bot numpy.py", "would stand in the place of the module numpy"),
    ],
    "check": [
        ("./no_such_bot.py", "there is no program './no_such_bot.py'"),
        ("./folder", "'./folder' is a folder"),
        ("./object.txt", "'./object.txt' cannot be executed: `chmod +x` lets a program be"),
        ("best", "check is for a program or a Python file"),
        ("./bot.py --game chess", "no game is called 'chess'"),
        ("./mygame.py:Nope", "mygame.py has no game 'Nope'"),
        ("./mygame.py:MyGame -n 3", "the only option is --json"),
        ("./mygame.py:MyGame --game goofspiel", "the only option is --json"),
        ("./mygame.py:MyGame --time 1", "the only option is --json"),
        ("./mygame.py:MyGame --patience 5", "the only option is --json"),
        ("./mygame.py:MyGame --isolate all", "the only option is --json"),
    ],
}
"""By the words with which commands begin: the others, and what the sentence says."""


def contents(folder: Path) -> dict[Path, bytes | None]:
    return {
        path: path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files and a game of one's own; what is refused leaves it as it is, so that all share it."""
    folder = tmp_path_factory.mktemp("refused")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["saddlepoint", "new", "game", "mygame.py"])
        with pytest.raises(SystemExit):
            saddlepoint.cli.main()
    (folder / "folder").mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    assert (folder / "mygame.py").is_file()
    return folder


@pytest.fixture
def folder(filled: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where commands are run; no database is anywhere, and nothing is said of what is compiled."""
    monkeypatch.chdir(filled)
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
    monkeypatch.setenv("XDG_DATA_HOME", "/no/such/home")
    return filled


@pytest.mark.parametrize(
    ("line", "said"),
    [(f"{command} {rest}", said) for command, rows in REFUSED.items() for rest, said in rows],
)
def test_what_is_refused_is_one_sentence_and_leaves_nothing(
    cli: Program, folder: Path, line: str, said: str
) -> None:
    before = contents(folder)
    assert said in cli.refused(*shlex.split(line))
    assert contents(folder) == before


@pytest.mark.parametrize("group", ["solve", "league"])
def test_a_command_that_is_missing_is_told_below_the_help(cli: Program, group: str) -> None:
    _, err = cli.ended(2, group)
    assert err.splitlines()[-1] == "saddlepoint: a command is missing: add one of those above"


TURNS = ("--game", "tic_tac_toe")


@pytest.mark.plain
@pytest.mark.parametrize(
    "command",
    [
        ("analyze", "{}", *TURNS),
        ("compare", "{}", *TURNS),
        ("show", "{}"),
        ("review", "{}"),
        ("solve", "{}"),
        ("solve", "file", "{}"),
        ("solve", "tic_tac_toe", "--position", "{}"),
        ("puzzles", "light_riders", "random", "--set", "{}"),
        ("match", "random", "random", *TURNS, "--openings", "{}"),
        ("ledger", "list", "{}"),
        ("report", "{}", "-o", "report.html"),
        ("match", 'solution("{}")', "random", *TURNS),
        ("match", 'pvs(evaluator=fitted(file="{}"))', "random", *TURNS),
    ],
)
@pytest.mark.parametrize("kind", ["device", "folder", "binary", "packed", "nothing"])
@pytest.mark.usefixtures("here")
def test_a_file_that_is_none_of_its_kind_is_told_in_a_sentence(
    kind: str, command: tuple[str, ...], cli: Program, tmp_path: Path
) -> None:
    file = tmp_path / "given.sol"
    if kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "folder":
        file.mkdir()
    elif kind != "nothing":
        file.write_bytes(b"\x89PNG\0" if kind == "binary" else b"\x1f\x8b of no use")
    cli.refused(*(word.format(file) for word in command))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            "play tic_tac_toe human random",
            "player 0 at fault: stdin was closed before the program began: nobody can answer",
        ),
        ("analyze - --game tic_tac_toe", "saddlepoint: stdin is closed: there is nothing to read from it"),
    ],
)
def test_a_closed_stdin_is_told(command: str, message: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m saddlepoint {command} <&-', sys.executable],
        capture_output=True,
        text=True,
        check=False,
    )
    assert message in done.stdout + done.stderr
