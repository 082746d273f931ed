import { openPlaceTable } from '../../shared/location/open-databases.js';

/** Run while an image is made: its containers can't write where the table of places is kept, and each would make its own at its start. */
openPlaceTable();
