import { describe, expect, it } from 'vitest';
import { createGate } from './gate.js';

const turnOfLoop = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the gate', () => {
  it('lets websites that wait take turns, one of each', async () => {
    const gate = createGate(4);
    for (const websiteId of ['w1', 'w1', 'w1', 'w2']) await gate.enter(websiteId);
    const order: string[] = [];
    for (let round = 0; round < 10; round++) void gate.enter('w1').then(() => order.push('w1'));
    void gate.enter('w2').then(() => order.push('w2'));
    for (const leaving of ['w1', 'w1'] as const) {
      gate.leave(leaving);
      await turnOfLoop();
    }
    expect(order).toEqual(['w1', 'w2']);
  });

  it('is never shut for a website that has nothing inside', async () => {
    const gate = createGate(2);
    await gate.enter('w1');
    await gate.enter('w1');
    for (let round = 0; round < 10; round++) void gate.enter('w1');
    let entered = 0;
    void gate.enter('w2').then(() => entered++);
    void gate.enter('w2').then(() => entered++);
    await turnOfLoop();
    expect(entered).toBe(1);
    // A place that was beyond those of all is not given on to others.
    gate.leave('w2');
    await turnOfLoop();
    expect(entered).toBe(2);
  });

  it('lets no more of a website in than there are places, whoever leaves', async () => {
    const gate = createGate(3);
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await gate.enter('w1');
        most = Math.max(most, ++inside);
        if (index % 3 === 0) await turnOfLoop();
        inside -= 1;
        gate.leave('w1');
      }),
    );
    expect(most).toBe(3);
  });
});
