import { usageError } from '../cli-error.js';
import { type Context, isAgent } from '../context.js';

export type Format = 'table' | 'json' | 'ndjson' | 'csv';

/** The options that every command has. */
export interface GlobalOptions {
  readonly website?: string;
  /** Fields; true: all. */
  readonly json?: string | true;
  readonly ndjson?: boolean;
  readonly csv?: boolean;
  readonly table?: boolean;
  readonly fields?: string;
  readonly all?: boolean;
  readonly limit?: number;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

export interface Style {
  readonly format: Format;
  readonly fields: readonly string[] | null;
  readonly colour: boolean;
  readonly width: number;
  /** Whether errors are JSON too: JSON was asked for, or an agent reads. */
  readonly errorsAsJson: boolean;
}

const DEFAULT_WIDTH = 100;

/** @throws CliError if two formats are given. */
export function styleOf(options: GlobalOptions, { env, stdout }: Pick<Context, 'env' | 'stdout'>): Style {
  const given = (['json', 'ndjson', 'csv', 'table'] as const).filter((name) => options[name] !== undefined);
  if (given.length > 1) throw usageError(`--${given[0]} and --${given[1]} exclude each other`);
  const isTerminal = stdout.isTTY === true;
  const format = given[0] ?? (isTerminal && !isAgent(env) ? 'table' : 'json');
  return {
    format,
    fields: fieldsOf(options),
    colour: isTerminal && options.color !== false && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
    width: stdout.columns ?? DEFAULT_WIDTH,
    errorsAsJson: given[0] === 'json' || given[0] === 'ndjson' || (given.length === 0 && isAgent(env)),
  };
}

function fieldsOf({ json, fields }: GlobalOptions): string[] | null {
  const text = fields ?? (typeof json === 'string' && json !== '' ? json : undefined);
  if (text === undefined) return null;
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw usageError(`"${text}" is no list of fields; expected --fields path,requests`);
  return names;
}
