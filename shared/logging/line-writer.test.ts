import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLineWriter } from './line-writer.js';

const failure = (code: string) => Object.assign(new Error(code), { code });

/** A file descriptor with room for some bytes; fails with the error in `fails` if set. */
function createOutput() {
  const output = { text: '', room: Number.POSITIVE_INFINITY, fails: null as string | null, calls: 0 };
  let leave: () => void = () => {};
  const writer = createLineWriter({
    writeBytes(bytes) {
      output.calls++;
      if (output.fails !== null) throw failure(output.fails);
      if (output.room === 0) throw failure('EAGAIN');
      const taken = bytes.subarray(0, output.room);
      output.room -= taken.length;
      output.text += taken.toString();
      return taken.length;
    },
    dropped: (lines) => `${lines} dropped\n`,
    onExit: (flush) => {
      leave = flush;
    },
    maxWaiting: 100,
  });
  return { output, writer, leave: () => leave() };
}

test('a line is written before the call returns if there is room', () => {
  const { output, writer } = createOutput();
  writer.write('one\n');
  expect(output.text).toBe('one\n');
});

test('a line cut by a full pipe continues where it stopped', async () => {
  const { output, writer } = createOutput();
  output.room = 5;
  writer.write('first\n');
  writer.write('second ü\n');
  expect(output.text).toBe('first');
  output.room = Number.POSITIVE_INFINITY;
  await expect.poll(() => output.text).toBe('first\nsecond ü\n');
});

test('the buffer is bounded, and dropped lines are reported when there is room', async () => {
  const { output, writer } = createOutput();
  output.room = 0;
  for (let line = 0; line < 50; line++) writer.write(`line ${line}..\n`.padEnd(10, '.'));
  output.room = Number.POSITIVE_INFINITY;
  await expect.poll(() => output.text).not.toBe('');
  const kept = output.text.split('\n').length - 1;
  expect(output.text.length).toBeLessThanOrEqual(100);
  writer.write('last\n');
  expect(output.text.endsWith(`${50 - kept} dropped\nlast\n`)).toBe(true);
});

test('a temporary error only costs its own lines', () => {
  const { output, writer } = createOutput();
  output.fails = 'ENOSPC';
  writer.write('lost\n');
  output.fails = null;
  writer.write('kept\n');
  expect(output.text).toBe('1 dropped\nkept\n');
});

test('a closed reader is not tried again', () => {
  const { output, writer } = createOutput();
  output.fails = 'EPIPE';
  writer.write('lost\n');
  output.fails = null;
  writer.write('lost\n');
  expect([output.text, output.calls]).toEqual(['', 1]);
});

test('at exit a slow reader gets the buffered lines, and a stalled one is not waited for', () => {
  const { output, writer, leave } = createOutput();
  output.room = 0;
  writer.write('waits\n');
  const { calls } = output;
  leave();
  expect(output.calls).toBeGreaterThan(calls);
  output.room = Number.POSITIVE_INFINITY;
  leave();
  expect(output.text).toBe('waits\n');
});

test('retries end when everything is written', async () => {
  const { output, writer } = createOutput();
  output.room = 0;
  writer.write('waits\n');
  output.room = Number.POSITIVE_INFINITY;
  await expect.poll(() => output.text).toBe('waits\n');
  const { calls } = output;
  await sleep(150);
  expect(output.calls).toBe(calls);
});
