import type { NewRecord } from '../event-log/event-log.js';
import { versionedAvro } from '../schemas/versioned-avro.js';
import type { BotSignal, ClientSignal, MinuteSignal, PathSignal, Signal } from './signal.js';

/** A record of `requests.signals` on the wire. Its key is the website, whose partition's owner counts it. */

type Envelope = ReturnType<typeof toEnvelope>;

const codec = versionedAvro<Envelope>('requests.signals', 1);

/** What is appended to `requests.signals`. */
export function signalRecord(signal: Signal): NewRecord {
  return { key: signal.websiteId, value: codec.encode(toEnvelope(signal)) };
}

/** @throws Error naming what is wrong with the bytes. */
export function decodeSignal(value: Buffer): Signal {
  const { token, website_id, stored_at, minutes } = codec.decode(value);
  return { token, websiteId: website_id, storedAt: stored_at, minutes: minutes.map(fromMinute) };
}

function toEnvelope({ token, websiteId, storedAt, minutes }: Signal) {
  return { token, website_id: websiteId, stored_at: storedAt, minutes: minutes.map(toMinute) };
}

function toMinute(minute: MinuteSignal) {
  const { aiBots, status4xx, notFound, status5xx, timeTakenMs, bytesSent, byBot, byClient, ...same } = minute;
  return {
    ...same,
    ai_bots: aiBots,
    status_4xx: status4xx,
    not_found: notFound,
    status_5xx: status5xx,
    time_taken_ms: timeTakenMs,
    bytes_sent: bytesSent,
    by_bot: byBot.map(toBot),
    by_client: byClient.map(toClient),
    failing_paths: minute.failingPaths,
  };
}

function fromMinute(minute: ReturnType<typeof toMinute>): MinuteSignal {
  return {
    minute: minute.minute,
    requests: minute.requests,
    people: minute.people,
    bots: minute.bots,
    crawlers: minute.crawlers,
    aiBots: minute.ai_bots,
    spoofed: minute.spoofed,
    undeclared: minute.undeclared,
    status4xx: minute.status_4xx,
    notFound: minute.not_found,
    rejected: minute.rejected,
    status5xx: minute.status_5xx,
    timed: minute.timed,
    timeTakenMs: minute.time_taken_ms,
    bytesSent: minute.bytes_sent,
    byBot: minute.by_bot.map(fromBot),
    byClient: minute.by_client.map(fromClient),
    failingPaths: minute.failing_paths.map(fromPath),
  };
}

function toBot({ notFound, status5xx, sampleIp, sampleUserAgent, samplePath, ...same }: BotSignal) {
  return {
    ...same,
    not_found: notFound,
    status_5xx: status5xx,
    sample_ip: sampleIp,
    sample_user_agent: sampleUserAgent,
    sample_path: samplePath,
  };
}

function fromBot(bot: ReturnType<typeof toBot>): BotSignal {
  return {
    name: bot.name,
    family: bot.family,
    operator: bot.operator,
    category: bot.category,
    verification: bot.verification,
    requests: bot.requests,
    notFound: bot.not_found,
    rejected: bot.rejected,
    status5xx: bot.status_5xx,
    sampleIp: bot.sample_ip,
    sampleUserAgent: bot.sample_user_agent,
    samplePath: bot.sample_path,
  };
}

function toClient(client: ClientSignal) {
  const { asName, notFound, isPerson, botName, sampleUserAgent, samplePaths, ...same } = client;
  return {
    ...same,
    as_name: asName,
    not_found: notFound,
    is_person: isPerson,
    bot_name: botName,
    sample_user_agent: sampleUserAgent,
    sample_paths: samplePaths,
  };
}

function fromClient(client: ReturnType<typeof toClient>): ClientSignal {
  return {
    ip: client.ip,
    country: client.country,
    asn: client.asn,
    asName: client.as_name,
    requests: client.requests,
    pages: client.pages,
    notFound: client.not_found,
    rejected: client.rejected,
    probes: client.probes,
    paths: client.paths,
    isPerson: client.is_person,
    botName: client.bot_name,
    verification: client.verification,
    sampleUserAgent: client.sample_user_agent,
    samplePaths: client.sample_paths,
  };
}

function fromPath({ path, status, requests }: PathSignal): PathSignal {
  return { path, status, requests };
}
