import { visibleLine } from '../../../shared/visible-text.js';
import { shortened } from './shortened.js';

/** Errors of the SDK quote the caller's text as it is: names of tools, addresses of resources, versions. A model reads them. */

const MOST_CHARACTERS = 300;
const MOST_ENTRIES = 20;
/** Messages are lines: of JSON, or of server-sent events. */
const EVENT = 'data: ';

/** The same answer with errors that are short and hide nothing. Answers are complete: no stream stays open. */
export async function cleanErrors(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  if (response.body === null) return response;
  const text = await response.text();
  const cleaned = text.includes('"error"') ? text.split('\n').map(cleanLine).join('\n') : text;
  const changed = new Headers(headers);
  changed.delete('Content-Length');
  return new Response(cleaned, { status, statusText, headers: changed });
}

function cleanLine(line: string): string {
  const prefix = line.startsWith(EVENT) ? EVENT : '';
  let message: unknown;
  try {
    message = JSON.parse(line.slice(prefix.length));
  } catch {
    return line;
  }
  const cleaned = Array.isArray(message) ? message.map(cleanMessage) : cleanMessage(message);
  return `${prefix}${JSON.stringify(cleaned)}`;
}

function cleanMessage(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('error' in message)) return message;
  return { ...message, error: clean(message.error, 4) };
}

/** @param depth levels that are kept */
function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortened(visibleLine(value), MOST_CHARACTERS);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map((entry) => clean(entry, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_ENTRIES)
      .map(([name, field]) => [shortened(visibleLine(name), 80), clean(field, depth - 1)]),
  );
}
