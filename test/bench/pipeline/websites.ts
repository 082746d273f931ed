import { connectInstance } from '../../../deploy/admin/instance/instance.js';

/** One website of a separate customer, so that shares and hourly limits are independent. */
export interface BenchWebsite {
  readonly id: string;
  readonly apiKey: string;
  readonly ingestKey: string;
}

/** Executes commands of the operator. */
export interface Operator {
  post(path: string, body: unknown): Promise<unknown>;
}

/** Customers that are created at once: each needs a few consecutive commands. */
const AT_ONCE = 16;

/** Domain of a created website. */
export const domainOf = (index: number) => `shop${index}.example`;

/** Creates websites in the program that runs on this data directory. */
export function createWebsites(dataDir: string, count: number): Promise<BenchWebsite[]> {
  return createWebsitesBy(connectInstance(dataDir), count);
}

/** Creates websites by the operator's commands. */
export async function createWebsitesBy(operator: Operator, count: number): Promise<BenchWebsite[]> {
  const websites: BenchWebsite[] = new Array(count);
  let next = 0;
  const maker = async () => {
    for (let index = next++; index < count; index = next++) websites[index] = await create(operator, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, maker));
  return websites;
}

async function create(operator: Operator, index: number): Promise<BenchWebsite> {
  const command = async <Answer>(body: Record<string, unknown>) =>
    ((await operator.post('/commands', body)) as { answer: Answer }).answer;
  const { id: organisationId } = await command<{ id: string }>({
    type: 'createOrganisation',
    name: `Bench ${index}`,
  });
  await command({ type: 'setPlan', organisationId, planId: 'unlimited' });
  const site = await command<{ website: { id: string }; clearText: string }>({
    type: 'createWebsite',
    organisationId,
    domain: domainOf(index),
  });
  await command({ type: 'addSegmentLibrary', websiteId: site.website.id });
  const key = await command<{ clearText: string }>({ type: 'createApiKey', organisationId });
  return { id: site.website.id, apiKey: key.clearText, ingestKey: site.clearText };
}
