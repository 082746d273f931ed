import { z } from 'zod';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { InvalidRegexError } from '../../../../shared/store/store-errors.js';

export interface RegexProblem {
  readonly pattern: string;
  /** The reason from the engine, e.g. `missing ): (shoes`. */
  readonly problem: string;
}

/**
 * @returns the first pattern that the engine can not compile; null: all compile. RE2 never backtracks, so the run time of a pattern
 * that compiles is proportional to the text.
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

/** No effect on matching (`.` matches a line break anyway). It makes the engine compile a pattern that it would search as plain text. */
const FLAGS = '(?s)';

/** Compiles all patterns in one statement. @returns the error message; null if all compile. */
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
/** RE2's reason and the part of the pattern with the error. */
const REASON = /, error: (.*?)(?:: (.*?))?\. Look at /s;
const LONGEST_PART = 60;
/** The client cuts a message if the pattern has capitals in brackets; the embedded engine cuts it if the pattern has a NUL. */
const UNTOLD = 'not a regular expression that RE2 can compile';

/** From `… cannot compile re2: <pattern>, error: <reason>: <part of the pattern>. Look at <a page> …` */
function reasonOf(message: string, pattern: string): string {
  const echo = message.indexOf(HEAD + pattern);
  const [, reason, part = ''] =
    REASON.exec(echo < 0 ? message : message.slice(echo + HEAD.length + pattern.length)) ?? [];
  if (reason === undefined) return UNTOLD;
  return part === '' || part.startsWith(FLAGS) || part.length > LONGEST_PART ? reason : `${reason}: ${part}`;
}
