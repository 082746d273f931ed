import { CompressionTypes, type Kafka } from 'kafkajs';
import { expect, it, vi } from 'vitest';
import { type Batch, createSender } from './producer.js';

const batch: Batch = new Map([
  [
    't',
    [
      { key: 'a', value: 'v', partition: 0 },
      { key: 'b', value: 'v', partition: 1 },
    ],
  ],
]);
const answer = (partition: number) => ({
  topicName: 't',
  partition,
  errorCode: 0,
  baseOffset: String(7 + partition),
});

/** kafkajs with scripted producers, used in order. */
function fakeKafka(...sends: (() => Promise<unknown>)[]) {
  const producers: { disconnect: ReturnType<typeof vi.fn> }[] = [];
  const producer = () => {
    const made = {
      connect: async () => {},
      disconnect: vi.fn(async () => {}),
      sendBatch: () => sends.shift()!(),
    };
    producers.push(made);
    return made;
  };
  return { kafka: { producer } as unknown as Kafka, producers };
}
const senderOf = (kafka: Kafka) =>
  createSender({ kafka, ackTimeoutMs: 50, compression: CompressionTypes.None });

it('returns the base offset of each partition, from one producer while nothing fails', async () => {
  const all = async () => [answer(0), answer(1)];
  const { kafka, producers } = fakeKafka(all, all);
  const sender = senderOf(kafka);
  const wanted = new Map([
    ['t/0', 7],
    ['t/1', 8],
  ]);
  expect(await sender.send(batch)).toEqual(wanted);
  expect(await sender.send(batch)).toEqual(wanted);
  expect(producers).toHaveLength(1);
});

it('treats a partition that kafkajs omitted as unacknowledged', async () => {
  const { kafka } = fakeKafka(async () => [answer(0)]);
  await expect(senderOf(kafka).send(batch)).rejects.toThrow('t/1 was not acknowledged');
});

it('never reuses the sequence numbers of a failed batch', async () => {
  const { kafka, producers } = fakeKafka(
    () => Promise.reject(new Error('no')),
    async () => [answer(0), answer(1)],
  );
  const sender = senderOf(kafka);
  await expect(sender.send(batch)).rejects.toThrow('no');
  await sender.send(batch);
  expect(producers).toHaveLength(2);
});

it('times out, and disconnects the producer when its retries have ended', async () => {
  let end = () => {};
  const { kafka, producers } = fakeKafka(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  const sender = senderOf(kafka);
  await expect(sender.send(batch)).rejects.toThrow('no acknowledgement within 50 ms');
  expect(producers[0]!.disconnect).not.toHaveBeenCalled();
  const closing = sender.close();
  end();
  await closing;
  expect(producers[0]!.disconnect).toHaveBeenCalledTimes(1);
});
