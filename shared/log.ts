import pino, { type Logger } from 'pino';

export type { Logger } from 'pino';

/** The process's logger: JSON lines on standard output, secrets redacted by field name. */
export function createLogger(level: string, service: string): Logger {
  return pino({
    level,
    base: { service },
    redact: ['*.key', '*.api_key', '*.ingest_key', '*.password', '*.authorization', 'req.headers'],
  });
}
