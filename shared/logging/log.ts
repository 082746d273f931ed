import pino, { type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { type LineWriter, lineWriterTo } from './line-writer.js';

export type { Logger } from 'pino';

export interface LogOutput {
  readonly writer: LineWriter;
  /** A person reads the output. */
  readonly isTerminal: boolean;
}

/**
 * Creates the logger: JSON lines on standard output, or formatted lines on a terminal. Secrets are redacted by field
 * name. Output that breaks or stalls loses lines, but nothing else.
 */
export function createLogger(
  level: string,
  service: string,
  { writer, isTerminal }: LogOutput = outputOfProcess(service),
): Logger {
  return pino(
    {
      level,
      base: { service },
      formatters: { log: (fields) => cutTexts(fields, 0) as Record<string, unknown> },
      serializers: { err: (error: Error) => cutTexts(pino.stdSerializers.err(error), 0) },
      redact: ['*.key', '*.api_key', '*.ingest_key', '*.password', '*.authorization', 'req.headers'],
    },
    isTerminal ? linesForEyes(writer) : writer,
  );
}

/** Enough for a path, an address or a reason. A stack has some ten lines. */
const [LONGEST_TEXT, LONGEST_STACK] = [500, 4_000];
const DEEPEST = 4;

/** Truncates texts, since clients choose paths and error messages of other services repeat them. */
function cutTexts(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(value, LONGEST_TEXT);
  // Errors have their own serializer.
  if (typeof value !== 'object' || value === null || value instanceof Error || depth === DEEPEST)
    return value;
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, depth + 1));
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    name === 'stack' && typeof field === 'string' ? cut(field, LONGEST_STACK) : cutTexts(field, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

function outputOfProcess(service: string): LogOutput {
  standardOutput ??= lineWriterTo(process.stdout, (lines) =>
    JSON.stringify({ level: WARN, time: Date.now(), service, lines, msg: 'log lines dropped' }).concat('\n'),
  );
  return { writer: standardOutput, isTerminal: process.stdout.isTTY === true };
}

/** Coloured, such as `14:30:05.120 INFO: api listening {"port":8080}`. */
function linesForEyes(writer: LineWriter): LineWriter {
  const format = prettyFactory({
    colorize: true,
    ignore: 'service',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  return { write: (line) => writer.write(format(withoutControls(line))) };
}

/**
 * Escapes control characters in the texts of a JSON line (`\\u001b`), so that a user agent with escape sequences cannot
 * control the terminal. Line feeds and tabs stay.
 */
function withoutControls(line: string): string {
  return line
    .replace(/\\(?:u(00[01][0-9a-f])|.)/g, (found, code: string | undefined) =>
      code === undefined ? found.replace(/^\\[bfr]$/, ' ') : `\\\\u${code}`,
    )
    .replace(/[\u007f-\u009f]/g, (character) => `\\\\u00${character.charCodeAt(0).toString(16)}`);
}

const WARN = 40;
/** One per process, so that its buffer is bounded once. */
let standardOutput: LineWriter | undefined;
