import { UnknownStateError } from './state-fold.js';

/**
 * Estimates the number of many distinct hashes as the engine does (its HyperLogLogCounter.h). Each of 16,384 registers has the greatest
 * rank of its hashes.
 */

const PRECISION = 14;
const REGISTERS = 2 ** PRECISION;
const GREATEST_RANK = 64 - PRECISION + 1;
const RANK_BITS = 6;
/** Four ranks are in three bytes. */
const DENSE_BYTES = (REGISTERS * RANK_BITS) / 8;
/** A register and its rank. */
const ENTRY_BYTES = 3;
/** Normalises the harmonic mean of the registers. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);
/** Up to this estimate the number of empty registers is more exact. */
const MOST_BY_EMPTY = 2.5 * REGISTERS;

export interface RankRegisters {
  clear(): void;
  /** @param lower and @param upper halves of a hash */
  addHash(lower: number, upper: number): void;
  /** Adds all registers, as the engine writes them. */
  addDense(bytes: Uint8Array, from: number): void;
  /** Adds the registers that `sparse` wrote. */
  addSparse(bytes: Uint8Array, from: number, to: number): void;
  estimate(): number;
  dense(): Uint8Array;
  /** Only registers with a rank; null: not shorter than all. */
  sparse(): Uint8Array | null;
}

export function createRankRegisters(): RankRegisters {
  const ranks = new Uint8Array(REGISTERS);
  /** The number of registers with each rank. */
  const registersOf = new Uint32Array(GREATEST_RANK + 1);
  registersOf[0] = REGISTERS;

  function raise(register: number, rank: number): void {
    const before = ranks[register]!;
    if (rank <= before) return;
    ranks[register] = rank;
    registersOf[before]! -= 1;
    registersOf[rank]! += 1;
  }

  return {
    clear() {
      ranks.fill(0);
      registersOf.fill(0);
      registersOf[0] = REGISTERS;
    },
    addHash(lower, upper) {
      const tail = lower >>> PRECISION;
      const zeros = tail !== 0 ? trailingZeros(tail) : 32 - PRECISION + trailingZeros(upper);
      raise(lower & (REGISTERS - 1), Math.min(zeros + 1, GREATEST_RANK));
    },
    addDense(bytes, from) {
      for (let register = 0, at = from; register < REGISTERS; register += 4, at += 3) {
        const bits = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
        if (bits === 0) continue;
        for (let one = 0; one < 4; one++) raise(register + one, (bits >> (RANK_BITS * one)) & 63);
      }
    },
    addSparse(bytes, from, to) {
      for (let at = from; at < to; at += ENTRY_BYTES)
        raise(bytes[at]! | (bytes[at + 1]! << 8), bytes[at + 2]!);
    },
    estimate() {
      const sum = registersOf.reduceRight((rest, registers) => rest / 2 + registers, 0);
      const raw = (ALPHA * REGISTERS * REGISTERS) / sum;
      const empty = registersOf[0]!;
      const byEmpty = REGISTERS * (Math.log(REGISTERS) - Math.log(empty));
      return Math.round(raw > MOST_BY_EMPTY || empty === 0 ? raw : byEmpty);
    },
    dense: () => packDense(ranks),
    sparse() {
      const entries = REGISTERS - registersOf[0]!;
      return ENTRY_BYTES * entries < DENSE_BYTES ? packSparse(ranks, entries) : null;
    },
  };
}

/** @throws UnknownStateError */
export function checkDense(bytes: Uint8Array, from: number, to: number): void {
  if (to - from < DENSE_BYTES) throw new UnknownStateError('registers are missing');
  for (let at = from; at < from + DENSE_BYTES; at += 3) {
    const bits = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
    for (let one = 0; one < 4; one++)
      if (((bits >> (RANK_BITS * one)) & 63) > GREATEST_RANK)
        throw new UnknownStateError('a rank is too great');
  }
}

const trailingZeros = (bits: number) => (bits === 0 ? 32 : 31 - Math.clz32(bits & -bits));

function packDense(ranks: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(DENSE_BYTES);
  for (let register = 0, at = 0; register < REGISTERS; register += 4, at += 3) {
    let bits = 0;
    for (let one = 0; one < 4; one++) bits |= ranks[register + one]! << (RANK_BITS * one);
    bytes[at] = bits;
    bytes[at + 1] = bits >> 8;
    bytes[at + 2] = bits >> 16;
  }
  return bytes;
}

function packSparse(ranks: Uint8Array, entries: number): Uint8Array {
  const bytes = new Uint8Array(ENTRY_BYTES * entries);
  let at = 0;
  for (let register = 0; register < REGISTERS; register++) {
    if (ranks[register] === 0) continue;
    bytes[at] = register;
    bytes[at + 1] = register >> 8;
    bytes[at + 2] = ranks[register]!;
    at += ENTRY_BYTES;
  }
  return bytes;
}
