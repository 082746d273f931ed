import { checkDense, createRankRegisters } from './rank-registers.js';
import { checkList, type StateFold, UnknownStateError, varUIntOf } from './state-fold.js';

/**
 * Counts distinct values as the engine does (uniqCombined64(14), its CombinedCardinalityEstimator.h): up to 512 hashes exactly, and more by
 * registers. With exactly 512 hashes the engine's answer is exact or estimated, depending on its order of merging.
 */

const MOST_EXACT = 512;
const HASH_BYTES = 8;
/** Slots of the hash table: at most half are used. */
const SLOTS = 2 * MOST_EXACT;

/** The first byte of a state. The two smaller forms have a number and then the hashes. */
const SMALL = 1;
const MEDIUM = 2;
/** Registers, and then sums of them, which are not used here. */
const LARGE = 3;
/** Only this process writes it, for the same as the large form. */
const SPARSE = 255;

/** It has the memory of all registers: share it between groups. */
export function createDistinctFold(): StateFold {
  const low = new Uint32Array(MOST_EXACT);
  const high = new Uint32Array(MOST_EXACT);
  /** 1 + the place of a hash; 0: empty. */
  const slots = new Uint16Array(SLOTS);
  const registers = createRankRegisters();
  let count = 0;
  let isLarge = false;

  function enlarge(): void {
    if (isLarge) return;
    isLarge = true;
    for (let place = 0; place < count; place++) registers.addHash(low[place]!, high[place]!);
  }

  function addHash(lower: number, upper: number): void {
    let slot = (lower ^ upper) & (SLOTS - 1);
    for (let place = slots[slot]!; place !== 0; place = slots[slot]!) {
      if (low[place - 1] === lower && high[place - 1] === upper) return;
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (count === MOST_EXACT) {
      enlarge();
      registers.addHash(lower, upper);
      return;
    }
    low[count] = lower;
    high[count] = upper;
    count += 1;
    slots[slot] = count;
  }

  function addHashes(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at += HASH_BYTES) {
      const lower = read32(bytes, at);
      const upper = read32(bytes, at + 4);
      if (isLarge) registers.addHash(lower, upper);
      else addHash(lower, upper);
    }
  }

  return {
    check(bytes, from, to) {
      const form = bytes[from];
      if (form === SMALL || form === MEDIUM) checkList(bytes, from + 1, to, HASH_BYTES);
      else if (form === LARGE) checkDense(bytes, from + 1, to);
      else throw new UnknownStateError(`unknown form of a distinct count: ${form}`);
    },
    clear() {
      slots.fill(0);
      if (isLarge) registers.clear();
      count = 0;
      isLarge = false;
    },
    add(bytes, from, to) {
      const form = bytes[from];
      if (form === SMALL || form === MEDIUM) {
        addHashes(bytes, to - HASH_BYTES * Math.floor((to - from - 1) / HASH_BYTES), to);
        return;
      }
      enlarge();
      if (form === LARGE) registers.addDense(bytes, from + 1);
      else registers.addSparse(bytes, from + 1, to);
    },
    figure: () => (isLarge ? registers.estimate() : count),
    merged() {
      if (!isLarge) return packHashes(low, high, count);
      const sparse = registers.sparse();
      return sparse === null ? withForm(LARGE, registers.dense()) : withForm(SPARSE, sparse);
    },
  };
}

const withForm = (form: number, bytes: Uint8Array) => Buffer.concat([Uint8Array.of(form), bytes]);

function packHashes(low: Uint32Array, high: Uint32Array, count: number): Uint8Array {
  const header = [MEDIUM, ...varUIntOf(count)];
  const bytes = Buffer.alloc(header.length + HASH_BYTES * count);
  bytes.set(header);
  for (let place = 0; place < count; place++) {
    bytes.writeUInt32LE(low[place]!, header.length + HASH_BYTES * place);
    bytes.writeUInt32LE(high[place]!, header.length + HASH_BYTES * place + 4);
  }
  return bytes;
}

function read32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
