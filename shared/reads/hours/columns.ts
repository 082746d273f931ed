import { conditionHolds } from '../sql/condition.js';
import type { DimensionName } from '../sql/dimensions.js';
import type { DimensionFilter } from '../sql/filters.js';
import { derivedDimensions, type Value } from './kept-rollups.js';
import type { Figure, Question } from './question.js';
import type { RowBlock } from './row-block.js';

/** The columns of some blocks for one question, stored and derived ones. */

/** The value of row r is values[codes[r]]. */
interface OwnColumn {
  readonly codes: ArrayLike<number>;
  readonly values: readonly unknown[];
}

/** A column with the same codes in all blocks. */
export interface SharedColumn {
  readonly values: readonly unknown[];
  codesIn(block: RowBlock): SharedCodes;
}

/** The shared code of row r is map[codes[r]]. */
export interface SharedCodes {
  readonly codes: ArrayLike<number>;
  readonly map: ArrayLike<number>;
}

export interface Columns {
  own(block: RowBlock, name: DimensionName): OwnColumn;
  shared(name: DimensionName): SharedColumn;
  /** 1 for each row that passes all filters; null: there is none. */
  passing(block: RowBlock): Uint8Array | null;
  /** 1 for each row that the figure counts; null: all. */
  counted(block: RowBlock, figure: Figure): Uint8Array | null;
}

export function createColumns(
  { filters, verdictOf }: Pick<Question, 'filters' | 'verdictOf'>,
  blocks: readonly RowBlock[],
): Columns {
  const ownOf = perBlock((block: RowBlock, name: DimensionName): OwnColumn => {
    // Without late verdicts no column has to be combined.
    if (name === 'verification' && verdictOf.size === 0) return block.dimensions.get('bot_verification')!;
    const derived = derivedDimensions.get(name);
    if (derived === undefined) return block.dimensions.get(name)!;
    return combine(
      derived.from.map((one) => block.dimensions.get(one)!),
      (values) => derived.of(values, verdictOf),
    );
  });
  const sharedOf = new Map<DimensionName, SharedColumn>();
  const maskOf = (block: RowBlock, tests: readonly Required<Omit<DimensionFilter, 'clause'>>[]) => {
    if (tests.length === 0) return null;
    const mask = new Uint8Array(block.starts.at(-1)!).fill(1);
    for (const { dimension, holds } of tests) {
      const { codes, values } = ownOf(block, dimension);
      const passes = Uint8Array.from(values, (value) => Number(holds(value)));
      for (let row = 0; row < mask.length; row++) mask[row]! &= passes[codes[row]!]!;
    }
    return mask;
  };
  const passing = perBlock((block: RowBlock, _all: null) => maskOf(block, filters));
  const counted = perBlock((block: RowBlock, { conditions }: Figure) =>
    maskOf(
      block,
      conditions.map(({ on, passes }) => ({
        dimension: on,
        holds: (value: unknown) => conditionHolds(value, passes),
      })),
    ),
  );
  return {
    own: ownOf,
    shared(name) {
      const known = sharedOf.get(name);
      if (known !== undefined) return known;
      const made = share(blocks, (block) => ownOf(block, name));
      sharedOf.set(name, made);
      return made;
    },
    passing: (block) => passing(block, null),
    counted,
  };
}

function perBlock<Name, Made>(make: (block: RowBlock, name: Name) => Made) {
  const made = new Map<RowBlock, Map<Name, Made>>();
  return (block: RowBlock, name: Name): Made => {
    let ofBlock = made.get(block);
    if (ofBlock === undefined) {
      ofBlock = new Map();
      made.set(block, ofBlock);
    }
    let one = ofBlock.get(name);
    if (one === undefined) {
      one = make(block, name);
      ofBlock.set(name, one);
    }
    return one;
  };
}

/** A column whose values depend on those of several columns. */
function combine(
  sources: readonly { readonly codes: ArrayLike<number>; readonly values: readonly Value[] }[],
  of: (values: readonly Value[]) => unknown,
): OwnColumn {
  const [first] = sources as [(typeof sources)[number]];
  if (sources.length === 1) return { codes: first.codes, values: first.values.map((value) => of([value])) };
  const values: unknown[] = [];
  const codeOf = new Map<number, number>();
  const codes = new Uint32Array(first.codes.length);
  for (let row = 0; row < codes.length; row++) {
    let key = 0;
    for (const source of sources) key = key * source.values.length + source.codes[row]!;
    let code = codeOf.get(key);
    if (code === undefined) {
      code = values.push(of(sources.map((source) => source.values[source.codes[row]!]!))) - 1;
      codeOf.set(key, code);
    }
    codes[row] = code;
  }
  return { codes, values };
}

function share(blocks: readonly RowBlock[], ownOf: (block: RowBlock) => OwnColumn): SharedColumn {
  const values: unknown[] = [];
  const codeOf = new Map<unknown, number>();
  const codesIn = new Map<RowBlock, SharedCodes>();
  for (const block of blocks) {
    const own = ownOf(block);
    const map = Uint32Array.from(own.values, (value) => {
      let code = codeOf.get(value);
      if (code === undefined) {
        code = values.push(value) - 1;
        codeOf.set(value, code);
      }
      return code;
    });
    codesIn.set(block, { codes: own.codes, map });
  }
  return { values, codesIn: (block) => codesIn.get(block)! };
}
