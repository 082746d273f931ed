import { z } from 'zod';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { InvalidRegexError } from '../../../../shared/store/store-errors.js';

export interface RegexProblem {
  readonly pattern: string;
  /** The engine's own reason, e.g. `missing ): (shoes`. */
  readonly problem: string;
}

/**
 * The first pattern that the engine which is to run them can't compile; null where there is none. RE2 never backtracks,
 * so a pattern that compiles can be slow in proportion to the text alone.
 * @throws StoreUnavailableError, StoreTimeoutError
 */
export async function checkRegexes(
  reader: ClickHouseReader,
  patterns: readonly string[],
): Promise<RegexProblem | null> {
  if (patterns.length === 0 || (await compile(reader, patterns)) === null) return null;
  for (const pattern of patterns) {
    const problem = await compile(reader, [pattern]);
    if (problem !== null) return { pattern, problem };
  }
  return null;
}

/** Changes nothing (`.` takes a line break anyway), but keeps the engine from taking a text for plain and not compiling it. */
const FLAGS = '(?s)';

/** Why they can't be compiled, all in one statement; null where they can. */
async function compile(reader: ClickHouseReader, patterns: readonly string[]): Promise<string | null> {
  const names = patterns.map((_, index) => `pattern_${index}`);
  try {
    await reader.read({
      name: 'segments.check_regexes',
      sql: `SELECT [${names.map((name) => `match('', {${name}: String})`).join(', ')}] AS matches`,
      params: Object.fromEntries(names.map((name, index) => [name, FLAGS + patterns[index]])),
      row: z.unknown(),
    });
    return null;
  } catch (error) {
    if (!(error instanceof InvalidRegexError)) throw error;
    return reasonOf(error.message, FLAGS + patterns[0]);
  }
}

const HEAD = 'cannot compile re2: ';
/** RE2's reason, and what of the pattern it is about. */
const REASON = /, error: (.*?)(?:: (.*?))?\. Look at /s;
const LONGEST_PART = 60;
/** The client ends a message where the pattern holds capitals in brackets, the embedded engine where it holds a NUL. */
const UNTOLD = 'not a regular expression that RE2 can compile';

/** From `… cannot compile re2: <pattern>, error: <reason>: <part of the pattern>. Look at <a page> …` */
function reasonOf(message: string, pattern: string): string {
  const echo = message.indexOf(HEAD + pattern);
  const [, reason, part = ''] =
    REASON.exec(echo < 0 ? message : message.slice(echo + HEAD.length + pattern.length)) ?? [];
  if (reason === undefined) return UNTOLD;
  return part === '' || part.startsWith(FLAGS) || part.length > LONGEST_PART ? reason : `${reason}: ${part}`;
}
