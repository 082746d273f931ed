import pino, { type Logger } from 'pino';
import { type LineWriter, lineWriterTo } from './line-writer.js';

export type { Logger } from 'pino';

/** The process's logger: JSON lines on standard output, secrets redacted by field name. Output that breaks or stalls costs lines, never more. */
export function createLogger(level: string, service: string): Logger {
  standardOutput ??= lineWriterTo(process.stdout, (lines) =>
    JSON.stringify({ level: WARN, time: Date.now(), service, lines, msg: 'log lines dropped' }).concat('\n'),
  );
  return pino(
    {
      level,
      base: { service },
      redact: ['*.key', '*.api_key', '*.ingest_key', '*.password', '*.authorization', 'req.headers'],
    },
    standardOutput,
  );
}

const WARN = 40;
/** One for the process: what waits for the reader is bounded once. */
let standardOutput: LineWriter | undefined;
