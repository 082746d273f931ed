import type { Random } from '../../../deploy/demo/traffic/random.js';

/** Random counts like those of traffic. */

function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

export function poisson(random: Random, mean: number): number {
  if (mean <= 0) return 0;
  if (mean > 40) return Math.max(0, Math.round(mean + Math.sqrt(mean) * gaussian(random)));
  let left = random.next();
  let chance = Math.exp(-mean);
  let count = 0;
  while (left > chance && count < 400) {
    left -= chance;
    count += 1;
    chance *= mean / count;
  }
  return count;
}

/** Visits of several requests each: the variance is `dispersion` times the mean. */
export function clumped(random: Random, mean: number, dispersion: number): number {
  const visits = poisson(random, mean / dispersion);
  let requests = 0;
  if (visits > 40) return Math.max(0, Math.round(visits * dispersion + Math.sqrt(visits) * gaussian(random)));
  for (let i = 0; i < visits; i++) requests += Math.max(1, Math.round(random.exponential(dispersion)));
  return requests;
}

/** A series that drifts around 0: correlated noise with this standard deviation. */
export function wandering(random: Random, length: number, deviation: number, memory: number): Float32Array {
  const values = new Float32Array(length);
  const step = deviation * Math.sqrt(1 - memory * memory);
  let value = deviation * gaussian(random);
  for (let i = 0; i < length; i++) {
    values[i] = value;
    value = memory * value + step * gaussian(random);
  }
  return values;
}
