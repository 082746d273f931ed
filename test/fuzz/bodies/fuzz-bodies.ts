import { parseJson } from '../../../services/ingest/text/parse-json.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import type { Seed } from './corpus.js';
import { holdJsonCounts, holdTextCounts } from './hold-counts.js';
import { createRandom, mutate, type Random } from './mutate.js';
import { holdToLog, type Tried, tryBody } from './try-body.js';

/** Tries so many bodies; each is told in full where it does what none may. */

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
  /** What comes of each line alone, where each has its own; null where lines need each other. */
  readonly perLine: readonly (readonly string[])[] | null;
  /** Whether each line is a record: of text, where it may be a header too, or of JSON. */
  readonly records: 'text' | 'json' | null;
  readonly said: string;
}

/** A body takes a fraction of this; one of its size that does not has a parser whose time grows faster than its input. */
const MOST_MS = 2_000;

/** @throws Error that tells the body, and the seed of its making, at the first one that does what none may. */
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
    // Of the processor: others may hold it up for any time.
    const started = process.cpuUsage();
    try {
      const { requests, tally, isRefused } = tryBody(made.body, one.said, chunkBytes);
      if (made.kept !== null) holdNeighbours(requests, made.kept);
      if (!isRefused && one.records === 'text') holdTextCounts(tally, made.body);
      if (!isRefused && one.records === 'json' && made.wrong !== null)
        holdJsonCounts(tally, made.wrong, NEIGHBOURS);
      if (count % 64 === 0) holdToLog(requests);
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
  // The body by which Logpush tries an address has no record.
  if (!counts.includes(1)) return null;
  if (!lines.some(beginsAsJson)) return 'text';
  return counts.every((count) => count === 1) ? 'json' : null;
}

interface Made {
  readonly body: Buffer;
  /** The requests of the lines that were left as they are, in their order; null where these can't be told. */
  readonly kept: readonly string[] | null;
  /** The line between two that were left as they are; null where the body has none. */
  readonly wrong: Buffer | null;
}

const NEIGHBOURS = 2;

function make({ seed, lines, perLine }: Case, cases: readonly Case[], random: Random): Made {
  const other = cases[random(cases.length)]!.seed.body;
  if (perLine === null || random(4) === 0)
    return { body: mutate(seed.body, other, random), kept: null, wrong: null };
  const victim = random(lines.length);
  // Neighbours on both sides, however many lines the seed has.
  const [before, behind] = [random(lines.length), random(lines.length)];
  const wrong = mutate(lines[victim]!, other, random);
  const body = Buffer.concat([lines[before]!, feed, wrong, feed, lines[behind]!]);
  // A header of columns holds for the lines behind it.
  if (wrong[0] === HASH) return { body, wrong, kept: null };
  // A line that no longer begins or ends as JSON may swallow what stands beside it, and rightly so.
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

/** @throws where a line that was left as it is has come to be another request, or none. */
function holdNeighbours(requests: readonly RawRequest[], kept: readonly string[]): void {
  const texts = textsOf(requests);
  let at = 0;
  for (const text of texts) if (at < kept.length && text === kept[at]) at++;
  if (at < kept.length) throw new Error(`a line beside the wrong one is lost or changed: ${kept[at]}`);
}

function textsOf(requests: readonly RawRequest[]): string[] {
  return requests.map((request) => JSON.stringify(request));
}

function beginsAsJson(line: Buffer): boolean {
  return line[0] === OPEN_OBJECT || line[0] === OPEN_LIST;
}

/** A line of text, or of JSON that does not go on behind it. */
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
