import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXAMPLES_FOLDER } from '../../services/api/docs/complete-document.js';
import { document as own } from '../contract/described.js';

/**
 * Records the examples of the OpenAPI document from a running program with the demo's traffic:
 * `npm run examples -- <credentials.json>`. Lists are cut to their first entries. If this installation has no answer (no payment
 * processor, no alert), the example does not change, and its name is printed.
 */

type Json = any;

const LIST_ENTRIES = 2;
const ATTEMPTS = 20;
const REPEAT_MS = 3_000;
const credentials = JSON.parse(await readFile(process.argv[2] ?? 'data/credentials.json', 'utf8'));

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const response = await fetch(credentials.base_url + path, {
    method: method.toUpperCase(),
    headers: { Authorization: `Bearer ${credentials.api_key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json().catch(() => undefined) };
}

/** A long read continues in the background; a repeat of the call gets its answer. */
async function finished(method: string, path: string, body?: unknown): ReturnType<typeof call> {
  let answer = await call(method, path, body);
  for (let attempt = 0; answer.body?.data_buffering === true && attempt < ATTEMPTS; attempt++) {
    await sleep(REPEAT_MS);
    answer = await call(method, path, body);
  }
  return answer;
}

const website = `/public/v1/websites/${credentials.website_id}`;

/** Values for a call that only a running program has; made for each call. */
async function preparation(
  id: string,
): Promise<{ path?: Record<string, string>; query?: Record<string, string>; body?: unknown }> {
  switch (id) {
    case 'createWebsite':
      return { body: { domain: `shop-${Date.now()}.example.com` } };
    case 'replaceSegment':
    case 'patchSegment':
    case 'deleteSegment': {
      const rules = [{ type: 'prefix', value: '/p/' }];
      const { body } = await call('post', `${website}/segments`, { name: `Products ${Date.now()}`, rules });
      return {
        path: { segment_id: body.segment.segment_id },
        body: { name: 'Products', rules, colour: '#2563eb', order: 1 },
      };
    }
    case 'createSegment':
      return { body: { name: 'Blog', rules: [{ type: 'prefix', value: '/blog' }] } };
    case 'deleteSiteEvent': {
      const { body } = await call('post', `${website}/site-events`, {
        title: 'Relaunch',
        date: '2026-11-21',
      });
      return { path: { event_id: body.event.event_id } };
    }
    case 'getIpRequests': {
      const { body } = await call('get', `${website}/ips?limit=1`);
      return { path: { ip_address: body.ips[0].client_ip } };
    }
    case 'getRecommendations':
    case 'getNotFoundRecommendations':
    case 'getSlowRecommendations':
    case 'getUnverifiedBotRecommendations':
      return { query: { hours: '168' } };
    case 'getRecommendationSnippet':
      return { query: { type: 'block_ips', target: 'nginx', hours: '168' } };
    case 'getUrl':
      return { query: { path: await mostCrawled() } };
    case 'getUrlHistory':
      return { query: { url_path: await mostCrawled() } };
    default:
      return {};
  }
}

async function mostCrawled(): Promise<string> {
  const { body } = await call('get', `${website}/seo/path-explorer?limit=1`);
  return body.paths[0].path;
}

/** Lists and maps of names cut to their first entries; secrets replaced by placeholders. */
function shortened(value: Json, name = ''): Json {
  if (name === 'api_key') return 'll_…';
  if (Array.isArray(value)) return value.slice(0, LIST_ENTRIES).map((entry) => shortened(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shortened(field, key)]));
}

/** The document's own example of a body, field by field. */
function exampleBody(operation: Json): unknown {
  const given = operation.requestBody?.content['application/json'].schema;
  if (given === undefined) return undefined;
  const schema =
    given.$ref === undefined
      ? given
      : given.$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, part: string) => at[part], own);
  const fields = Object.entries<Json>(schema.properties ?? {});
  return Object.fromEntries(
    fields
      .filter(([name, field]) => schema.required?.includes(name) || field.example !== undefined)
      .map(([name, field]) => [name, field.example ?? field.default ?? field.enum?.[0] ?? 'Relaunch']),
  );
}

// Writes first, because their results are in the lists.
const calls = Object.entries<Json>(own.paths)
  .flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  .sort((one, other) => Number(one.method === 'get') - Number(other.method === 'get'));

for (const { path, method, operation } of calls) {
  const id = operation.operationId as string;
  const { path: values = {}, query = {}, body } = await preparation(id);
  const known: Record<string, string> = { website_id: credentials.website_id, ...values };
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = operation.parameters.find((parameter: Json) => parameter.name === name)?.schema.example;
    return encodeURIComponent(known[name] ?? example);
  });
  const search = new URLSearchParams(query);
  const full = search.size === 0 ? address : `${address}?${search}`;
  const answer = await finished(method, full, body ?? exampleBody(operation));
  // Without a language model there are no insights.
  const isNone = id === 'getInsights' && answer.body?.insights?.length === 0;
  if (answer.status >= 300 || answer.body?.data_buffering === true || isNone) {
    console.log(
      `${id}: kept as it was (${answer.status} ${answer.body?.detail ?? (isNone ? 'none' : 'data_buffering')})`,
    );
    continue;
  }
  const text = JSON.stringify(shortened(answer.body), null, 2).replaceAll(
    credentials.base_url,
    'https://api.example.com',
  );
  await writeFile(
    join(EXAMPLES_FOLDER, `${id}.json`),
    `${text.replaceAll(credentials.ingest_url, 'https://ingest.example.com/v1/logs')}\n`,
  );
}
