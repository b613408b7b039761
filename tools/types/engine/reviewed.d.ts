// The program's own review in JavaScript, which web/site/reviewing.py makes: Python's functions by their names.
export declare function makeReview(given: Record<string, unknown>): Record<string, (...values: any[]) => any>;
