import { expect, test } from 'vitest';
import type { JobWebsite, WebsiteJob } from '../website-job.js';
import type { Assignment } from './assignments.js';
import { createPlaces } from './places.js';

const website = (number: number): JobWebsite => ({
  id: `web_${number}`,
  domain: 'example.com',
  organisationId: `org_${number}`,
  createdAt: '',
});
const job = (name: string, atOnce?: number): WebsiteJob => ({
  ...{ name, everyMs: 1, fetches: true, run: async () => {} },
  ...(atOnce === undefined ? {} : { atOnce }),
});

test('a job that may run a few times at once waits for its own runs alone, and gives up no place', () => {
  let now = 0;
  const places = createPlaces(() => now);
  const given: string[] = [];
  const occupy = (number: number, of: WebsiteJob) =>
    void places.occupy(
      { website: website(number), job: of, assignment: {} as Assignment },
      (_leaving, givenUp) => new Promise(() => givenUp.addEventListener('abort', () => given.push(of.name))),
    );
  const [few, other] = [job('few', 2), job('other')];
  occupy(1, few);
  expect(places.hasPlace(website(2), few)).toBe(true);
  occupy(2, few);
  expect(places.hasPlace(website(3), few)).toBe(false);
  expect(places.hasPlace(website(3), other)).toBe(true);
  for (let number = 3; number <= 16; number++) occupy(number, other);
  now = 60 * 60_000;
  places.giveUp(16);
  expect(given).toEqual(Array.from({ length: 14 }, () => 'other'));
});
