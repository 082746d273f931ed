import { runService } from '../../shared/service/run.js';
import { startStandalone } from './start-standalone.js';

/** `npm start`: all services and both engines in one process (the ClickHouse engine in its child). */
await runService({
  name: 'standalone',
  needs: [],
  async start(service) {
    console.log(await startStandalone(service));
  },
});
