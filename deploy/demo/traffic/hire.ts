import type { Random } from './random.js';
import { type Resource, resource } from './resource.js';

/** The shop's hire of equipment: a template that breaks now and then, and a calendar that goes on without an end. */
export interface Hire {
  /** One page for each thing that can be hired. */
  hires: Resource[];
  /** A page for each month, linked from the one before: a crawl trap. */
  hireCalendar: Resource[];
}

const things = [
  'tent',
  'kayak',
  'snowshoes',
  'via-ferrata-set',
  'rucksack',
  'stove',
  'avalanche-kit',
  'ski-poles',
];
const sizes = ['single', 'double', 'family', 'alpine', 'junior'];

/** Of the answers that the servers make. */
const FAILING = 0.35;
const CALENDAR_YEARS = 12;

export function createHire(random: Random): Hire {
  const firstYear = 2_026;
  const months = Array.from({ length: CALENDAR_YEARS * 12 }, (_, index) => {
    const month = String((index % 12) + 1).padStart(2, '0');
    return `${firstYear + Math.floor(index / 12)}/${month}`;
  });
  return {
    hires: things.flatMap((thing) =>
      sizes.map((size) => ({
        ...resource('product', `/hire/${thing}-${size}-set`, 19_000 + random.int(4_000), 260),
        failing: FAILING,
      })),
    ),
    hireCalendar: months.map((month) => resource('listing', `/hire/calendar/${month}`, 8_000, 190)),
  };
}
