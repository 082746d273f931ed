import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi, uncounted } from '../harness/api.js';
import { startTestService } from '../harness/api-service.js';
import { startTestClickHouse } from '../harness/clickhouse.js';
import { trafficOf } from '../harness/contract-traffic.js';
import { insertStored } from '../harness/stored-requests.js';
import { connectStripe, startStripeServer } from '../harness/stripe-server.js';

/**
 * `npm run test:fuzz`: schemathesis (PyPI) with the API's own document, for FUZZ_SECONDS (default 600). No answer may be a 5xx or violate
 * its schema. The API runs here on the embedded engine, with some traffic and without hourly limits.
 */

const seconds = Number(process.env.FUZZ_SECONDS ?? 600);
const command = process.env.SCHEMATHESIS ?? 'schemathesis';

const engine = await startTestClickHouse();
const stripe = await startStripeServer();
const payments = connectStripe(stripe);
const test = await createTestApi({ clickhouse: engine.clickhouse, payments, usage: uncounted });
await insertStored(engine.clickhouse, trafficOf(test.website.id), { deduplicationToken: 'shop' });
const api = await startTestService(test);

const folder = await mkdtemp(join(tmpdir(), 'loglane-fuzz-'));
const configuration = join(folder, 'schemathesis.toml');
// A random website is nearly always 404, and would hide all other checks from the fuzzer.
await writeFile(configuration, `[parameters]\n"path.website_id" = "${test.website.id}"\n`);

const base = `http://127.0.0.1:${api.port}`;
const words = [
  `--config-file=${configuration}`,
  'run',
  `${base}/public/v1/openapi.json`,
  `--url=${base}`,
  `--header=Authorization: Bearer ${test.keys.readWrite}`,
  '--checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,unsupported_method,ignored_auth,allow_header_conformance',
  `--max-time=${seconds}`,
  '--continue-on-failure',
  ...process.argv.slice(2),
];
const code = await new Promise<number>((done) => {
  const child = spawn(command, words, { stdio: 'inherit', cwd: folder });
  child.once('error', (error) => {
    console.error(`${command}: ${error.message}; install it with "pipx install schemathesis"`);
    done(1);
  });
  child.once('exit', (status) => done(status ?? 1));
});
const failures = test
  .logged()
  .split('\n')
  .filter((line) => line.includes('"request failed"'));
for (const line of new Set(failures.map((text) => JSON.parse(text).err?.message)))
  console.error(`5xx: ${line}`);
await api.stop();
await stripe.stop();
await engine.stop();
await rm(folder, { recursive: true });
process.exit(code);
