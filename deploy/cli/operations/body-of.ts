import { readFile } from 'node:fs/promises';
import { failure, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { fieldOf, isRow } from '../output/rows.js';
import { attributeOf, flagOf } from '../table/flags.js';
import type { CliOperation, Parameter } from '../table/operation-table.js';

/** The body of a write: the JSON of --input, and over it the fields that are flags. */

const MAX_BODY_BYTES = 1024 ** 2;

export async function bodyOf(
  { parameters }: CliOperation,
  flags: Readonly<Record<string, unknown>>,
  context: Pick<Context, 'stdin'>,
): Promise<Record<string, unknown>> {
  const body = typeof flags.input === 'string' ? await readInput(flags.input, context) : {};
  const fields = new Map(Object.entries(body));
  for (const field of parameters) {
    const given = fieldOf(flags, attributeOf(field.name));
    if (field.in === 'body' && given !== undefined) fields.set(field.name, jsonOf(field, given));
  }
  return Object.fromEntries(fields);
}

/** @param file `-` is standard input. @throws CliError for anything but a JSON object */
export async function readInput(
  file: string,
  { stdin }: Pick<Context, 'stdin'>,
): Promise<Record<string, unknown>> {
  const text = file === '-' ? await readAll(stdin) : await readFile(file, 'utf8').catch(cantRead);
  try {
    const value: unknown = JSON.parse(text);
    if (isRow(value)) return { ...value };
  } catch {}
  throw usageError(`--input ${file}: expected a JSON object`);
}

/** @throws CliError above a mebibyte. */
export async function readAll(stdin: Context['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > MAX_BODY_BYTES) throw usageError(`standard input is longer than ${MAX_BODY_BYTES} bytes`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function cantRead(error: Error): never {
  throw failure(error.message);
}

function jsonOf(field: Parameter, given: unknown): unknown {
  const { kind } = field;
  if (typeof given !== 'string' || kind === 'string') return given;
  if (kind === 'json') return parseJson(field, given);
  const isNumber =
    kind === 'integer' ? /^-?\d{1,15}$/.test(given) : given.trim() !== '' && Number.isFinite(Number(given));
  if (!isNumber)
    throw usageError(
      `--${flagOf(field)} "${given}": expected ${kind === 'integer' ? 'an integer' : 'a number'}`,
    );
  return Number(given);
}

function parseJson(field: Parameter, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`--${flagOf(field)}: expected JSON`);
  }
}
