import fc from 'fast-check';
import { isNightly } from './runs.js';

/** Each `npm test` tries the same samples of a property, so that no change fails by chance. The nightly run tries new ones. */
const SEED = 1;

if (!isNightly) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
