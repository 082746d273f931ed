/**
 * Lines by which a W3C extended log file says how what follows is to be read. Each part of such a file is an upload of its own,
 * and begins with the latest of those before it.
 */

const REPEATED = ['#Version', '#Software', '#Date', '#Fields'];
const HASH = 35;
const LINE_FEED = 10;
/** A longer one is no directive. */
const MOST_BYTES = 64 * 1024;

export interface Directives {
  /** The latest lines, to be put before what follows; empty where there is none. */
  readonly lines: Buffer;
  /** Reads a part of the file. */
  read(bytes: Buffer): void;
}

export function createDirectives(): Directives {
  const latest = new Map<string, string>();

  function keep(line: string): void {
    const name = REPEATED.find((one) => line.startsWith(`${one}:`));
    if (name !== undefined) latest.set(name, line.trimEnd());
  }

  return {
    get lines() {
      const lines = REPEATED.map((name) => latest.get(name)).filter((line) => line !== undefined);
      // What a later part has no fields for says nothing.
      return Buffer.from(latest.has('#Fields') ? lines.map((line) => `${line}\n`).join('') : '');
    },
    read(bytes) {
      for (let at = bytes[0] === HASH ? 0 : nextHash(bytes, 0); at !== -1; at = nextHash(bytes, at)) {
        const end = bytes.indexOf(LINE_FEED, at);
        const to = end === -1 ? bytes.length : end;
        if (to - at <= MOST_BYTES) keep(bytes.toString('utf8', at, to));
      }
    },
  };
}

/** Where the next line that begins with # does. */
function nextHash(bytes: Buffer, from: number): number {
  const at = bytes.indexOf('\n#', from);
  return at === -1 ? -1 : at + 1;
}
