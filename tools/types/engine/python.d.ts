// export/host/python.js as the page has it: what review.js takes of it. A value of Python's is any value here.
type Value = any;
export declare const python: {
  dict(...given: Value[]): Value; plainClass(name: string): Value; record(name: string, fields: string[]): Value; shown(x: Value): any;
  t(...items: Value[]): Value; tuple(items: Value[]): Value;
};
