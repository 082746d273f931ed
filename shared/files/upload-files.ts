/** Where files of uploaded crawls lie until they were read: below the website, so that they go with it. */
export function uploadsOf(websiteId: string): string {
  return `${websiteId}/uploads/`;
}

/** Keys of one upload. */
export function uploadFiles({ websiteId, id }: { readonly websiteId: string; readonly id: string }) {
  const folder = `${uploadsOf(websiteId)}${id}`;
  return { pages: `${folder}/pages`, links: `${folder}/links` };
}
