import { openLocationDatabases } from '../../shared/location/open-databases.js';

/** Run during the image build: containers cannot write to the cache folder and lack the source files. The second call checks that the tables were saved. */
openLocationDatabases();
openLocationDatabases(() => {
  throw new Error('a table of locations was made, and could not be kept');
});
