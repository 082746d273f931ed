import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createPlaceTableBuilder } from './build-place-table.js';
import { keepPlaceTable } from './keep-place-table.js';
import { findPlaceIn, type PlaceTable } from './place-table.js';

const paris = { country: 'FR', region: 'Île-de-France', city: 'Paris' };

function make(): PlaceTable {
  const builder = createPlaceTableBuilder();
  builder.onIpv4(Uint32Array.of(0), 1, null);
  builder.onIpv4(Uint32Array.of(0x8000_0001), 32, paris);
  builder.onIpv6(Uint32Array.of(0, 0, 0, 0), 1, null);
  builder.onIpv6(Uint32Array.of(0x8000_0000, 0, 0, 0), 1, paris);
  return builder.finish();
}

const never = () => {
  throw new Error('made again');
};

describe('the file that is kept', () => {
  const folder = mkdtempSync(`${tmpdir()}/loglane-places-`);
  const kept = `${folder}/cache/places.bin`;
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is made once, and is all that later starts need', () => {
    const made = keepPlaceTable(kept, make);
    expect(readdirSync(`${folder}/cache`)).toEqual(['places.bin']);
    const read = keepPlaceTable(kept, never);
    expect(read).toEqual(made);
    expect(findPlaceIn(read, 0xffff_ffff)).toEqual(paris);
  });

  test('is made anew where it is damaged, wherever that is, and where it is of another format', () => {
    const bytes = readFileSync(kept);
    const damaged = Array.from(bytes, (byte, at) => Buffer.from(bytes).fill(byte ^ 4, at, at + 1));
    const cut = Array.from(bytes, (_, length) => bytes.subarray(0, length));
    const other = Buffer.from(bytes);
    other[other.indexOf('format') + 'format'.length + 1] = 4;
    other.writeUInt32LE(crc32(other.subarray(0, -4)), other.length - 4);
    for (const broken of [...damaged, ...cut, other]) {
      writeFileSync(kept, broken);
      expect(() => keepPlaceTable(kept, never)).toThrow('made again');
    }
    keepPlaceTable(kept, make);
    expect(readFileSync(kept)).toEqual(bytes);
  });

  test('takes the place of those of other versions, and of what a process left that was ended', () => {
    rmSync(kept);
    for (const name of ['places-0.bin', 'places-1.bin.left', 'other'])
      writeFileSync(`${folder}/cache/${name}`, '');
    keepPlaceTable(kept, make);
    expect(readdirSync(`${folder}/cache`).sort()).toEqual(['other', 'places.bin']);
  });

  test('is done without where its folder cannot be', () => {
    writeFileSync(`${folder}/file`, '');
    expect(findPlaceIn(keepPlaceTable(`${folder}/file/places.bin`, make), 0xffff_ffff)).toEqual(paris);
  });
});
