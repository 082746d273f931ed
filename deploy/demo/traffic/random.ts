/**
 * Seeded random numbers. sfc32 passes PractRand, needs no 64-bit arithmetic and computes a number in a few
 * nanoseconds. The same seed gives the same sequence on every machine.
 */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform whole number in [0, below). */
  int(below: number): number;
  /** 32 uniform bits, unsigned. */
  bits(): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Exponentially distributed with this mean, such as gaps between clicks. */
  exponential(mean: number): number;
}

export function createRandom(seed: string): Random {
  let [a, b, c] = hashSeed(seed);
  let counter = 1;
  const bits = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 15; i++) bits();
  const next = () => bits() / 4294967296;
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    bits,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(items.length)]!,
    exponential: (mean) => -mean * Math.log(1 - next()),
  };
}

/** Three words from a text: FNV-1a with three offsets, followed by murmur3's final avalanche. */
function hashSeed(seed: string): [number, number, number] {
  const word = (offset: number) => {
    let hash = offset;
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return hash ^ (hash >>> 16);
  };
  return [word(0x811c9dc5), word(0x2f0b4a27), word(0x5bd1e995)];
}

export type Sampler<T> = (random: Random) => T;

/** Draws items in proportion to their weights. */
export function weighted<T>(items: readonly T[], weightOf: (item: T, index: number) => number): Sampler<T> {
  let sum = 0;
  const sums = items.map((item, index) => {
    sum += weightOf(item, index);
    return sum;
  });
  return (random) => {
    const at = random.next() * sum;
    let [low, high] = [0, items.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return items[low]!;
  };
}

/** Draws names in proportion to their weights. */
export function drawn<Name extends string>(weights: Readonly<Record<Name, number>>): Sampler<Name> {
  return weighted(Object.keys(weights) as Name[], (name) => weights[name]);
}

/** Draws items by Zipf's law with a slightly flattened head. @param items in the order of popularity */
export function zipf<T>(items: readonly T[]): Sampler<T> {
  return weighted(items, (_item, rank) => (rank + 3) ** -0.85);
}

/** A copy in random order (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = random.int(i + 1);
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}
