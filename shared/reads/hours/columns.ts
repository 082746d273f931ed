import { conditionHolds } from '../sql/condition.js';
import type { DimensionName } from '../sql/dimensions.js';
import type { DimensionFilter } from '../sql/filters.js';
import { claimOf } from '../sql/late-verdicts.js';
import { type ColumnName, type Derived, derivedOf, isMetric, type Value } from './kept-rollups.js';
import type { Figure, Question } from './question.js';
import type { RowBlock } from './row-block.js';

/** The columns of some blocks for one question, stored and derived ones. */

/** The value of row r is values[codes[r]]. */
export interface OwnColumn {
  readonly codes: ArrayLike<number>;
  readonly values: readonly unknown[];
  /** Several codes may have the same value. */
  readonly repeats?: boolean;
  /** Finds the code of a value; absent: only `values` has it. */
  readonly find?: ((value: unknown) => number | undefined) | undefined;
}

interface StoredColumn extends OwnColumn {
  readonly values: readonly Value[];
}

/** A column with the same codes in all blocks. */
export interface SharedColumn {
  readonly values: readonly unknown[];
  codesIn(block: RowBlock): SharedCodes;
}

/** The shared code of row r is map[codes[r]], or codes[r] without a map. */
export interface SharedCodes {
  readonly codes: ArrayLike<number>;
  readonly map: ArrayLike<number> | null;
}

/** Row r passes if passing[codes[r]] is 1. */
export interface RowTest {
  readonly codes: ArrayLike<number>;
  readonly passing: Uint8Array;
}

export interface Columns {
  own(block: RowBlock, name: ColumnName): OwnColumn;
  shared(name: DimensionName): SharedColumn;
  /** The rows that pass all filters; null: there is no filter. */
  passing(block: RowBlock): Uint32Array | null;
  /** A row that the figure counts passes all of them. */
  tests(block: RowBlock, figure: Figure): readonly RowTest[];
}

type Values = readonly unknown[];

type Test = Pick<Required<DimensionFilter>, 'dimension' | 'holds'> & Pick<DimensionFilter, 'values'>;

/** Blocks may share their values (dictionary.ts). Results that depend on values alone are then computed once. */
export function createColumns(
  { kept, filters, verdictOf }: Pick<Question, 'kept' | 'filters' | 'verdictOf'>,
  blocks: readonly RowBlock[],
): Columns {
  const derivedValues = memo((values: readonly Value[], of: Derived['of']) => {
    // Most paths are short enough.
    const changes = values.some((value) => of([value]) !== value);
    return changes ? values.map((value) => of([value])) : values;
  });
  const ownOf = memo((block: RowBlock, name: ColumnName): OwnColumn => {
    if (name === 'verification') return verificationIn((one) => ownOf(block, one), verdictOf);
    const stored = block.columns.get(name);
    if (stored !== undefined || isMetric(name)) return stored!;
    const { from, of } = derivedOf(kept.rollup, name)!;
    const sources = from.map((one) => block.columns.get(one)!);
    const { codes, values } = sources[0]!;
    if (sources.length > 1) return combine(sources, of);
    const derived = derivedValues(values, of);
    return { codes, values: derived, repeats: derived !== values };
  });
  const passes = memo((all: Values, { holds, values }: Test, find: OwnColumn['find']) => {
    const passing = new Uint8Array(all.length);
    if (find !== undefined && values !== undefined)
      for (const value of values) {
        const code = find(value);
        if (code !== undefined) passing[code] = 1;
      }
    else for (let code = 0; code < passing.length; code++) passing[code] = Number(holds(all[code]));
    return passing;
  });
  const testsIn = (block: RowBlock, tests: readonly Test[]) =>
    tests.map((test): RowTest => {
      const { codes, values, find } = ownOf(block, test.dimension);
      return { codes, passing: passes(values, test, find) };
    });
  const testsOf = memo(({ conditions }: Figure, _all: null): readonly Test[] =>
    conditions.map(({ on, passes: condition }) => ({
      dimension: on,
      holds: (value: unknown) => conditionHolds(value, condition),
    })),
  );
  const passing = memo((block: RowBlock, _all: null) => {
    const [first, ...others] = testsIn(block, filters);
    return first === undefined ? null : others.reduce(keepPassing, rowsOf(first, block.starts.at(-1)!));
  });
  // Every list has the same figures.
  const tests = memo((block: RowBlock, figure: Figure) => testsIn(block, testsOf(figure, null)));
  const shared = memo((_all: null, name: DimensionName) => share(blocks, (block) => ownOf(block, name)));
  return {
    own: ownOf,
    shared: (name) => shared(null, name),
    passing: (block) => passing(block, null),
    tests,
  };
}

/** The first rows that pass, up to this number. */
function rowsOf({ codes, passing }: RowTest, length: number): Uint32Array {
  let count = 0;
  for (let row = 0; row < length; row++) count += passing[codes[row]!]!;
  const rows = new Uint32Array(count);
  let kept = 0;
  for (let row = 0; kept < count; row++) if (passing[codes[row]!] === 1) rows[kept++] = row;
  return rows;
}

/** Moves the rows that pass to the front. */
function keepPassing(rows: Uint32Array, { codes, passing }: RowTest): Uint32Array {
  let kept = 0;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    if (passing[codes[row]!] === 1) rows[kept++] = row;
  }
  return rows.subarray(0, kept);
}

/** Calls `make` once for each pair of its first two arguments. @param make its third argument follows from these */
function memo<One, Other, Made, More = void>(make: (one: One, other: Other, more: More) => Made) {
  const made = new Map<One, Map<Other, Made>>();
  return (one: One, other: Other, more: More): Made => {
    let ofOne = made.get(one);
    if (ofOne === undefined) {
      ofOne = new Map();
      made.set(one, ofOne);
    }
    let known = ofOne.get(other);
    if (known === undefined) {
      known = make(one, other, more);
      ofOne.set(other, known);
    }
    return known;
  };
}

/** Only pending claims may have a late verdict. */
function verificationIn(
  own: (name: DimensionName) => OwnColumn,
  verdictOf: Question['verdictOf'],
): OwnColumn {
  const stored = own('bot_verification');
  const pending = stored.values.indexOf('pending');
  if (verdictOf.size === 0 || pending < 0) return stored;
  const [families, addresses] = [own('bot_family'), own('pending_ip')];
  const values = [...stored.values];
  const codes = Uint32Array.from(stored.codes);
  const known = new Map<number, number>();
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] !== pending) continue;
    const [family, address] = [families.codes[row]!, addresses.codes[row]!];
    const claim = family * addresses.values.length + address;
    let code = known.get(claim);
    if (code === undefined) {
      const verdict = verdictOf.get(
        claimOf(families.values[family] as string, addresses.values[address] as string),
      );
      const place = values.indexOf(verdict ?? 'pending');
      code = place < 0 ? values.push(verdict) - 1 : place;
      known.set(claim, code);
    }
    codes[row] = code;
  }
  return { codes, values };
}

/** A column whose values depend on those of several columns. */
function combine(sources: readonly StoredColumn[], of: Derived['of']): OwnColumn {
  const values: unknown[] = [];
  const codeOf = new Map<number, number>();
  const codes = new Uint32Array(sources[0]!.codes.length);
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
  const [first] = blocks;
  const common = first === undefined ? [] : ownOf(first).values;
  const isCommon = ({ values, repeats = false }: OwnColumn) => values === common && !repeats;
  if (blocks.every((block) => isCommon(ownOf(block))))
    return { values: common, codesIn: (block) => ({ codes: ownOf(block).codes, map: null }) };
  const values: unknown[] = [];
  const codeOf = new Map<unknown, number>();
  const mapOf = memo((own: Values, _all: null) =>
    Uint32Array.from(own, (value) => {
      let code = codeOf.get(value);
      if (code === undefined) {
        code = values.push(value) - 1;
        codeOf.set(value, code);
      }
      return code;
    }),
  );
  for (const block of blocks) mapOf(ownOf(block).values, null);
  return {
    values,
    codesIn(block) {
      const own = ownOf(block);
      return { codes: own.codes, map: mapOf(own.values, null) };
    },
  };
}
