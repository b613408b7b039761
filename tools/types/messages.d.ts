// What passes between the page and the engine, and what a picture is made of: docs/page_interface.md in types. They are global, so that
// a file names them without an import.

/** A column and a row. */
type Cell = [x: number, y: number];
/** Player 0 or 1; null, or nothing, for what is nobody's. */
type Owner = number | null;
/** What both players do, or [outcome, -1] of chance. */
type Joint = [first: number, second: number];
/** The least and the largest result. */
type Bounds = [low: number, high: number];

interface Piece { x: number; y: number; owner?: Owner; shape?: string; label?: string; title?: string; locked?: boolean; id?: string }
interface Trail { owner: Owner; cells: Cell[]; head?: boolean; moves_on?: boolean }
interface Mark { x: number; y: number; kind: string; owner?: Owner; label?: string; title?: string }
interface Figure { label: string; value: number; owner?: Owner; most?: number | null }
interface Move {
  player: number; action: number; name: string; to?: Cell | null; start?: Cell | null; via?: Cell | null; arrow?: string; piece?: Piece | null;
}
interface Overlay { name: string; areas?: [Owner, Cell[]][]; points?: Cell[]; paths?: [Owner, Cell[]][] }
interface Arrow { player: number; from: Cell; to: Cell; share?: number; label?: string }
/** A position as it is drawn. Without cells it has no width and no height, and is its fields or its text. */
interface Picture {
  width: number; height: number; board?: string; walls?: Cell[]; marks?: Mark[]; trails?: Trail[]; pieces?: Piece[]; numbers?: Figure[];
  moves?: Move[]; column_names?: string[]; row_names?: string[]; wraps?: boolean; text?: string; said?: string; fields?: [string, string[][]][];
}

type NodeKind = "turn" | "simultaneous" | "chance" | "over";
/** Of the players; null for who did nothing, and in the second place where chance drew. */
type Names = (string | null)[];
interface Position { picture: Picture; node: NodeKind; to_act: number[]; result: number | null; names: Names | null; text: string; render: string; turn: number }
/** A game as every message names it. */
/** `since`: how many of the moves others had played before who plays now took over; `former`: who these others were. */
interface GameRef { game: string; start: string | null; moves: Joint[]; since?: number; former?: string[] }
interface Ending { players: (string | null)[]; why: string; says?: string[] }

interface NewGame { game: string; start: string; position: Position }
interface MiddleGame { game: string; moves: Joint[]; next: Joint | null; position: Position }
interface Grid { cells: (number | null)[][]; symbols: string[]; owners: (0 | 1 | null)[]; words: string[]; single: string[] }
interface ReadPosition extends NewGame { grid?: Grid | null }
interface Positions { positions: Position[]; turn_word: string; first_turn: number; turn_based: boolean; range: Bounds; ending: Ending | null }
interface Branch { names: Names | null; chance: boolean; turn: number }
/** [action, name, share] */
type Share = [number, string, number];
interface Answer {
  action: number; name: string; seconds: number; value: number | null; depth: number | null; nodes: number | null; strategy: Share[] | null; line: string[];
}

/** A position of GAME DATA; `unpack` makes it whole. */
interface ReplayPosition {
  picture: Picture; text: string; names?: Names | null; chance?: string | null; ms?: (number | null)[]; value?: number | null; depth?: number | null; nodes?: number | null;
}
/** The same as it is sent: what differs from the one before. */
interface PackedPosition extends Omit<ReplayPosition, "picture" | "text"> {
  picture: PackedPicture; text?: string | [number, Record<string, string>];
}
type PackedList<T> = T[] | { drop?: number[]; grow?: [number, Cell[]][]; add?: T[] };
type PackedPicture = Omit<Picture, "walls" | "marks" | "pieces" | "trails"> & {
  same?: (keyof Picture)[]; walls?: PackedList<Cell>; marks?: PackedList<Mark>; pieces?: PackedList<Piece>; trails?: PackedList<Trail>;
};
interface GameData {
  game: string; title: string; players: string[]; titles: string[]; start: string; actions: Joint[]; positions: PackedPosition[]; turns: number[];
  turn_word: string; first_turn: number; range: Bounds; result: number | null; reason: string; why?: string[]; faults?: string[]; resigned?: number | null; seed?: string | null;
  variations?: string | null; event?: string; limits?: string;
  since?: number; former?: string[];
  /** Of a file or a ledger: the line of a replay file, with all that was recorded. */
  line?: string;
  /** Of a file that was dropped on the page: how many games it has, which of them this is, and what names it in an address. */
  games?: number; number?: number; stamp?: string;
}

interface Level { name: string; spec?: string; nodes?: number; seconds?: number }
interface Named { spec: string; name?: string }
interface Parameter { name: string; title?: string; kind: string; default: string | number | boolean | null; choices?: (string | number)[]; low?: number; high?: number }
interface CatalogueGame {
  spec: string; name: string; title: string; summary: string; group: string; rules: string[]; own: boolean; turn_based: boolean; has_chance: boolean;
  parameters: Parameter[]; players: Named[]; levels: Level[]; algorithms: Named[]; evaluators: Named[]; overlays: (string | { name: string })[];
}
interface Listed { id: string; name: string }
interface Catalogue { games: CatalogueGame[]; ledgers: Listed[]; replays: Listed[]; fits: Listed[]; shown: string | null; limits: Record<string, number> }

interface Generation {
  number: number; positions: number; entropy: number; held_out: number; score: number; kept: boolean; nash_conv: number | null; gate: number[];
}
interface FitStep { generation: number | null; what: string; done: number; total: number | null; standing: string }
interface Fit { changed: string; name: string; game: string; generations: Generation[]; drawn: string; step: FitStep | null }
interface Tournament {
  id: number; kind: string; players: string[]; games: number; planned: number | null; created: string; finished: boolean; game: string; title: string;
}
interface LedgerSummary { changed: string; name: string; tournaments: Tournament[]; games: { heading: string; games: number; drawn: string[] }[] }
interface RunningGame {
  tournament: number; number: number; players: string[]; titles: string[]; title: string; event: string; limits: string; turn_word: string;
  positions: { number: number; turn: number; picture: Picture; names: Names | null }[];
}
interface Running { changed: string; entered: string; running: number; games: RunningGame[]; finished: { tournament: number; number: number; id: number }[] }
interface LedgerGame { id: number; tournament: number; players: string[]; points: number; reason: string; turns: number | null }
interface LedgerGames { games: LedgerGame[]; total: number }

// -- the channel of the analysis --------------------------------------------------------------------------------------------

/** What the page asks for; the channel adds an `id`. */
interface AnalyseRequest extends GameRef {
  do: "analyse"; algorithm?: string | null; evaluator?: string | null; seconds?: number; alternatives?: boolean; overlays?: string[];
}
interface ReviewRequest extends GameRef {
  do: "review"; algorithm?: string | null; evaluator?: string | null; seconds_per_turn?: number; nodes_per_turn?: number; players?: string[];
  result?: number | null; faults?: string[] | null; since?: number;
}
type EngineRequest = AnalyseRequest | ReviewRequest;
type SentRequest = { id: number } & (EngineRequest | { do: "stop" });

/** How a value is to be read: it may be a bound alone. */
type Bound = "lower" | "upper" | null;
interface Compiling { kind: "compiling"; what?: string; seconds?: number; ahead?: number }
interface SearchCounters { depth: number; nodes: number; nodes_per_second: number; table_hits: number | null; leaves: number; seconds: number }
interface FoundLine { line: Names[]; line_actions: Joint[] }
interface CountersMessage extends SearchCounters { kind: "counters" }
interface SearchMessage extends Omit<SearchCounters, "depth">, FoundLine {
  kind: "search"; depth: number; value: number; bound: Bound; bounds: Bounds; without_chance: boolean; search: string; exact: boolean; plies: number | null;
  strategies: Share[][];
}
interface BestLine extends FoundLine { player: number; action: number; value: number | null; exact: boolean; bound: Bound }
interface AlternativesCommon extends FoundLine {
  kind: "alternatives"; bound: Bound; without_chance: boolean; algorithm: string; search: string; depth: number; finished: number; value: number;
  proven: boolean; lines: BestLine[];
}
/** Both choose: what each pair of actions is worth. */
interface StageMessage extends AlternativesCommon {
  rows: [number, string][]; columns: [number, string][]; values: (number | null)[][]; exact: boolean[][]; mixtures: number[][] | null;
  player?: undefined; moves?: undefined;
}
/** One chooses, or chance does (a negative number): what each of its actions is worth. */
interface MovesMessage extends AlternativesCommon {
  player: number; moves: [number, string, number | null][]; exact: boolean[];
  rows?: undefined; columns?: undefined; values?: undefined; mixtures?: undefined;
}
type AlternativesMessage = StageMessage | MovesMessage;
interface OverlaysMessage { kind: "overlays"; overlays: Overlay[] }
interface ReviewedMessage {
  kind: "review"; step: number; turn: number; value: number | null; depth: number; exact: boolean; played: Names; done: number; expected: number;
}
interface Moment { step: number; says: string }
interface StoryStep { kind: "end" | "chance" | "lost"; step: number; says: string[] }
interface Choice { action: number; name: string; share: number; loss: number }
interface Mistake { step: number; player: number; label: string; move: string; loss: number; exact: boolean; choices: Choice[]; choices_exact: boolean }
interface ReviewedTurn { turn: number; moves: Names; value: number; exact: boolean }
type Sizes = Record<"small" | "medium" | "large", number>;
interface ReviewNumbers { sizes: Sizes; rows: string[][]; says: string[] }
interface Balance { says: string[]; rows: string[][]; exact: boolean }
/** What the last message of a review has besides. */
interface ReviewResult {
  says: string[]; moments: Moment[]; verdict: { step: number | null }; story: StoryStep[]; stands: string; turns: ReviewedTurn[]; turn_word: string;
  mistakes: Mistake[]; numbers: ReviewNumbers; balance: Balance | null;
}
interface DoneMessage extends Partial<ReviewResult> { kind: "done"; reason: "exact" | "depth" | "time" | "stopped" }
interface ErrorMessage { kind: "error"; error: string }
type EngineMessage = Compiling | CountersMessage | SearchMessage | AlternativesMessage | OverlaysMessage | ReviewedMessage | DoneMessage | ErrorMessage;
type HeardMessage = { id: number } & EngineMessage;

/** What the page hands to `channel`. */
interface ChannelListener<Heard> { onOpen: () => void; onMessage: (message: Heard) => void; onClose: () => void }
/** What a view hands to a channel that opens again. */
interface LastingListener<Heard> { onOpen: () => void; onMessage: (message: Heard) => void; onAway: (away: boolean) => void }
interface Channel<Sent> { readonly isOpen: boolean; send(message: Sent): void; close(): void }

// -- people at two places ---------------------------------------------------------------------------------------------------

type Wish = "back" | "again";
type TableSent =
  | { do: "open"; key: string } | { do: "sit"; name: string } | { do: "choose"; move: number; action: number } | { do: "wish"; what: Wish }
  | { do: "decline" } | { do: "resign" } | { do: "look"; at: number } | { do: "round" } | { do: "remove"; person: number };
/** What a link to this server needs: what follows its path, and its address for other machines where the page was opened by another. */
interface Entrance { query: string; outside: string | null }
/** A table as one guest sees it; pairs are by player. */
interface TableMessage {
  kind: "table"; game: string; start: string; moves: Joint[]; seat: number | null; names: [string, string]; levels: [string, string];
  here: [boolean, boolean]; watching: number; chosen: [boolean, boolean]; own: number | null; wish: [Wish, number] | null;
  ended: ["resigned" | "late" | "left", number] | null; points: number | null; score: [number, number]; games: number; minutes: number | null;
  increment: number; left: [number, number] | null; runs: [boolean, boolean]; look: number | null; watch: string; entrance: Entrance; invite?: string;
  room?: { key: string; next: string | null } | null;
}
interface RoomPerson {
  name: string; score: number; games: number; plays: boolean; here: boolean; watch: string | null; level: string; removed: boolean;
}
interface RoomMessage {
  kind: "room"; title: string; game: string; ladder: boolean; best: boolean; minutes: number | null; increment: number; round: number;
  person: number | null; host: boolean; people: RoomPerson[]; entrance: Entrance; door?: string; ledger?: string; seat?: string | null;
}
type TableHeard = TableMessage | RoomMessage | { kind: "seat"; key: string } | { kind: "error" | "gone"; error: string };

// -- between the page and its own workers -----------------------------------------------------------------------------------

/** A request of the interface, or one part of an analysis. */
type WorkerQuestion = { path: string; body: string | undefined; part?: string } | { message: SentRequest; part: string };
/** How a game's solution stands: its size in bytes, how many are there, the SHA-256 of the solved file, what best responses gain. */
interface ProofMessage {
  title: string; subject: string; positions: number; of: string; gap: number; bytes: number; done: number; state: "coming" | "ready" | "damaged"; error?: string;
}
/** The last word on a question has a status and a body; what is told on the way stands in `told`. */
interface WorkerAnswer { status: number; body: any }
