const ASSET = /\.(?:css|js|mjs|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|otf|mp4|webm|json)$/i;

/** Whether a path is a part of pages, such as an image or a script, by its file name. */
export function isAsset(path: string): boolean {
  return ASSET.test(path);
}
