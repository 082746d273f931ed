import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeZstd } from '../../test/harness/ingest/zstd.js';
import { importFile, noCounts } from './import-file.js';
import { type Ledger, openLedger } from './ledger.js';
import { decompress } from './read-file.js';
import { Refused, type Taken } from './send-part.js';
import { summarise } from './summary.js';

/** 300 lines of "a log line", compressed by bzip2. */
const bzip2 = Buffer.from(
  'QlpoOTFBWSZTWcFAkN4AAlfRAAAQQAAipaAAUIMmIClUYm1NFI2UjZSNFI6UjCkYUjopGFI9KR+LuSKcKEhgoEhvAA==',
  'base64',
);
const bzip2Text = 'a log line\n'.repeat(300);

let folder: string;
let ledger: Ledger;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loglane-import-'));
  ledger = await openLedger(join(folder, 'sub/imports.ndjson'), 'w1');
});
afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
}

/** Accepts all lines except "bad". */
function receiver(refuseFrom = Number.POSITIVE_INFINITY) {
  const bodies: string[] = [];
  const keys: string[] = [];
  const send = async (body: readonly Buffer[], key: string): Promise<Taken> => {
    if (bodies.length >= refuseFrom) throw new Refused('no', 400);
    const text = Buffer.concat(body).toString();
    bodies.push(text);
    keys.push(key);
    const lines = text.split('\n');
    const errors = lines.flatMap((one, at) =>
      one.startsWith('bad') ? [{ line: at + 1, reason: 'is bad' }] : [],
    );
    const wanted = lines.filter((one) => one !== '' && !one.startsWith('#')).length;
    return { accepted: wanted - errors.length, rejected: errors.length, skipped: 0, errors };
  };
  return { bodies, keys, send };
}

async function run(
  content: string | Buffer,
  { send }: Pick<ReturnType<typeof receiver>, 'send'>,
  name = 'a.log',
  generation?: string,
) {
  const counts = noCounts();
  const options = {
    name,
    ledger,
    ...(generation && { generation }),
    send,
    now: () => 0,
    onLines: () => {},
    partBytes: 200,
  };
  await importFile(decompress(inPieces(Buffer.from(content))), counts, options);
  return counts;
}

const text = Array.from({ length: 60 }, (_, index) => `line ${index}\n`).join('');

describe('an import', () => {
  it('sends each line once, with a unique name for each part', async () => {
    const to = receiver();
    expect(await run(text, to)).toMatchObject({ lines: 60, accepted: 60, known: 0 });
    expect(to.bodies.sort((a, b) => text.indexOf(a) - text.indexOf(b)).join('')).toBe(text);
    expect(new Set(to.keys).size).toBe(to.keys.length);
  });

  it.each([
    ['ends early', gzipSync(text, { level: 0 }).subarray(0, 300), /ends early/],
    ['is followed by other bytes', Buffer.concat([gzipSync(text), Buffer.from('x')]), /1 bytes after/],
    ['ends early within zstd', storeZstd(Buffer.from(text)).subarray(0, 300), /unexpected end/],
  ])(
    'of a file that %s sends the complete lines before, reports the error, and can resume',
    async (_, file, said) => {
      const to = receiver();
      await expect(run(file, to)).rejects.toThrow(said);
      const sent = to.bodies.sort((a, b) => text.indexOf(a) - text.indexOf(b)).join('');
      expect(sent.length).toBeGreaterThan(270);
      expect(sent.endsWith('\n') && text.startsWith(sent)).toBe(true);
      const again = receiver();
      const counts = await run(text, again);
      expect(counts.known + counts.accepted).toBe(60);
      expect(again.bodies.join('')).not.toContain('line 0\n');
    },
  );

  it('skips the NUL bytes of a log that was rotated by copying', async () => {
    const to = receiver();
    const counts = await run(`${'\0'.repeat(5_000)}${text}${'\0'.repeat(500)}`, to);
    expect(counts).toMatchObject({ lines: 60, accepted: 60, rejected: 0 });
    expect(to.bodies.join('')).not.toContain('\0');
  });

  it('of the same content sends nothing, under another name and in every compression', async () => {
    await run(text, receiver());
    const forms = [
      Buffer.from(text),
      gzipSync(text),
      Buffer.concat([gzipSync('line 0\n'), gzipSync(text.slice(7))]),
      storeZstd(Buffer.from(text)),
    ];
    for (const form of forms) {
      const again = receiver();
      const counts = await run(form, again, 'b.log');
      expect(again.bodies).toEqual([]);
      expect(summarise('b.log', counts, 1)).toMatch(
        /all of its 60 lines were imported before; nothing was sent/,
      );
    }
  });

  it('reads bzip2, and reports data that ends early', async () => {
    const to = receiver();
    await run(Buffer.concat([bzip2, bzip2]), to);
    expect(to.bodies.join('')).toBe(bzip2Text.repeat(2));
    await expect(run(bzip2.subarray(0, bzip2.length - 8), receiver())).rejects.toThrow();
  });

  it('resumes an interrupted import, also after a partly written ledger line', async () => {
    const first = receiver(2);
    await expect(run(text, first)).rejects.toThrow(Refused);
    await appendFile(join(folder, 'sub/imports.ndjson'), '{"website":"w1","bef');
    await ledger.close();
    for (let round = 0; round < 2; round++) {
      ledger = await openLedger(join(folder, 'sub/imports.ndjson'), 'w1');
      const then = receiver();
      const counts = await run(text, then);
      if (round === 0) {
        expect(first.bodies.length).toBe(2);
        expect(counts.known).toBeGreaterThan(0);
        expect(
          [...first.bodies, ...then.bodies].sort((a, b) => text.indexOf(a) - text.indexOf(b)).join(''),
        ).toBe(text);
      } else expect(counts).toMatchObject({ known: 60 });
      if (round === 0) await ledger.close();
    }
  });

  it('into another website is independent', async () => {
    await run(text, receiver());
    await ledger.close();
    ledger = await openLedger(join(folder, 'sub/imports.ndjson'), 'w2');
    expect(await run(text, receiver())).toMatchObject({ accepted: 60, known: 0 });
  });

  it('of another generation sends all lines again under other names, and resumes after an interruption', async () => {
    const text = 'a log line\n'.repeat(100);
    const first = receiver();
    await run(text, first);
    const broken = receiver(2);
    await expect(run(text, broken, 'a.log', '2026-11-21T12:00:00Z')).rejects.toThrow(Refused);
    const second = receiver();
    await run(text, second, 'a.log', '2026-11-21T12:00:00Z');
    expect([...broken.bodies, ...second.bodies].join('')).toBe(text);
    expect(first.keys.filter((key) => [...broken.keys, ...second.keys].includes(key))).toEqual([]);
    const again = receiver();
    await run(text, again, 'a.log', '2026-11-21T12:00:00Z');
    expect(again.bodies).toEqual([]);
  });

  it('is repeated if no line was accepted', async () => {
    await run('bad\nbad\n', receiver());
    const again = receiver();
    await run('bad\nbad\n', again);
    expect(again.bodies).toEqual(['bad\nbad\n']);
  });

  it('reports rejected lines by their line number in the file', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => (index === 47 ? 'bad' : `line ${index}`));
    const counts = await run(`#Fields: a b\n${lines.join('\n')}\n`, receiver());
    expect(counts.reasons).toEqual(new Map([['is bad', { line: 49, printed: 1 }]]));
    expect(summarise('a.log', counts, 2)).toMatch(/rejected 1,.*\n {2}1 rejected, from line 49: is bad/);
  });

  it('starts each part of a W3C file with the directives before it', async () => {
    const half = (fields: string) => `#Software: s\n#Fields: ${fields}\n${'a b c\n'.repeat(60)}`;
    const to = receiver();
    await run(half('one') + half('two'), to);
    const [first, ...others] = to.bodies.filter((body) => body.includes('a b c'));
    expect(first).toMatch(/^#Software: s\n#Fields: one\na b c/);
    for (const body of others) expect(body).toMatch(/^#Software: s\n#Fields: (one|two)\n/);
    expect(others.at(-1)).toMatch(/^#Software: s\n#Fields: two\na/);
  });

  it('of one JSON array sends one record per line', async () => {
    const records = Array.from({ length: 30 }, (_, a) => ({ a, text: 'x",[{\\', list: [1, { b: '\n' }] }));
    for (const array of [JSON.stringify(records), `\uFEFF${JSON.stringify(records, null, 2)}`]) {
      const to = receiver();
      await run(array, to);
      const sent = to.bodies
        .join('\n')
        .replace('\uFEFF', '')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line));
      expect(sent.sort((one, other) => one.a - other.a)).toEqual(records);
    }
  });

  it('writes neither keys nor contents of lines to its ledger', async () => {
    await run(text, receiver());
    const written = await readFile(join(folder, 'sub/imports.ndjson'), 'utf8');
    expect(Object.keys(JSON.parse(written.split('\n')[0]!)).sort()).toEqual([
      'accepted',
      'after',
      'at',
      'before',
      'bytes',
      'file',
      'lines',
      'rejected',
      'skipped',
      'website',
    ]);
  });
});
