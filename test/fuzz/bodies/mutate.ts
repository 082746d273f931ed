/** Defects of lines that senders, networks or attackers can cause. */

/** An integer from 0 to below `below`; a seed gives the same sequence. */
export type Random = (below: number) => number;

/** mulberry32: small, and much faster than a cryptographic generator. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const tokens = [
  '"', "'", '\\', '\\"', '\\x', '\\xff', '[', ']', '{', '}', '(', ')', '<', '>', ' ', '\t', '\r', '|', ',', ';', ':', '=', '/', '//',
  '%', '%00', '%ff', '%2', '+', '-', '--', '.', '..', '#', '#Fields: ', '@', '~', '^', '?', '&', '*', '\0', '\u0080', '\ufeff', '€', '😀',
  '__proto__', 'constructor', 'toString', 'null', 'true', 'NaN', '-1', '0', '00', '1e999', '9007199254740993', '18446744073709551616',
  '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '[31/Feb/2026:25:61:61 +9999]', '0.0.0.0', '::', '999.999.999.999', 'HTTP/1.1', 'GET ',
  '{"a":', '"}', '\\u0000', '\\ud800', ' - - ', '""', '" "', '<134>1 ', '<190>Feb 14 08:15:31 ', ' stdout F ',
].map((token) => Buffer.from(token)); // biome-ignore format: a list of words

/** The line with up to four defects, without line feeds, so that its neighbours stay separate lines. */
export function mutate(line: Buffer, other: Buffer, random: Random): Buffer {
  let bytes = line;
  for (let wrongs = 1 + random(4); wrongs > 0; wrongs--) bytes = once(bytes, other, random);
  return bytes.includes(LINE_FEED) ? Buffer.from(bytes.filter((byte) => byte !== LINE_FEED)) : bytes;
}

const LINE_FEED = 10;
/** Without a bound, lines that grow with each defect would dominate. */
const LONGEST = 8_192;

function once(bytes: Buffer, other: Buffer, random: Random): Buffer {
  const at = random(bytes.length + 1);
  const to = Math.min(bytes.length, at + random(24));
  const replaced = (piece: Buffer, behind = at) =>
    Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(behind)]);
  switch (random(8)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return bytes.subarray(at);
    case 2:
      return replaced(Buffer.alloc(0), to);
    case 3:
      return replaced(Buffer.of(random(256)), at + 1);
    case 4:
      return replaced(tokens[random(tokens.length)]!);
    case 5:
      return replaced(tokens[random(tokens.length)]!, to);
    case 6:
      return bytes.length > LONGEST ? bytes : replaced(bytes.subarray(at, to));
    default: {
      const from = random(other.length + 1);
      return replaced(other.subarray(from, from + random(60)), to);
    }
  }
}
