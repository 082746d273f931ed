import { runService } from '../../shared/service/run.js';
import { startStandalone } from './start-standalone.js';

/** `npm start`: all services and the log in one process, and the ClickHouse engine in its child process. */
await runService({
  name: 'standalone',
  needs: [],
  async start(service) {
    console.log(await startStandalone(service));
  },
});
