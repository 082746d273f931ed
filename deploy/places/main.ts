import { openLocationDatabases } from '../../shared/location/open-databases.js';

/** Run while an image is made: its containers can't write where the tables of locations are kept, and have no files to make them of. */
openLocationDatabases();
openLocationDatabases(() => {
  throw new Error('a table of locations was made, and could not be kept');
});
