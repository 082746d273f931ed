/**
 * Directives of a W3C extended log file, which describe the lines after them. Each part of such a file is a separate upload,
 * and starts with the latest directives before it.
 */

const REPEATED = ['#Version', '#Software', '#Date', '#Fields'];
const HASH = 35;
const LINE_FEED = 10;
/** Longer lines are not directives. */
const MOST_BYTES = 64 * 1024;

export interface Directives {
  /** The latest directives, for the start of the next part; empty if there are none. */
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
      // Without #Fields, the other directives have no meaning.
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

/** Index of the next line that starts with #. */
function nextHash(bytes: Buffer, from: number): number {
  const at = bytes.indexOf('\n#', from);
  return at === -1 ? -1 : at + 1;
}
