// A worker thread does not inherit tsx's loader.
import { register } from 'tsx/esm/api';

register();
await import('./stream-thread.ts');
