import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The bodies of `test/sources` as seeds: real senders send such bodies. */
export interface Seed {
  readonly source: string;
  readonly name: string;
  readonly body: Buffer;
  /** Query parameters of its URL. */
  readonly query: string;
}

const folder = new URL('../../sources/', import.meta.url);

export function readCorpus(): readonly Seed[] {
  return foldersOf(folder).flatMap((source) =>
    foldersOf(new URL(`${source}/`, folder)).map((name) => readSeed(source, name)),
  );
}

function readSeed(source: string, name: string): Seed {
  const directory = new URL(`${source}/${name}/`, folder);
  const file = readdirSync(directory).find((entry) => entry.startsWith('input.'))!;
  const sent = readFileSync(new URL(file, directory));
  const { query = '' } = JSON.parse(readFileSync(new URL('expected.json', directory), 'utf8'));
  return { source, name, query, body: file.endsWith('.gz') ? gunzipSync(sent) : sent };
}

function foldersOf(url: URL): string[] {
  return readdirSync(url, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}
