import { build } from '../../deploy/build/build.mjs';

/** Path of `loglane`, built if the sources are newer. @throws Error if it does not build */
export async function builtCommandLine(): Promise<string> {
  if (!(await build(process.cwd()))) throw new Error('the command line does not build');
  return `${process.cwd()}/dist/deploy/cli/loglane.mjs`;
}
