import type { z } from '@hono/zod-openapi';
import { PublicError } from '../../shared/errors.js';
import { shortened } from './operation/input.js';
import { aliasOf, isListParameter } from './operation/parameters.js';

/**
 * Reads the query string for one operation: each parameter once, under the operation's own name. An ignored filter would return figures of all
 * requests, so each parameter is applied, refused or named in the answer.
 */

export interface ReadQuery {
  /** One text for each given name of the schema. */
  readonly given: Record<string, string>;
  /** Names that the operation does not support (spec §2.1: a read ignores common parameters that it does not apply). */
  readonly ignored: readonly string[];
}

const MOST_NAMED = 10;

/**
 * @param sent all values of each name, in the order of the address.
 * @throws PublicError invalid_request if a parameter that is no list has two values.
 */
export function readQuery(schema: z.ZodObject, sent: Readonly<Record<string, readonly string[]>>): ReadQuery {
  const names = namesOf(schema);
  const given = new Map<string, { readonly as: string; readonly values: readonly string[] }>();
  const ignored: string[] = [];
  for (const [as, values] of Object.entries(sent)) {
    const name = names.get(as);
    if (name === undefined) {
      ignored.push(shortened(as));
      continue;
    }
    const before = given.get(name);
    given.set(name, { as, values: [...(before?.values ?? []), ...values] });
    if (!isListParameter(name)) refuseSecond(as, before?.as ?? as, given.get(name)!.values);
  }
  // start and end are used only together (spec §2.1).
  if (given.has('start') !== given.has('end')) {
    ignored.push(...['start', 'end'].filter((name) => given.has(name)));
  }
  return {
    given: Object.fromEntries([...given].map(([name, { values }]) => [name, oneText(name, values)])),
    ignored: ignored.slice(0, MOST_NAMED),
  };
}

/** Maps each accepted name to the name in the schema. */
function namesOf({ shape }: z.ZodObject): ReadonlyMap<string, string> {
  const names = Object.keys(shape);
  const aliases = Object.entries(shape).flatMap(([name, field]): [string, string][] => {
    const alias = aliasOf(field as z.ZodType);
    return alias === null || names.includes(alias) ? [] : [[alias, name]];
  });
  return new Map([...aliases, ...names.map((name): [string, string] => [name, name])]);
}

const oneText = (name: string, values: readonly string[]) =>
  isListParameter(name) ? values.join(',') : values[0]!;

function refuseSecond(as: string, first: string, values: readonly string[]): void {
  if (new Set(values).size <= 1) return;
  const other = as === first ? 'expected one value' : `is another name of ${first}, expected the same value`;
  const shown = values.slice(0, 5).map((value) => `"${shortened(value)}"`);
  throw new PublicError('invalid_request', `${shortened(as)}: ${other}, got ${shown.join(' and ')}.`);
}

/** Percent-encoded for a header value. */
export function headerOfNames(names: readonly string[]): string {
  // Through bytes, because encodeURIComponent throws for half a surrogate pair; bytes make it U+FFFD.
  return names.map((name) => encodeURIComponent(Buffer.from(name).toString())).join(', ');
}
