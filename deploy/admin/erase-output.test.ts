import { Command } from 'commander';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { granted, openTestPlane, type TestPlane } from '../../test/harness/control-plane.js';
import { withDetectors } from '../../test/harness/detectors-on.js';
import { addErase } from './erase.js';
import { createErasureDesk, type ErasureDesk } from './erasure/erasure-desk.js';
import type { ErasureSubject } from './erasure/subject.js';
import { createCommandContext } from './instance/command-context.js';

let plane: TestPlane;
let ids: { organisation: string; website: string; user: string };
let entries: number;
let desk: ErasureDesk;
let isDetected: boolean;

beforeEach(async () => {
  plane = await openTestPlane();
  const { control } = plane;
  entries = 3;
  isDetected = true;
  const organisation = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop Ltd', planId: 'scale' }, 'admin'),
  ).id;
  const added = { type: 'addUser', organisationId: organisation, email: 'jo@shop.example' } as const;
  const user = granted(await control.execute(added, 'admin')).id;
  const { website } = granted(
    await control.execute(
      {
        ...{ type: 'createWebsite', organisationId: organisation, domain: 'shop.example' },
        ...{ name: 'Shop', sourceType: 'vector' },
      } as const,
      'admin',
    ),
  );
  for (const userId of [user, user, null])
    granted(
      await control.execute(
        { type: 'createApiKey', organisationId: organisation, name: 'CI', scope: 'read', userId },
        'admin',
      ),
    );
  ids = { organisation, website: website.id, user };
  // This store contains timeline entries and no other rows.
  const clickhouse = {
    read: async ({ name }: { name: string }) => (name === 'erase.texts' ? [{ rows: entries }] : []),
    async command(sql: string) {
      if (sql.includes('site_events UPDATE')) entries = 0;
    },
    async insert() {},
  };
  desk = createErasureDesk({
    ...{
      control,
      log: { ...withDetectors(plane.log, () => isDetected), rewrite: undefined as never },
      clickhouse: clickhouse as never,
      newId: () => 'x',
      now: Date.now,
      pauseMs: 0,
      answerMs: 0,
    },
    ...{ withInsertsHeld: (work) => work(), logger: pino({ level: 'silent' }) },
  });
});

async function erase(...words: string[]): Promise<string> {
  const printed: string[] = [];
  const post = async (path: string, subject: unknown) => ({
    answer: await desk[path === '/erase' ? 'erase' : 'preview'](subject as ErasureSubject),
  });
  const program = new Command().option('--json');
  const instance = { post, get: post as never };
  addErase(program, createCommandContext(program, { instance, print: (text) => printed.push(text) }));
  await program.parseAsync(['erase', ...words], { from: 'user' });
  return printed.join('\n');
}

test('a preview shows the name of the subject and its objects in the state', async () => {
  const organisation = await erase('organisation', ids.organisation);
  expect(organisation).toContain(`would erase: Shop Ltd (${ids.organisation})`);
  expect(organisation).toContain('Nothing was changed.');
  expect(organisation).toMatch(/\n1 websites\n1 users\n3 API keys.*\n1 ingest keys.*/);
  expect(await erase('website', ids.website)).toMatch(
    new RegExp(`^would erase: shop\\.example \\(${ids.website}\\)\n1 websites\n1 ingest keys`),
  );
});

test('the erasure of a user shows the keys that stop working and the entries that lose their texts', async () => {
  for (const words of [[], ['--yes']]) {
    const printed = await erase('user', 'jo@shop.example', ...words);
    expect(printed).toContain(`erase${words.length > 0 ? 'd' : ''}: jo@shop.example (${ids.user})`);
    expect(printed).toMatch(/\n2 API keys, which stop working\n3 timeline entries .* without title and text/);
  }
});

test('a second run reports that nothing is left', async () => {
  for (const kind of ['user', 'website', 'organisation'] as const) {
    expect(await erase(kind, ids[kind], '--yes')).toContain('erased: ');
    expect(await erase(kind, ids[kind], '--yes')).toMatch(
      new RegExp(`^nothing is left of ${ids[kind]}(\n|$)`),
    );
  }
});

test('the error names a detector that did not answer, since it may still remember the data', async () => {
  isDetected = false;
  const erased = erase('address', '192.0.2.1', '--yes');
  await expect(erased).rejects.toThrow(
    /a detector did not answer .* repeat the command when the detector runs/,
  );
});
