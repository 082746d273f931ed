import { Hono } from 'hono';
import { isDemo } from '../../../shared/control/domain/demo-organisation.js';
import { PublicError } from '../../../shared/errors.js';
import type { Caller } from '../control/api-control.js';
import { authenticate } from '../middleware/authenticate.js';
import type { ApiEnv } from '../middleware/env.js';
import type { ApiServices } from '../operation/operation.js';
import { onlySession } from './session-routes.js';

/** Sends the demo's traffic to the website of the demo organisation. `percent` is called with 0 to 100. Rejects with a sentence for people. */
export type LoadDemo = (percent: (sent: number) => void) => Promise<void>;

type State = 'unavailable' | 'ready' | 'running' | 'done' | 'failed';

interface Progress {
  state: State;
  percent: number;
  /** Why it failed; null: it did not. */
  error: string | null;
}

const MAX_ERROR = 300;

/** The button of the set-up screen. @param load null: this program has no demo, for example as services run apart. */
export function demoRoutes(services: ApiServices, now: () => number, load: LoadDemo | null): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  const progress: Progress = { state: 'ready', percent: 0, error: null };
  const mayLoad = ({ apiKey, organisation }: Caller) =>
    load !== null && apiKey.scope === 'read_write' && isDemo(services.control.state(), organisation);

  routes.get('/console/demo', onlySession, authenticate(services, now), (c) =>
    c.json(mayLoad(c.get('caller')) ? progress : { state: 'unavailable', percent: 0, error: null }),
  );

  routes.post('/console/demo', onlySession, authenticate(services, now), (c) => {
    if (load === null || !mayLoad(c.get('caller')))
      throw new PublicError('read_only_key', 'Only an owner of the demo organisation loads the demo.');
    if (progress.state !== 'running') void run(load);
    return c.json(progress, 202);
  });

  async function run(start: LoadDemo): Promise<void> {
    Object.assign(progress, { state: 'running', percent: 0, error: null });
    try {
      await start((percent) => {
        progress.percent = percent;
      });
      Object.assign(progress, { state: 'done', percent: 100 });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      Object.assign(progress, { state: 'failed', error: text.slice(0, MAX_ERROR) });
    }
  }
  return routes;
}
