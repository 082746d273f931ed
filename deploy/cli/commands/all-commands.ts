import type { AddCommand } from '../cli.js';
import { addApi } from './api.js';
import { addLogin } from './login.js';
import { addOperations } from './operations.js';
import { addTail } from './tail.js';

/** All commands, in the order of the help. */
export const allCommands: readonly AddCommand[] = [addLogin, addTail, addApi, addOperations];
