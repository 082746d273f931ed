// A thread takes no part in what its process does to read TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./stream-thread.ts');
