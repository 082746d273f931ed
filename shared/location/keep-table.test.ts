import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createPlaceTableBuilder } from './build-place-table.js';
import { keepTable } from './keep-table.js';
import { findPlaceIn, type PlaceTable } from './place-table.js';

const paris = { country: 'FR', region: 'Île-de-France', city: 'Paris' };

function make(): PlaceTable {
  const builder = createPlaceTableBuilder();
  builder.onIpv4(Uint32Array.of(0), 1, builder.numberOf(null));
  builder.onIpv4(Uint32Array.of(0x8000_0001), 32, builder.numberOf(paris));
  builder.onIpv6(Uint32Array.of(0, 0, 0, 0), 1, builder.numberOf(null));
  builder.onIpv6(Uint32Array.of(0x8000_0000, 0, 0, 0), 1, builder.numberOf(paris));
  return builder.finish();
}

const never = () => {
  throw new Error('made again');
};

describe('the cached file', () => {
  const folder = mkdtempSync(`${tmpdir()}/loglane-places-`);
  const kept = `${folder}/cache/places-2.bin`;
  const open = (make: () => PlaceTable, file = kept) => keepTable({ kept: file, format: 1, make });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is built once, and later starts need nothing else', () => {
    const made = open(make);
    expect(readdirSync(`${folder}/cache`)).toEqual(['places-2.bin']);
    const read = open(never);
    expect(read).toEqual(made);
    expect(findPlaceIn(read, 0xffff_ffff)).toEqual(paris);
  });

  test('is rebuilt if it is damaged at any place, or has another format', () => {
    const bytes = readFileSync(kept);
    const damaged = Array.from(bytes, (byte, at) => Buffer.from(bytes).fill(byte ^ 4, at, at + 1));
    const cut = Array.from(bytes, (_, length) => bytes.subarray(0, length));
    const other = Buffer.from(bytes);
    other[other.indexOf('format') + 'format'.length + 1] = 4;
    other.writeUInt32LE(crc32(other.subarray(0, -4)), other.length - 4);
    for (const broken of [...damaged, ...cut, other]) {
      writeFileSync(kept, broken);
      expect(() => open(never)).toThrow('made again');
    }
    open(make);
    expect(readFileSync(kept)).toEqual(bytes);
  });

  test('replaces those of other versions, and leftovers of a killed process', () => {
    rmSync(kept);
    for (const name of ['places-1.bin', 'places-2.bin.left', 'networks-1.bin'])
      writeFileSync(`${folder}/cache/${name}`, '');
    open(make);
    expect(readdirSync(`${folder}/cache`).sort()).toEqual(['networks-1.bin', 'places-2.bin']);
  });

  test('is optional if its folder cannot be created', () => {
    writeFileSync(`${folder}/file`, '');
    expect(findPlaceIn(open(make, `${folder}/file/places-1.bin`), 0xffff_ffff)).toEqual(paris);
  });
});
