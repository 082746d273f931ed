import { expect, it } from 'vitest';
import { topicConfigs } from './ensure-topics.js';

it('creates each topic with its own retention, and tolerates the loss of one copy', () => {
  const configs = topicConfigs({ topicPrefix: 'p.', partitions: 12, replicationFactor: 3 });
  const shape = Object.fromEntries(
    configs.map(({ topic, numPartitions, replicationFactor, configEntries }) => {
      const entry = (name: string) => configEntries!.find((one) => one.name === name)?.value;
      const entries = ['retention.ms', 'segment.ms', 'min.insync.replicas'].map(entry);
      return [topic, [numPartitions, replicationFactor, ...entries]];
    }),
  );
  expect(shape).toEqual({
    'p.requests.raw': [12, 3, '604800000', '75600000', '2'],
    'p.requests.dead': [1, 3, '2592000000', '324000000', '2'],
    'p.requests.stored': [12, 3, '172800000', '21600000', '2'],
    'p.control.keys': [1, 3, '-1', '43200000', '2'],
    'p.control.events': [1, 3, '-1', undefined, '2'],
    'p.jobs': [12, 3, '604800000', '75600000', '2'],
    'p.alerts': [12, 3, '2592000000', '324000000', '2'],
    'p.usage': [1, 3, '7200000', '900000', '2'],
    'p.uploads': [1, 3, '90000000', '11250000', '2'],
    'p.changes': [1, 3, '3600000', '450000', '2'],
  });
  const compacted = configs.filter((config) => JSON.stringify(config).includes('"compact"'));
  expect(compacted.map(({ topic }) => topic)).toEqual(['p.control.keys']);
});

it('requires one in-sync copy if there is only one', () => {
  const [config] = topicConfigs({ topicPrefix: '', partitions: 1, replicationFactor: 1 });
  expect(config!.configEntries).toContainEqual({ name: 'min.insync.replicas', value: '1' });
});
