import { openPlaceTable } from '../../shared/location/open-databases.js';

/** Run while an image is made: its containers can't write where the table of places is kept, and have no files to make it of. */
openPlaceTable();
openPlaceTable(() => {
  throw new Error('the table of places was made, and could not be kept');
});
