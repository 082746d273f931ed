import { describe, expect, it } from 'vitest';
import { createLogger } from './log.js';

/** Output of one line at level `info`. */
function written(isTerminal: boolean, fields: object, message: string): string {
  let text = '';
  const writer = {
    write(line: string) {
      text += line;
    },
  };
  createLogger('info', 'api', { writer, isTerminal }).info(fields, message);
  return text;
}

/** Without colours. */
const plain = (text: string) => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '');

describe('a log line', () => {
  it('is one JSON object without a terminal', () => {
    expect(JSON.parse(written(false, { port: 8080 }, 'listening'))).toMatchObject({
      level: 30,
      service: 'api',
      port: 8080,
      msg: 'listening',
    });
  });

  it('is formatted for a terminal: time, level, message, fields', () => {
    expect(plain(written(true, { port: 8080 }, 'listening'))).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: listening \{"port":8080\}\n$/,
    );
  });

  it.each([true, false])('redacts secrets, on a terminal: %s', (isTerminal) => {
    const line = written(isTerminal, { ingest: { key: 'll_secret' } }, 'made');
    expect(line).not.toContain('ll_secret');
    expect(line).toContain('made');
  });

  it.each([true, false])('truncates long texts, also of errors, on a terminal: %s', (isTerminal) => {
    const path = '/x'.repeat(30_000);
    const fields = { path, nested: { list: [path] }, err: new Error(path, { cause: new Error(path) }) };
    const line = written(isTerminal, fields, 'refused');
    expect(line).toContain('/x/x');
    expect(line.length).toBeLessThan(20_000);
  });

  it('cannot control the terminal with external text', () => {
    const hostile = '\u001b]0;owned\u0007 \u009b2J \r \\u001b[0m end';
    for (const line of [written(true, { hostile }, 'x'), written(true, {}, hostile)]) {
      const text = plain(line);
      expect(text).toContain('end');
      for (const code of [0x1b, 0x07, 0x9b, 0x0d]) expect(text).not.toContain(String.fromCharCode(code));
    }
  });
});
