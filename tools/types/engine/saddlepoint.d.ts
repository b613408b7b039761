// export/host/engine.js as the page has it, with what it exports (web/site/__init__.py). tsc holds engine.js to the same interfaces.
export declare const NO_ACTION: number, CHANCE: number, SIMULTANEOUS: number, TERMINAL: number;
export declare const Game: { new(about: About, instance: WebAssembly.Instance): EngineGame; load(about: About, bytes: BufferSource): Promise<EngineGame> };
export declare const Searcher: { new(game: EngineGame, seat: number, number?: number, table?: number | null): EngineSearcher };
export type Searcher = EngineSearcher;
export declare const Player: { new(game: EngineGame, number?: number, table?: number | null): EnginePlayer };
