import { parseJson } from '../../../services/ingest/text/parse-json.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { checkJsonCounts, checkTextCounts } from './check-counts.js';
import type { Seed } from './corpus.js';
import { createRandom, mutate, type Random } from './mutate.js';
import { checkLogRoundTrip, type Tried, tryBody } from './try-body.js';

/** Tries a number of bodies. The error for a failing body contains it in full. */

export interface FuzzResult {
  readonly bodies: number;
  readonly taken: number;
  readonly rejected: number;
  /** Milliseconds of the slowest body, and its source. */
  readonly slowestMs: number;
  readonly slowest: string;
}

interface Case {
  readonly seed: Seed;
  readonly lines: readonly Buffer[];
  /** Requests of each line alone, if each line is parsed by itself; null if lines depend on each other. */
  readonly perLine: readonly (readonly string[])[] | null;
  /** Kind of records, if each line is one: text, which may also be a header, or JSON. */
  readonly records: 'text' | 'json' | null;
  readonly said: string;
}

/** A body takes a fraction of this. A slower one shows a parser with superlinear time. */
const MOST_MS = 2_000;

/** @throws Error with the body and its seed, at the first failure. */
export function fuzzBodies(corpus: readonly Seed[], bodies: number, seed: number): FuzzResult {
  const random = createRandom(seed);
  const cases = corpus.map(prepare);
  let taken = 0;
  let rejected = 0;
  let slowestMs = 0;
  let slowest = '';
  for (let count = 0; count < bodies; count++) {
    const one = cases[random(cases.length)]!;
    const made = make(one, cases, random);
    const chunkBytes = random(20) === 0 ? 1 + random(40) : made.body.length + 1;
    // CPU time, because other processes may delay this one.
    const started = process.cpuUsage();
    try {
      const { requests, tally, isRefused } = tryBody(made.body, one.said, chunkBytes);
      if (made.kept !== null) checkNeighbours(requests, made.kept, one.seed.source === 'combined');
      if (!isRefused && one.records === 'text') checkTextCounts(tally, made.body);
      if (!isRefused && one.records === 'json' && made.wrong !== null)
        checkJsonCounts(tally, made.wrong, NEIGHBOURS);
      if (count % 64 === 0) checkLogRoundTrip(requests);
      taken += requests.length;
      rejected += tally.rejected;
    } catch (error) {
      const where = `body ${count} of seed ${seed}, made of ${one.seed.source}/${one.seed.name}`;
      throw new Error(`${where}: ${made.body.toString('base64')}`, { cause: error });
    }
    const { user, system } = process.cpuUsage(started);
    const milliseconds = (user + system) / 1_000;
    if (milliseconds > slowestMs) [slowestMs, slowest] = [milliseconds, one.seed.source];
    if (milliseconds > MOST_MS) throw new Error(`${milliseconds} ms: ${made.body.toString('base64')}`);
  }
  return { bodies, taken, rejected, slowestMs, slowest };
}

function prepare(seed: Seed): Case {
  const lines = splitLines(seed.body);
  const whole = tryBody(seed.body, seed.query, seed.body.length + 1);
  const said = new URLSearchParams(seed.query);
  if (whole.tally.source !== null && !said.has('format')) said.set('source', whole.tally.source);
  const alone = lines.map((line) => tryBody(line, `${said}`, line.length + 1));
  const texts = alone.map(({ requests }) => textsOf(requests));
  const isSum = JSON.stringify(texts.flat()) === JSON.stringify(textsOf(whole.requests));
  return {
    seed,
    lines,
    perLine: isSum && lines.every(isWhole) ? texts : null,
    records: recordsOf(lines, alone),
    said: `${said}`,
  };
}

function recordsOf(lines: readonly Buffer[], alone: readonly Tried[]): Case['records'] {
  const counts = alone.map(({ tally }) => tally.parsed + tally.rejected + tally.skipped);
  // Logpush's test body has no record.
  if (!counts.includes(1)) return null;
  if (!lines.some(beginsAsJson)) return 'text';
  return counts.every((count) => count === 1) ? 'json' : null;
}

interface Made {
  readonly body: Buffer;
  /** Requests of unchanged lines, in order; null if these are unknown. */
  readonly kept: readonly string[] | null;
  /** The changed line between two unchanged ones; null if there is none. */
  readonly wrong: Buffer | null;
}

const NEIGHBOURS = 2;

function make({ seed, lines, perLine }: Case, cases: readonly Case[], random: Random): Made {
  const other = cases[random(cases.length)]!.seed.body;
  if (perLine === null || random(4) === 0)
    return { body: mutate(seed.body, other, random), kept: null, wrong: null };
  const victim = random(lines.length);
  // Neighbours on both sides, for any number of lines in the seed.
  const [before, behind] = [random(lines.length), random(lines.length)];
  const wrong = mutate(lines[victim]!, other, random);
  const body = Buffer.concat([lines[before]!, feed, wrong, feed, lines[behind]!]);
  // A header of columns affects the lines after it.
  if (wrong[0] === HASH) return { body, wrong, kept: null };
  // A line that no longer begins or ends as JSON may include its neighbours.
  const swallows = beginsAsJson(lines[victim]!);
  return {
    body,
    wrong,
    kept: swallows ? [...perLine[before]!] : [before, behind].flatMap((at) => perLine[at]!),
  };
}

const feed = Buffer.from('\n');
const HASH = 35;
const OPEN_OBJECT = 123;
const OPEN_LIST = 91;

/**
 * @param decidesTogether other lines of the upload decide which address in a line is the client, and a line in doubt comes later
 * (docs/log-format.md, "Combined")
 * @throws if an unchanged line has become another request, or none.
 */
function checkNeighbours(
  requests: readonly RawRequest[],
  kept: readonly string[],
  decidesTogether: boolean,
): void {
  const texts = textsOf(requests);
  const missing = decidesTogether
    ? lackingOf(texts.map(withoutPeer), kept.map(withoutPeer))
    : lackingInOrder(texts, kept);
  if (missing !== undefined) throw new Error(`a line next to the wrong one is lost or changed: ${missing}`);
}

function lackingInOrder(texts: readonly string[], kept: readonly string[]): string | undefined {
  let at = 0;
  for (const text of texts) if (at < kept.length && text === kept[at]) at++;
  return kept[at];
}

function lackingOf(texts: readonly string[], kept: readonly string[]): string | undefined {
  const left = [...texts];
  return kept.find((text) => {
    const place = left.indexOf(text);
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}

function withoutPeer(text: string): string {
  const { client_ip: _address, host: _host, ...rest } = JSON.parse(text) as RawRequest;
  return JSON.stringify(rest);
}

function textsOf(requests: readonly RawRequest[]): string[] {
  return requests.map((request) => JSON.stringify(request));
}

function beginsAsJson(line: Buffer): boolean {
  return line[0] === OPEN_OBJECT || line[0] === OPEN_LIST;
}

/** A line of text, or of JSON that ends in this line. */
function isWhole(line: Buffer): boolean {
  if (!beginsAsJson(line)) return line[0] !== 32;
  return parseJson(line.toString()) !== undefined;
}

function splitLines(body: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < body.length; ) {
    const end = body.indexOf(10, from);
    const to = end === -1 ? body.length : end;
    if (to > from) lines.push(body.subarray(from, to));
    from = to + 1;
  }
  return lines;
}
