import { expect, it } from 'vitest';
import { operations } from '../../operations/all-operations.js';
import { callOperation, changeOperation } from './any-operation.js';
import type { ToolContext } from './tool.js';

/** @returns the question to the person. */
async function questionOf(given: object): Promise<string> {
  let question = '';
  const context = {
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    confirm(change: string) {
      question = change;
      return { inputRequests: {} };
    },
  } as unknown as ToolContext;
  await changeOperation({ operation: 'createSiteEvent', ...given } as never, context, Buffer.alloc);
  return question;
}

it('a field of the change hides no other one from the person', async () => {
  const question = await questionOf({
    website: 'shop.example',
    parameters: { website: 'test.example' },
    body: { website: 'test.example', description: 'x'.repeat(5_000), title: 'Launch' },
  });
  expect(question).toContain('"website":"shop.example"');
  expect(question).toContain('"title":"Launch"');
  expect(question.length).toBeLessThan(1_000);
});

it('two different websites are refused', async () => {
  const context = {
    operations: new Map(operations.map((operation) => [operation.id, operation])),
  } as unknown as ToolContext;
  const given = { operation: 'getSummary', website: 'shop.example', parameters: { website_id: 'other' } };
  await expect(callOperation(given, context, Buffer.alloc)).rejects.toThrow('differ');
});
