import { expect, test } from 'vitest';
import type { TopicName } from '../topics.js';
import { settingProblems } from './broker-settings.js';

const DAY = 24 * 60 * 60 * 1000;
const check = (name: TopicName, settings: Record<string, string>, replicas = 3) =>
  settingProblems({
    topics: new Map([[name, { replicas, settings: new Map(Object.entries(settings)) }]]),
    brokers: [],
  });
const withOffsets = (minutes: number) =>
  settingProblems({
    topics: new Map(),
    brokers: [
      new Map([['offsets.retention.minutes', '99999']]),
      new Map([['offsets.retention.minutes', String(minutes)]]),
    ],
  });

test('the settings that this program creates are valid', () => {
  const made = {
    'min.insync.replicas': '2',
    'retention.bytes': '-1',
    'unclean.leader.election.enable': 'false',
  };
  for (const found of [
    check('control.events', { ...made, 'cleanup.policy': 'delete', 'retention.ms': '-1' }),
    check('control.keys', { ...made, 'cleanup.policy': 'compact', 'retention.ms': '-1' }),
    check('requests.raw', { ...made, 'cleanup.policy': 'delete', 'retention.ms': String(7 * DAY) }),
    check('requests.raw', { 'min.insync.replicas': '1', 'cleanup.policy': 'delete' }, 1),
    withOffsets(10_080),
  ])
    expect(found).toEqual({ loses: [], mayLose: [] });
});

test.each<[string, TopicName, Record<string, string>]>([
  ['a control log that expires', 'control.events', { 'retention.ms': String(7 * DAY) }],
  ['a control log with a largest size', 'control.events', { 'retention.bytes': '1000000' }],
  ['a control log that is compacted', 'control.events', { 'cleanup.policy': 'compact' }],
  ['keys that are deleted by age', 'control.keys', { 'cleanup.policy': 'compact,delete' }],
  ['keys that are not compacted', 'control.keys', { 'cleanup.policy': 'delete' }],
  ['requests that are compacted', 'requests.raw', { 'cleanup.policy': 'compact' }],
])('%s is refused in one line', (_name, topic, settings) => {
  const { loses } = check(topic, settings);
  expect(loses).toHaveLength(1);
  expect(loses[0]).toMatch(new RegExp(`^${topic} has [^\\n]+$`));
});

test.each<[string, TopicName, Record<string, string>]>([
  ['requests that are kept for a day', 'requests.raw', { 'retention.ms': String(DAY) }],
  ['acknowledgements of one of three replicas', 'requests.raw', { 'min.insync.replicas': '1' }],
  ['elections of replicas that lack records', 'alerts', { 'unclean.leader.election.enable': 'true' }],
])('%s only may lose data', (_name, topic, settings) => {
  const { loses, mayLose } = check(topic, settings);
  expect([loses, mayLose]).toEqual([[], [expect.stringContaining(topic)]]);
});

test('positions of groups outlive a night, and should live as long as the requests', () => {
  expect(withOffsets(60).loses).toEqual([expect.stringContaining('offsets.retention.minutes is 60')]);
  expect(withOffsets(1_440)).toMatchObject({ loses: [], mayLose: [expect.stringContaining('1440')] });
});
