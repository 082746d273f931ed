import { describe, expect, it } from 'vitest';
import { createSemaphore } from './semaphore.js';

const turnOfLoop = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the semaphore', () => {
  it('lets websites that wait take turns, one of each', async () => {
    const semaphore = createSemaphore(4);
    for (const websiteId of ['w1', 'w1', 'w1', 'w2']) await semaphore.enter(websiteId);
    const order: string[] = [];
    for (let round = 0; round < 10; round++) void semaphore.enter('w1').then(() => order.push('w1'));
    void semaphore.enter('w2').then(() => order.push('w2'));
    for (const leaving of ['w1', 'w1'] as const) {
      semaphore.leave(leaving);
      await turnOfLoop();
    }
    expect(order).toEqual(['w1', 'w2']);
  });

  it('is never shut for a website that has nothing inside', async () => {
    const semaphore = createSemaphore(2);
    await semaphore.enter('w1');
    await semaphore.enter('w1');
    for (let round = 0; round < 10; round++) void semaphore.enter('w1');
    let entered = 0;
    void semaphore.enter('w2').then(() => entered++);
    void semaphore.enter('w2').then(() => entered++);
    await turnOfLoop();
    expect(entered).toBe(1);
    // A place that was beyond those of all is not given on to others.
    semaphore.leave('w2');
    await turnOfLoop();
    expect(entered).toBe(2);
  });

  it('lets no more of a website in than there are places, whoever leaves', async () => {
    const semaphore = createSemaphore(3);
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await semaphore.enter('w1');
        most = Math.max(most, ++inside);
        if (index % 3 === 0) await turnOfLoop();
        inside -= 1;
        semaphore.leave('w1');
      }),
    );
    expect(most).toBe(3);
  });
});
