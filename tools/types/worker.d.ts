// Around the engine of a page without a server.

/** A game of the page: its rules, its texts and pictures, its row in the catalogue, and the line that was asked about last. */
interface LoadedGame {
  host: EngineGame; texts: Texts; about: PageAbout; row: CatalogueGame & { file: string }; line: KnownLine | null;
  players?: Map<string, EnginePlayer>; table?: { bytes: number; place: number };
  solution?: Promise<import("../../src/saddlepoint/web/site/page/solution.js").Solution> | null;
}
interface KnownLine { start: string | null; moves: Joint[]; states: State[]; names: (Names | null)[] }

// What web/site/__init__.py puts before the engine in a page of one file.
declare const FILES: Record<string, any>, modules: Record<string, any>;

// A service worker has these instead of what a worker has (sw.js).
declare const registration: ServiceWorkerRegistration;
declare function addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
declare function addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;

/** A message as it may have been written: a field may be null. */
type Nullable<T> = { [name in keyof T]: T[name] | null };
