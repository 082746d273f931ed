/** Where the files of an uploaded crawl lie until they were read: below the website, so that they go with it. */
export function uploadFiles({ websiteId, id }: { readonly websiteId: string; readonly id: string }) {
  const folder = `${websiteId}/uploads/${id}`;
  return { folder: `${folder}/`, pages: `${folder}/pages`, links: `${folder}/links` };
}
