import { middleOfBFloat16 } from '../sql/bfloat16.js';
import { checkList, readVarUInt, type StateFold, UnknownStateError, varUIntOf } from './state-fold.js';

/**
 * Quantiles as the engine computes them (quantilesBFloat16 of nullable numbers: its QuantileBFloat16Histogram.h). A state has the number of
 * values of each 16-bit float.
 */

const LEVELS = [0.5, 0.95, 0.99] as const;
const FLOATS = 2 ** 15;
/** A float, and the number of its values. */
const ENTRY_BYTES = 2 + 8;
/** The first byte of a state. */
const EMPTY = 0;
const FILLED = 1;

/** It has a number for each float: share it between groups. */
export function createQuantileFold(): StateFold {
  /** By the bits of the float. No float is negative, so their order is that of the floats. */
  const numberOf = new Float64Array(FLOATS);
  let present: number[] = [];
  return {
    check(bytes, from, to) {
      const form = bytes[from];
      if (form === EMPTY && to === from + 1) return;
      if (form !== FILLED) throw new UnknownStateError(`unknown form of quantiles: ${form}`);
      // The upper byte of a float has its sign.
      for (let at = checkList(bytes, from + 1, to, ENTRY_BYTES) + 1; at < to; at += ENTRY_BYTES)
        if (bytes[at]! >= FLOATS / 2 ** 8) throw new UnknownStateError('a negative time');
    },
    clear() {
      for (const bits of present) numberOf[bits] = 0;
      present = [];
    },
    add(bytes, from, to) {
      if (bytes[from] === EMPTY) return;
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = readVarUInt(bytes, from + 1, to).end; at < to; at += ENTRY_BYTES) {
        const bits = view.getUint16(at, true);
        if (numberOf[bits] === 0) present.push(bits);
        numberOf[bits]! += view.getUint32(at + 2, true) + 2 ** 32 * view.getUint32(at + 6, true);
      }
    },
    figure() {
      const sorted = Uint16Array.from(present).sort();
      const all = sorted.reduce((sum, bits) => sum + numberOf[bits]!, 0);
      return LEVELS.map((level) => {
        let passed = 0;
        const found = sorted.find((bits) => {
          passed += numberOf[bits]!;
          return passed >= Math.ceil(all * level);
        });
        return found === undefined ? null : middleOfBFloat16(floatOf(found));
      });
    },
    merged() {
      const header = [FILLED, ...varUIntOf(present.length)];
      const bytes = Buffer.alloc(header.length + ENTRY_BYTES * present.length);
      bytes.set(header);
      for (const [place, bits] of present.entries()) {
        const at = header.length + ENTRY_BYTES * place;
        bytes.writeUInt16LE(bits, at);
        bytes.writeBigUInt64LE(BigInt(numberOf[bits]!), at + 2);
      }
      return bytes;
    },
  };
}

/** A 16-bit float is the upper half of a 32-bit one. */
function floatOf(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint16(0, bits);
  return view.getFloat32(0);
}
