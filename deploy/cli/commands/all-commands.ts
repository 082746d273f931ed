import type { AddCommand } from '../cli.js';
import { addApi } from './api.js';
import { addDemo } from './demo.js';
import { addImport } from './import.js';
import { addLogin } from './login.js';
import { addOperations } from './operations.js';
import { addSend } from './send.js';
import { addTail } from './tail.js';

/** All commands, in the order of the help. */
export const allCommands: readonly AddCommand[] = [
  addLogin,
  addTail,
  addSend,
  addImport,
  addDemo,
  addApi,
  addOperations,
];
