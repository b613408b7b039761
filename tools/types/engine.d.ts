// The exported engine: what export/host/engine.js has, and what its users know of it (docs/exporting.md says what `about` tells).

/** A position: an array of 64-bit words. */
type State = BigUint64Array;
/** Probabilities by action. */
type Mixture = Map<number, number>;
type Mixtures = Mixture[];
/** Bytes that are the same every time: [offset, bytes as hexadecimal digits, how often]. */
type Runs = [number, string, number][];

interface SearchAbout {
  family: "turns" | "stages"; serialised: boolean; bytes: number; fields: Record<string, [offset: number, kind: string, ...shape: number[]]>; seats: Runs[];
  entries: number[]; reset: Runs; begin: Runs; solves: boolean; table: { items: number; bytes: number }; keeps: boolean; grain: number; deepest: number;
  aspiration: number; discount: number; bound: number; proof: { never: boolean; one_sided: boolean; flip: boolean; share: number; has_chance: boolean };
}
interface Policy { name: string; shares: number; reserve: number; floor: number; soft_share: number; stretch: number; largest: number }
interface PlayerAbout { spec: string; search: number; choice: "best" | "mixture"; limits: SearchLimits; policy: Policy }
interface AnalysisAbout { search: number; seat: number; name: string; said: string; bound: Bound; quiet: boolean }
/** A solution of the page: its bytes packed and unpacked, the SHA-256 of the packed ones, and of the file that was solved; what best responses gain. */
interface SolutionAbout { bytes: number; unpacked: number; digest: string; of: string; subject: string; positions: number; gap: number }
/** A position of a solved game: what each player chooses from, the values of all joint actions, and an equilibrium. */
interface SolvedStage { value: number; choices: number[][]; matrix: number[][]; strategies: Mixtures }
interface ReviewAbout { search: number; quiet: boolean; max_depth: number; chance: [hasChance: boolean, plies: number][] }
/** What the rules and the players of an exported game are. */
interface About {
  name: string | null; game: string; words: number; start: string[]; max_actions: number; max_outcomes: number; max_depth: number; utilities: Bounds;
  turn_based: boolean; has_chance: boolean; first_turn: number; searches: SearchAbout[]; players: PlayerAbout[];
}
interface PageLevel { name: string; spec: string; player: number | null; seconds?: number; nodes?: number }
/** The same of a game of a page without a server. */
interface PageAbout extends About {
  levels: PageLevel[]; analyses: AnalysisAbout[]; review: ReviewAbout;
  middle: { moves: Joint[]; next: Joint | null }; parameters: Record<string, unknown>; rules: object | null; solution: SolutionAbout | null;
}

interface SearchLimits { depth?: number | null; nodes?: number | null; seconds?: number | null }
interface Iteration { depth: number; value: number; plies: number | null; raw: number; nodes: number; seconds: number; strategies: Mixtures }
interface SearchFound extends Iteration { iterations: Iteration[]; solved: boolean; best: number[] | null; counters: Record<string, number> }
interface SearchHow { seed?: bigint; rootStep?: number; keepGoing?: ((iterations: Iteration[]) => boolean) | null; deepen?: boolean }
interface Clock { bank: number; increment: number; cap: number }

interface EngineRecord { has(name: string): boolean; get(name: string, ...indices: number[]): any }
/** The rules of a game, and memory for who searches. */
interface EngineGame {
  about: About; code: Record<string, any>; memory: WebAssembly.Memory; free: number;
  room(bytes: number): number; put(state: State): number; start(): State;
  node(state: State): number; toAct(state: State): number[]; legal(state: State, player: number): number[]; worthSearching(state: State, player: number): number[];
  outcomes(state: State): [outcome: number, probability: number][]; next(state: State, action0: number | bigint, action1: number | bigint): State;
  pastChance(state: State): State; result(state: State): number; hash(state: State): bigint;
}
interface EngineSearcher {
  game: EngineGame; seat: number; about: SearchAbout; age: number; ws: EngineRecord; table: number;
  clear(): void; search(state: State, limits: SearchLimits, how?: SearchHow): SearchFound; line(state: State): Joint[];
}
interface EnginePlayer {
  searchers: Map<number, EngineSearcher>; begin(seat: number, seed?: bigint | null): void;
  choose(state: State, clock?: Clock, more?: SearchLimits): { action: number; found: SearchFound | null };
}

/** The texts and pictures of a game, which `makeTexts` gives. */
interface Texts {
  picture(state: State): Picture; pictures(states: State[], from: number): Picture[]; actionName(state: State, player: number, action: number): string;
  outcomeName(state: State, outcome: number): string; text(state: State): string; render(state: State): string; fromText(text: string): State;
  endings(states: State[]): Ending | null; reasons(states: State[], names: string[]): string[]; slowly(states: State[]): boolean[];
  turns(states: State[]): { word: string; done: number[] };
  images(state: State): [image: State, actions0: number[], actions1: number[], swap: boolean][];
}
