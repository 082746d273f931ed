import { setInterval as every } from 'node:timers';
import { runService } from '../../shared/service/run.js';

/**
 * A service that logs more than a pipe's capacity. It reports by IPC: `ready` after the log is written,
 * `alive` while its event loop runs. Its argument chooses how it ends.
 */
const [ending] = process.argv.slice(2);

await runService({
  name: 'chatty',
  needs: [],
  async start({ logger, onStop, onCrash }) {
    const alive = every(() => process.send?.('alive'), 20);
    onStop(async () => clearInterval(alive));
    if (ending === 'stuck') onStop(() => new Promise(() => {}));
    for (let line = 0; line < 20_000; line++) logger.info({ line, text: 'x'.repeat(100) }, 'noise');
    process.once('message', (how) => {
      if (how === 'crash') return onCrash(new Error('told to crash'));
      setImmediate(() => {
        throw new Error('x'.repeat(100_000));
      });
    });
    process.send?.('ready');
  },
});
