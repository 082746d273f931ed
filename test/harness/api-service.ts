import { Registry } from 'prom-client';
import { type ApiService, startApi } from '../../services/api/api-service.js';
import type { TestApi } from './api.js';

/** The API of a test on a free port of this machine. Stop it after use. */
export function startTestService({ options }: Pick<TestApi, 'options'>): Promise<ApiService> {
  return startApi({
    ...options,
    registry: new Registry(),
    host: '127.0.0.1',
    port: 0,
    mostConnections: 100,
    shutdownTimeoutMs: 1_000,
  });
}
