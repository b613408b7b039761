# What a game may import, ours and anybody else's: this list, `saddlepoint` itself, and `saddlepoint.system.terminal` for a command.
# docs/plugins.md is made of it. The last part is used by one game each; a minor version may change it.
# ruff: noqa: I001

# Rules: what a game is, and how its rules are compiled
from ...compiled import (
    Component as Component,
    bit as bit,
    borrowed as borrowed,
    constant as constant,
    hash_of_words as hash_of_words,
    jit as jit,
    jit_inline as jit_inline,
    jit_part as jit_part,
    kernel as kernel,
    kernel_inline as kernel_inline,
    mix as mix,
    parameter as parameter,
    popcount as popcount,
    run as run,
    trailing_zeros as trailing_zeros,
)
from ...game.base import (
    CHANCE as CHANCE,
    SIMULTANEOUS as SIMULTANEOUS,
    TERMINAL as TERMINAL,
    Ending as Ending,
    Game as Game,
    GameError as GameError,
    IllegalActionError as IllegalActionError,
    Ranges as Ranges,
    Symmetry as Symmetry,
)

# Pictures, texts and positions
from ...play.position_text import read_fitted_position as read_fitted_position
from ...game.picture import (
    Cell as Cell,
    Mark as Mark,
    Move as Move,
    Number as Number,
    Picture as Picture,
    Piece as Piece,
    Trail as Trail,
)
from ...play.record import distinct_names as distinct_names
from ...system.text import count_of as count_of, one_line as one_line, words_in as words_in

# Boards: geometry that games share
from ...boards.bitboard import shifted as shifted
from ...boards.riders import Riders as Riders
from ...boards.riders import DIRECTIONS as DIRECTIONS
from ...boards.bitboard import (
    board_of as board_of,
    count as count,
    empty as empty,
    free_cells as free_cells,
    is_empty as is_empty,
    lowest as lowest,
    neighbours as neighbours,
    single as single,
    words_of_board as words_of_board,
)
from ...boards.columns import (
    Columns as Columns,
)
from ...boards.flood import (
    reachable as reachable,
    voronoi as voronoi,
    without_unreachable as without_unreachable,
)
from ...boards.formula import (
    Bits as Bits,
    formula as formula,
)
from ...boards.grid import (
    Grid as Grid,
    has_bit as has_bit,
    int_of as int_of,
    neighbour as neighbour,
    read_places as read_places,
    with_bit as with_bit,
    words_of as words_of,
)
from ...boards.images import (
    GridSymmetry as GridSymmetry,
    image_of_cell as image_of_cell,
    image_of_cells as image_of_cells,
    grid_symmetries as grid_symmetries,
)
from ...boards.limits import (
    is_last_node as is_last_node,
    new_control as new_control,
)
from ...boards.longest_path import fillable_bound as fillable_bound

# Evaluators
from ...evaluators.network.features import FeatureNetwork as FeatureNetwork
from ...evaluators.network.fitted import ShippedNetwork as ShippedNetwork
from ...evaluators.territory.prospects import (
    features_of as features_of,
)
from ...evaluators.squashed import Squashed as Squashed, quick_tanh as quick_tanh

# Matrix games, searches and solvers
from ...matrix import solve as solve
from ...algorithms.limits import watched as watched
from ...algorithms.result import Line as Line
from ...matrix import work_size as work_size

# Players
from ...players.clock import Deadline as Deadline
from ...play.preparation import Need as Need
from ...game.spec import (
    SpecError as SpecError,
    parse_spec as parse_spec,
)
from ...players.base import (
    Answer as Answer,
    Fault as Fault,
    FaultKind as FaultKind,
    MakePlayer as MakePlayer,
    Player as Player,
    PlayerError as PlayerError,
)
from ...players.clock import (
    Adaptive as Adaptive,
    Clock as Clock,
    Uniform as Uniform,
)
from ...players.searching import FillRoom as FillRoom, trails_search as trails_search
from ...players.named import (
    SAMPLING as SAMPLING,
    File as File,
    Level as Level,
    Players as Players,
)
from ...players.published import (
    Manner as Manner,
    PublishedPlayer as PublishedPlayer,
)
from ...players.safe_action import safe_action as safe_action
from ...players.searching import (
    EndgamePlan as EndgamePlan,
    SearchPlayer as SearchPlayer,
    first_that_takes as first_that_takes,
)
from ...players.solving import (
    SolveRest as SolveRest,
    solved_or_searched as solved_or_searched,
)

# Description: what a game brings
from ..description import (
    Description as Description,
    Solver as Solver,
)
from ...system.lazy import attach as attach

# Programs and protocols
from ...players.programs.isolation import Isolation as Isolation
from ...players.programs.player import ProgramPlayer as ProgramPlayer
from ...players.programs.process import LineProcess as LineProcess
from ...players.protocols.protocol import Protocol as Protocol

# Games, replays and servers
from ...system.files import check_regular_output as check_regular_output
from ...play.game import (
    FaultPolicy as FaultPolicy,
    play_game as play_game,
)
from ...play.kaggle import KaggleGame as KaggleGame
from ...play.pool import (
    PlayerPool as PlayerPool,
    PooledPlayer as PooledPlayer,
)
from ...play.timely import (
    LoadMaker as LoadMaker,
    Question as Question,
    PlayerThread as PlayerThread,
    Timekeeper as Timekeeper,
)
from ...system.foreign import json_object as json_object

# Used by one game
from ...boards.blocks import (
    edges as edges,
    local_cuts as local_cuts,
    open_cells as open_cells,
    value_by_blocks as value_by_blocks,
)
from ...boards.flood import (
    flooded as flooded,
    separated as separated,
)
from ...boards.images import (
    image_of_direction as image_of_direction,
)
from ...boards.longest_path import (
    counted_fill as counted_fill,
    greedy_fill as greedy_fill,
    longest_path as longest_path,
    parity_bound as parity_bound,
    position_key as position_key,
    solve_fill as solve_fill,
    stretched as stretched,
)
from ...boards.images import (
    board_on as board_on,
    least_image as least_image,
    pad_of as pad_of,
    scratch as scratch,
)
from ...compiled import (
    fold as fold,
)
from ...compiled.bits import bucket_of as bucket_of
from ...evaluators import (
    Chambers as Chambers,
    QueueTerritory as QueueTerritory,
)
from ...evaluators.territory.prospects import Prospects as Prospects
from ...game.base import NO_ACTION as NO_ACTION
from ..description import Referee as Referee
from ...matrix import (
    solve_matrix as solve_matrix,
)
from ...play.preparation import Preparation as Preparation
from ...play.reading import (
    ReplayError as ReplayError,
    ReplayFormat as ReplayFormat,
    in_form as in_form,
)
from ...play.record import Turns as Turns
from ...play.replay import (
    Replay as Replay,
    Round as Round,
    game_json as game_json,
)
from ...players.base import MoveStatistics as MoveStatistics
from ...players.programs.named import (
    defines_class as defines_class,
)
from ...players.programs.player import (
    ServerProcess as ServerProcess,
)
from ...players.protocols.protocol import (
    Opening as Opening,
)
from ...system.files import (
    whole_file as whole_file,
)
from ...system.foreign import (
    read_text as read_text,
)
from ...system.sockets import (
    HttpConnection as HttpConnection,
    listen as listen,
)
