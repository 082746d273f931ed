/**
 * Folder of uploaded crawl files until they are read. It is inside the website's folder, so it is removed with the
 * website.
 */
export function uploadsOf(websiteId: string): string {
  return `${websiteId}/uploads/`;
}

/** Keys of one upload. */
export function uploadFiles({ websiteId, id }: { readonly websiteId: string; readonly id: string }) {
  const folder = `${uploadsOf(websiteId)}${id}`;
  return { pages: `${folder}/pages`, links: `${folder}/links` };
}
