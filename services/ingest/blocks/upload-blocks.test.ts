import { expect, it } from 'vitest';
import { plainRequest } from '../../../shared/requests/plain-request.js';
import { createUploadBlocks } from './upload-blocks.js';

const blocksAt = (now: number) =>
  createUploadBlocks({
    websiteId: 'w',
    uploadId: 'u',
    uploadKey: null,
    now: () => now,
    uploadsInFlight: () => 1,
  });

it('a block that could not be encoded is given back once: no two uploads share its builder', () => {
  const failing = blocksAt(Number.NaN);
  failing.add(plainRequest(), 'combined');
  expect(() => failing.close()).toThrow();
  failing.discard();
  const [one, other] = [blocksAt(2), blocksAt(2)];
  expect(one.builderFor('combined')).not.toBe(other.builderFor('combined'));
});
