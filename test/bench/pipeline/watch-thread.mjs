// Loaded into the program before its own code (NODE_OPTIONS). It measures the main thread's garbage collections and the
// pauses of its event loop. At SIGUSR2 it writes both to WATCH_THREAD_FILE and starts again. The program's own /metrics
// sample only every 10 ms, and count several simultaneous collections as one.
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
    // Atomic: the reader never sees a part of the file.
    renameSync(`${file}.part`, file);
    delay.reset();
    collecting = { count: 0, ms: 0 };
  });
}
