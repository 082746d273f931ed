import { createRequire } from 'node:module';
import { geoNaturalEarth1, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';

/**
 * The module `virtual:world-shapes`: outlines of countries as SVG paths, projected when the console is built, so that the page needs no map
 * library. Source: world-atlas (Natural Earth, public domain).
 */

const WIDTH = 720;
const HEIGHT = 360;
const ID = 'virtual:world-shapes';

/** Names of world-atlas that are not the English name of their region in Unicode CLDR. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'Bosnia and Herz.': 'BA',
  'Central African Rep.': 'CF',
  Congo: 'CG',
  "Côte d'Ivoire": 'CI',
  'Dem. Rep. Congo': 'CD',
  'Dominican Rep.': 'DO',
  'Eq. Guinea': 'GQ',
  eSwatini: 'SZ',
  'Falkland Is.': 'FK',
  'Fr. S. Antarctic Lands': 'TF',
  Macedonia: 'MK',
  Myanmar: 'MM',
  Palestine: 'PS',
  'S. Sudan': 'SS',
  'Solomon Is.': 'SB',
  'Trinidad and Tobago': 'TT',
  Turkey: 'TR',
  'United States of America': 'US',
  'W. Sahara': 'EH',
};

export function worldShapes(): Plugin {
  return {
    name: 'world-shapes',
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load: (id) => (id === `\0${ID}` ? `export const shapes = ${JSON.stringify(shapes())};` : null),
  };
}

/** Country codes with their outline. Countries without a code have an empty one. */
function shapes(): Array<readonly [code: string, path: string]> {
  const world = createRequire(import.meta.url)('world-atlas/countries-110m.json') as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  const { features } = feature(world, world.objects.countries);
  const shown = features.filter(({ properties }) => properties.name !== 'Antarctica');
  const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], {
    type: 'FeatureCollection',
    features: shown,
  });
  const pathOf = geoPath(projection).digits(0);
  const codes = codesByName();
  return shown.map((country) => {
    const { name } = country.properties;
    return [OTHER_NAMES[name] ?? codes.get(name) ?? '', pathOf(country) ?? ''] as const;
  });
}

function codesByName(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  return new Map(
    letters.flatMap((first) =>
      letters.map((second) => [names.of(first + second) ?? '', first + second] as const),
    ),
  );
}
