// `npm run build`, and the first step of `npm start`: builds dist/ if it is not up to date.
// Plain JavaScript, because it runs before the compiler.
import { build } from './build.mjs';

process.exitCode = (await build(process.cwd())) ? 0 : 1;
