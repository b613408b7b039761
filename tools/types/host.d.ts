// What lines.js uses of Node.
declare const process: {
  stdin: { setEncoding(name: string): void; on(event: "data", listener: (text: string) => void): void }; stdout: { write(text: string): void }; exit(code: number): never;
};
