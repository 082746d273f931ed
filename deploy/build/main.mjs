// `npm run build`, and the first half of `npm start`: makes dist/ where it is not what the sources make.
// Plain JavaScript, because it runs before anything is compiled.
import { build } from './build.mjs';

process.exitCode = (await build(process.cwd())) ? 0 : 1;
