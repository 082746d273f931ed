// Loaded into the program before its own code (NODE_OPTIONS): what its main thread lost to garbage collection, and how long its
// event loop stood still. At SIGUSR2 it writes both to WATCH_THREAD_FILE and begins anew. The program's own /metrics look each 10 ms
// only, and count one collection where several come at once.
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.WATCH_THREAD_FILE;

if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let collecting = { count: 0, ms: 0 };
  const observer = new PerformanceObserver((list) => count(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });

  function count(entries) {
    for (const { duration } of entries) {
      collecting.count += 1;
      collecting.ms += duration;
    }
  }

  process.on('SIGUSR2', () => {
    count(observer.takeRecords());
    const ms = (nanoseconds) => nanoseconds / 1e6;
    const pauses = { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) };
    writeFileSync(`${file}.part`, JSON.stringify({ collecting, pauses }));
    // Whole or not at all.
    renameSync(`${file}.part`, file);
    delay.reset();
    collecting = { count: 0, ms: 0 };
  });
}
