import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredIngestKey, Website } from '../../shared/control/domain/model.js';
import { MINUTE_MS } from '../../shared/durations.js';
import { sendUpload } from '../harness/request-stream.js';
import type { Cluster } from './cluster.js';

/** Websites with known incidents, and the sending of their logs. */

export interface AttackedWebsite {
  readonly id: string;
  readonly ingestKey: string;
  /** Its logs: one text per upload, in the order of sending. */
  readonly uploads: readonly string[];
  /** Total number of lines. */
  readonly requests: number;
}

/** Requests 200 names within ten minutes. */
const SCANNER = '198.51.100.77';
/** Requests twenty names in each of two quarters of an hour. Only both together are a scan, so a detector must remember the first. */
const PATIENT_SCANNER = '198.51.100.78';
/** Requests page after page. */
const SCRAPER = '198.51.100.79';

/** Fingerprints of each website's incidents: there must be no others. */
export const incidentsOfWebsite = [
  `hacking_probe|warning|${SCANNER}`,
  `hacking_probe|warning|${PATIENT_SCANNER}`,
  `scraper|warning|${SCRAPER}`,
];

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const QUARTER_MS = 15 * MINUTE_MS;
const probed = ['/.env', '/.git/config', '/wp-login.php', '/.aws/credentials', '/phpmyadmin/index.php'];

interface Line {
  readonly minute: number;
  readonly ip: string;
  readonly path: string;
  readonly status: number;
}

/** A website's hour, in quarters that align with every rule's window. */
function hourOfLines(): Line[] {
  const visits = Array.from({ length: 120 }, (_, at) => ({
    minute: at % 60,
    ip: `203.0.113.${at}`,
    path: `/p/${at}`,
    status: 200,
  }));
  const probe = (ip: string, minute: number, at: number) => ({
    ...{ ip, minute, path: probed[at % probed.length]!, status: 404 },
  });
  return [
    ...visits,
    ...Array.from({ length: 200 }, (_, at) => probe(SCANNER, 15 + (at % 10), at)),
    ...Array.from({ length: 40 }, (_, at) => probe(PATIENT_SCANNER, at < 20 ? 16 : 31, at)),
    ...Array.from({ length: 180 }, (_, at) => {
      return { ip: SCRAPER, minute: 45 + (at % 14), path: `/catalogue/${at}`, status: 200 };
    }),
  ];
}

/**
 * The last whole hour of quarters that ended a while ago, in three uploads by time. An interval accepts requests for half a minute and waits
 * for earlier uploads, so all of them count despite delays.
 */
function uploadsOf(now: number): string[] {
  const begin = Math.floor(now / QUARTER_MS) * QUARTER_MS - 5 * QUARTER_MS;
  const lines = hourOfLines();
  return [0, 20, 40].map((from) =>
    lines
      .filter(({ minute }) => minute >= from && minute < from + 20)
      .map(({ minute, ip, path, status }, at) =>
        JSON.stringify({
          timestamp: new Date(begin + minute * MINUTE_MS + at).toISOString(),
          client_ip: ip,
          ...{ method: 'GET', path, status, bytes_sent: 100, user_agent: BROWSER },
        }),
      )
      .join('\n'),
  );
}

export interface Audience {
  readonly organisationId: string;
  readonly userId: string;
}

/** An organisation with a user who can receive messages. */
export async function createAudience(cluster: Cluster): Promise<Audience> {
  return cluster.operate(async ({ post }) => {
    const run = async (command: object) => ((await post('/commands', command)) as { answer: never }).answer;
    const { id: organisationId } = (await run({
      ...{ type: 'createOrganisation', name: 'Attacked', planId: 'unlimited' },
    })) as { id: string };
    const { id: userId } = (await run({
      ...{ type: 'addUser', organisationId, email: 'jo@attacked.example' },
    })) as { id: string };
    return { organisationId, userId };
  });
}

/** Websites whose user gets messages. @param name part of a domain; unique */
export async function createWebsites(
  cluster: Cluster,
  { organisationId }: Audience,
  { name, count }: { readonly name: string; readonly count: number },
): Promise<AttackedWebsite[]> {
  return cluster.operate(async ({ post }) => {
    const websites: AttackedWebsite[] = [];
    for (let at = 0; at < count; at += 1) {
      const domain = `${name}-${at}.example`;
      const { answer } = (await post('/commands', { type: 'createWebsite', organisationId, domain })) as {
        answer: { website: Website; ingestKey: StoredIngestKey; clearText: string };
      };
      const { id } = answer.website;
      const settings = { email_notifications_enabled: true };
      await post('/commands', { type: 'changeAlertSettings', websiteId: id, ...settings });
      const uploads = uploadsOf(Date.now());
      const requests = uploads.join('\n').split('\n').length;
      websites.push({ id, ingestKey: answer.clearText, uploads, requests });
    }
    return websites;
  });
}

const LONGEST_SENDING_MS = 120_000;

/** Sends each upload until it is answered. An upload with a lost answer is repeated, and the last one is always sent twice. */
export async function sendLogs(cluster: Cluster, { ingestKey, uploads }: AttackedWebsite): Promise<void> {
  const to = { ingest_url: cluster.credentials.ingest_url, ingest_key: ingestKey };
  const deadline = Date.now() + LONGEST_SENDING_MS;
  for (const [at, body] of [...uploads.entries(), [uploads.length - 1, uploads.at(-1)!] as const]) {
    while ((await sendUpload(to, body, `upload-${at}`)) === null) {
      if (Date.now() > deadline) throw new Error('an upload is not accepted');
      await sleep(200);
    }
  }
}
