import type { Metafile } from 'esbuild';

export function bundledLicences(root: string, metafile: Metafile): string;
