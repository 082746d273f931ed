import { MINUTE_MS } from '../../durations.js';
import { type TopicDefinition, type TopicName, topics } from '../topics.js';

/** Detects broker settings that lose records or positions. Pure. */

export interface TopicSettings {
  readonly replicas: number;
  readonly settings: ReadonlyMap<string, string>;
}

export interface KafkaSettings {
  /** Topics whose settings are readable. */
  readonly topics: ReadonlyMap<TopicName, TopicSettings>;
  /** One element per broker with readable settings. */
  readonly brokers: readonly ReadonlyMap<string, string>[];
}

export interface SettingProblems {
  /** Data is certainly lost. */
  readonly loses: readonly string[];
  /** Data is lost after a second failure. */
  readonly mayLose: readonly string[];
}

export const TOPIC_SETTINGS = [
  'cleanup.policy',
  'retention.ms',
  'retention.bytes',
  'min.insync.replicas',
  'unclean.leader.election.enable',
];
export const OFFSETS_RETENTION = 'offsets.retention.minutes';

/** Enrichers that are stopped for longer lose their positions. A night must not be enough. */
const LEAST_OFFSETS_MINUTES = 24 * 60;

export function settingProblems({ topics: shown, brokers }: KafkaSettings): SettingProblems {
  const loses: string[] = [];
  const mayLose: string[] = [];
  for (const [name, topic] of shown) {
    loses.push(...lossesOf(topics[name], topic));
    mayLose.push(...risksOf(topics[name], topic));
  }
  const minutes = Math.min(...brokers.flatMap((settings) => numberOf(settings, OFFSETS_RETENTION) ?? []));
  const wanted = topics['requests.raw'].retentionMs / MINUTE_MS;
  if (minutes < LEAST_OFFSETS_MINUTES)
    loses.push(
      `${OFFSETS_RETENTION} is ${minutes}: enrichers that are stopped for that long lose their positions`,
    );
  else if (minutes < wanted)
    mayLose.push(`${OFFSETS_RETENTION} is ${minutes}, less than the retention of requests.raw (${wanted})`);
  return { loses, mayLose };
}

function lossesOf(definition: TopicDefinition, { settings }: TopicSettings): string[] {
  const { name, retentionMs, compacted } = definition;
  const policy = compacted ? 'compact' : 'delete';
  const found = settings.get('cleanup.policy');
  const losses: string[] = [];
  if (found !== undefined && found !== policy)
    losses.push(`${name} has cleanup.policy=${found}: it must be ${policy}`);
  if (retentionMs !== null || compacted) return losses;
  for (const setting of ['retention.ms', 'retention.bytes']) {
    const value = settings.get(setting);
    if (value !== undefined && value !== '-1')
      losses.push(
        `${name} has ${setting}=${value}: it must be -1, since the topic contains all customers and keys`,
      );
  }
  return losses;
}

function risksOf({ name, retentionMs }: TopicDefinition, { replicas, settings }: TopicSettings): string[] {
  const risks: string[] = [];
  const kept = numberOf(settings, 'retention.ms');
  if (retentionMs !== null && kept !== undefined && kept >= 0 && kept < retentionMs)
    risks.push(`${name} has retention.ms=${kept}, less than ${retentionMs}`);
  const inSync = numberOf(settings, 'min.insync.replicas');
  if (replicas >= 3 && inSync !== undefined && inSync < 2)
    risks.push(
      `${name} has ${replicas} replicas and min.insync.replicas=${inSync}: records on only one broker are acknowledged`,
    );
  if (settings.get('unclean.leader.election.enable') === 'true')
    risks.push(`${name} has unclean.leader.election.enable=true`);
  return risks;
}

function numberOf(settings: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = settings.get(name);
  return text === undefined || !/^-?\d+$/.test(text) ? undefined : Number(text);
}
