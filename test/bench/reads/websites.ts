import { connectInstance } from '../../../deploy/admin/instance.js';
import type { Standalone } from '../../harness/standalone.js';

/** One website of a customer of its own: shares and hourly limits of one do not touch another's. */
export interface BenchWebsite {
  readonly id: string;
  readonly apiKey: string;
  readonly ingestKey: string;
}

export async function createWebsites(dataDir: string, count: number): Promise<BenchWebsite[]> {
  const instance = connectInstance(dataDir);
  const command = async <Answer>(body: Record<string, unknown>) =>
    ((await instance.post('/commands', body)) as { answer: Answer }).answer;
  const websites: BenchWebsite[] = [];
  for (let index = 0; index < count; index++) {
    const { id: organisationId } = await command<{ id: string }>({
      type: 'createOrganisation',
      name: `Bench ${index}`,
    });
    await command({ type: 'setPlan', organisationId, planId: 'unlimited' });
    const site = await command<{ website: { id: string }; clearText: string }>({
      type: 'createWebsite',
      organisationId,
      domain: `shop${index}.example`,
    });
    await command({ type: 'addSegmentLibrary', websiteId: site.website.id });
    const key = await command<{ clearText: string }>({ type: 'createApiKey', organisationId });
    websites.push({ id: site.website.id, apiKey: key.clearText, ingestKey: site.clearText });
  }
  return websites;
}

/** Sends one packed upload; @returns how many lines were taken. */
export async function sendUpload(
  program: Standalone,
  ingestKey: string,
  { body, source }: { body: Buffer; source: string },
): Promise<number> {
  const response = await fetch(`${program.credentials.ingest_url}?source=${source}`, {
    method: 'POST',
    headers: { 'x-api-key': ingestKey, 'content-encoding': 'gzip' },
    body: new Uint8Array(body),
  });
  const answer = (await response.json()) as { accepted?: number };
  return answer.accepted ?? 0;
}
