import { beforeEach, expect, test } from 'vitest';
import { createDecider, type Decider } from '../../../test/harness/decider.js';
import { DAY_MS } from '../../durations.js';
import {
  MOST_RESOLVED,
  MOST_SEGMENT_CHARACTERS,
  MOST_SUPPRESSED,
  MOST_WEBSITES,
} from './organisation-room.js';

/** Limits of one organisation in the state of every process. */

let decider: Decider;
let organisationId: string;
const add = (domain: string, owner = organisationId) =>
  decider.do({ type: 'createWebsite', organisationId: owner, domain }).website.id;
beforeEach(() => {
  decider = createDecider();
  organisationId = decider.do({ type: 'createOrganisation', name: 'Shop' }).id;
});

test('each organisation has at most 10,000 websites', () => {
  for (let n = 0; n < MOST_WEBSITES; n++) add(`shop${n}.example`);
  const more = { type: 'createWebsite', organisationId, domain: 'more.example' } as const;
  expect(decider.refusal(more)).toMatchObject({ code: 'conflict' });
  const other = decider.do({ type: 'createOrganisation', name: 'Other' }).id;
  expect(add('more.example', other)).toMatch(/^web_/);
});

test('the segments of an organisation have a limit of characters together; library segments do not count', () => {
  const rules = Array.from({ length: 30 }, (_, n) => ({
    type: 'prefix' as const,
    value: `/${n}`.padEnd(1_000, 'x'),
  }));
  const websites = Array.from({ length: 3 }, (_, n) => add(`shop${n}.example`));
  const create = (websiteId: string, name: string) =>
    ({ type: 'createSegment', websiteId, name, rules, excludeRules: rules }) as const;
  let made = 0;
  for (; (made + 1) * 60_006 <= MOST_SEGMENT_CHARACTERS; made++)
    decider.do(create(websites[made % 3]!, `s${made}`));
  expect(decider.refusal(create(websites[0]!, 'more'))).toMatchObject({ code: 'conflict' });
  for (const websiteId of websites) decider.do({ type: 'addSegmentLibrary', websiteId });
  const segmentId = decider.state.segments.by('websiteId', websites[0]!)[0]!.id;
  const smaller = { name: 's', rules: rules.slice(0, 1) };
  decider.do({ type: 'replaceSegment', websiteId: websites[0]!, segmentId, ...smaller });
  decider.do(create(websites[1]!, 'fits'));
});

test('resolved recommendations of an organisation are limited, and reopened ones do not count', () => {
  const [one, two] = [add('one.example'), add('two.example')];
  const before = decider.state.versions.size;
  const resolve = (websiteId: string, n: number) =>
    ({ type: 'resolveRecommendation', websiteId, key: `404:/${n}` }) as const;
  for (let n = 0; n < MOST_RESOLVED; n++) decider.do(resolve(n % 2 === 0 ? one : two, n));
  expect(decider.refusal(resolve(one, -1))).toMatchObject({ code: 'conflict' });
  // It is already counted.
  decider.do(resolve(one, 0));
  for (let n = 0; n < MOST_RESOLVED; n++)
    decider.do({ type: 'reopenRecommendation', websiteId: n % 2 === 0 ? one : two, key: `404:/${n}` });
  expect(decider.state.resolutions.size).toBe(0);
  expect(decider.state.versions.size - before).toBe(2);
});

test('suppressed bots of an organisation are limited, and ended suppressions do not count', () => {
  const [websiteId, other] = [add('one.example'), add('two.example')];
  const before = decider.state.versions.size;
  const suppress = (n: number) => ({ type: 'suppressBot', websiteId, crawler: `bot ${n}`, days: 1 }) as const;
  decider.do({ type: 'suppressBot', websiteId: other, crawler: 'bot', days: 9 });
  for (let n = 0; n < MOST_SUPPRESSED - 1; n++) decider.do(suppress(n));
  expect(decider.refusal(suppress(-1))).toMatchObject({ code: 'conflict' });
  decider.now += 2 * DAY_MS;
  decider.do(suppress(0));
  expect(decider.state.suppressions.size).toBe(2);
  expect(decider.state.versions.size - before).toBe(2);
});
