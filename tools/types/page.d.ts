// What the parts of the page hand to each other.

type Params = URLSearchParams | Record<string, string>;
/** What a request waits for. */
interface Wait { compiling: string; seconds?: number; ahead?: number }
interface RequestOptions { signal?: AbortSignal | null; kind?: "json" | "text"; headers?: Record<string, string>; onWait?: ((wait: Wait | null) => void) | null }
/** What transport.js takes, and what it answers of a Response. */
interface SentOptions { method?: string; body?: string | Blob; signal?: AbortSignal | null; headers?: Record<string, string> }
interface SentAnswer { readonly status: number; readonly ok: boolean; readonly statusText?: string; json(): Promise<any>; text(): Promise<string> }

/** The answer of a path of the interface; `null` where nothing is new. */
type AnswerOf<Path extends string> =
  Path extends "/api/catalogue" ? Catalogue
  : Path extends "/api/new" ? NewGame
  : Path extends "/api/middle" ? MiddleGame
  : Path extends "/api/from-text" ? ReadPosition
  : Path extends "/api/positions" ? Positions
  : Path extends "/api/branches" ? { branches: Branch[] }
  : Path extends "/api/chance" ? { outcome: number; name: string }
  : Path extends "/api/answer" ? Answer
  : Path extends "/api/tables" | "/api/rooms" ? { key: string }
  : Path extends "/api/line" | "/api/export" ? string
  : Path extends `/api/replay?${string}` | `/api/replays/${string}` | `/api/ledgers/${string}/games/${string}` ? GameData
  : Path extends `/api/ledgers/${string}/games?${string}` ? LedgerGames
  : Path extends `/api/fits/${string}` ? Fit | null
  : unknown;

/** What a view is mounted with: app.js says what each is. */
interface Context {
  api: typeof import("../../src/saddlepoint/web/static/api.js");
  catalogue(): Promise<Catalogue>; go(name: string, params?: Params): void; remember(params: Params): void; title(text: string): void;
  say(text: string): void; signal: AbortSignal;
}
type Unmount = (() => void) | null | undefined | void;
interface View { mount(host: HTMLElement, params: URLSearchParams, context: Context): Unmount | Promise<Unmount>; update?(params: URLSearchParams): boolean }

type Person = { kind: "you" };
type Seat = Person | { kind: "level"; level: string } | { kind: "by"; by: string; seconds?: number; nodes?: number };
/** What this browser keeps of a game in progress. */
interface KeptGame {
  id: string; at: number; ref: GameRef; seats: [string | null, string | null]; over?: boolean; resigned?: number | null; chosen?: Record<number, number> | null;
  flipped?: boolean | null;
}

type Child = globalThis.Node | string | number | null | undefined | false;
/** Of an element, by their names; `on…` are listeners. */
type Attributes = Record<string, any>;
/** The number of a position, or a step from the one shown. */
type Step = number | "first" | "prev" | "next" | "last";

interface LineState { acting?: boolean; text?: string; won?: boolean }
interface PlayerLine { node: HTMLElement; draw(picture: Picture, state?: LineState): void }

/** What a search on the page tells the analysis, and the views in it. */
interface SearchHandlers {
  enter(joint: Joint): void; walk(joints: Joint[]): void; point(joint: Joint | null): void; line(joints: Joint[] | null): void; changed(): void;
}
/** The value and the line that are told, of a search or of the values of alternatives. */
type Reading = SearchMessage | (Omit<StageMessage, "exact"> & { exact: boolean }) | (Omit<MovesMessage, "exact"> & { exact: boolean });
/** What the list of moves reads of a position, of a game in progress or of a replay. */
interface ListedPosition { turn?: number; names?: Names | null; node?: NodeKind; chance?: string | null }
