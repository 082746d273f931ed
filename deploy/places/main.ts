import { openLocationDatabases } from '../../shared/location/open-databases.js';

/** Run during the image build: containers cannot write to the cache folder and lack the source files. The second call checks that the tables were saved. */
openLocationDatabases();
openLocationDatabases(() => {
  throw new Error('a location table was built, but could not be saved');
});
