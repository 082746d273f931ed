/** Numbers in words, of English and of other languages in Latin letters, and in Roman figures: none of them could be held against anything. */

interface Language {
  /** A figure by themselves, and within a compound. Without marks over letters. */
  readonly numbers: readonly string[];
  /** A figure within a compound alone: beside a number, or two of them. By itself it is an English word, or a syllable. */
  readonly parts: readonly string[];
  /** Only hold a compound together, or end it. */
  readonly joints: readonly string[];
}

const list = (text: string): readonly string[] => text.split(' ');

const LANGUAGES: readonly Language[] = [
  {
    numbers: list(
      'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty ' +
        'forty fifty sixty seventy eighty ninety hundred thousand million billion trillion quadrillion dozen zero tens half halve halved halves halving ' +
        'third thirds quarter quarters double doubled doubles doubling triple tripled triples tripling quadruple quadrupled quadrupling quintuple quintupled ' +
        'twice thrice twofold threefold fourfold fivefold sixfold tenfold hundredfold thousandfold lakh lakhs crore crores fifth fifths eighth eighths ninth ninths twelfth ' +
        'twelfths twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth couple dozens myriad umpteen',
    ),
    parts: ['one'],
    joints: list('s and th ths'),
  },
  {
    numbers: list(
      'eins zwei zwo drei vier funf fuenf sechs sieben acht neun zehn elf zwolf zwoelf zwanzig dreissig hundert tausend million millionen milliarde ' +
        'milliarden dutzend dutzende halb halbe halben halfte haelfte drittel viertel doppelt doppelte doppelten doppelter verdoppelt verdoppelte verdoppelten verdreifacht',
    ),
    parts: list('ein eine sech sieb'),
    joints: list('und zig mal fach fache e n en te ten ter tes ste sten stel tel'),
  },
  {
    numbers: list(
      'deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze vingt vingts trente quarante cinquante soixante septante huitante ' +
        'octante nonante mille millier milliers milliard milliards centaine centaines dizaine dizaines douzaine douzaines vingtaine trentaine moitie doublement triplement',
    ),
    parts: list('un une six seize cent cents quart tiers demi cinqu neuv deux trois quatr onz'),
    joints: list('et ieme iemes s'),
  },
  {
    numbers: list(
      'tres cuatro cinco seis siete ocho nueve diez doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ' +
        'ciento cientos cientas quinientos quinientas setecientos setecientas novecientos novecientas mil millon millones millardo docena docenas mitad tercio doble duplico cero',
    ),
    parts: list('un uno una dos once dieci veinti tres sete nove qui'),
    joints: list('y i s'),
  },
  {
    numbers: list(
      'tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta ' +
        'cinquanta sessanta settanta ottanta novanta cento mille mila milione milioni miliardo miliardi dozzina dozzine centinaia migliaia doppio raddoppiato raddoppiate raddoppiati',
    ),
    parts: list('un uno una due vent trent quarant cinquant sessant settant ottant novant'),
    joints: list('e esimo esima'),
  },
  {
    numbers: list(
      'dois duas quatro cinco seis sete oito nove dez onze doze treze quatorze catorze quinze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove ' +
        'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento centos duzentos duzentas trezentos trezentas quinhentos quinhentas mil milhao milhoes ' +
        'milhar milhares bilhao bilhoes duzia duzias metade dobro dobrou dezena dezenas centena centenas',
    ),
    parts: list('um uma seis'),
    joints: list('e as'),
  },
  {
    numbers: list(
      'twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien twintig dertig veertig tachtig honderd honderden duizend duizenden miljoen ' +
        'miljoenen miljard miljarden dozijn dozijnen helft kwart dubbel dubbele verdubbeld verdubbelde tweede derde',
    ),
    parts: list('een'),
    joints: list('en tig maal voud voudig de ste s'),
  },
];

/** By themselves English words as well as numbers of another language; figures where nothing about them is English (english.ts). */
export const SHARED_WORDS: ReadonlySet<string> = new Set(
  list('once due dos six cent cents seize tiers miles quart demi uno una een eine ein un une um uma'),
);

/** A compound is no longer in any text; the work on a word is bounded by it. */
const MOST_LETTERS = 80;
/** English words that would be Roman figures or compounds. */
const WORDS: ReadonlySet<string> = new Set(['mix', 'tree', 'trees', 'undue']);

interface Pieces {
  readonly longest: number;
  /** How much of a figure each piece is: 2 by itself, 1 with another one, 0 not. */
  readonly weights: ReadonlyMap<string, number>;
}

const pieces: readonly Pieces[] = LANGUAGES.map(({ numbers, parts, joints }) => {
  const weights = new Map<string, number>();
  for (const each of joints) weights.set(each, 0);
  for (const each of parts) weights.set(each, 1);
  for (const each of numbers) weights.set(each, 2);
  return { longest: Math.max(...[...weights.keys()].map(({ length }) => length)), weights };
});

/** Lower case, without marks over letters: `Fünf` is `funf`. */
export function plainWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

/** @param word letters, one word. */
export function isNumberWord(word: string): boolean {
  const plain = plainWord(word);
  if (WORDS.has(plain)) return false;
  if (isRoman(plain)) return true;
  return plain.length <= MOST_LETTERS && pieces.some((language) => weightOf(plain, language) >= 2);
}

/** The most that a word weighs as a chain of pieces; -1 where it is none. In time of the word's length. */
function weightOf(word: string, { longest, weights }: Pieces): number {
  const best = new Array<number>(word.length + 1).fill(-1);
  best[0] = 0;
  for (let end = 1; end <= word.length; end++)
    for (let start = Math.max(0, end - longest); start < end; start++) {
      const weight = best[start]! < 0 ? undefined : weights.get(word.slice(start, end));
      if (weight === undefined || (start === 0 && weight === 0)) continue;
      best[end] = Math.max(best[end]!, best[start]! + weight);
    }
  return best[word.length]!;
}

/** Of two letters or more; one alone is a word, or names something. */
function isRoman(plain: string): boolean {
  return (
    plain.length >= 2 &&
    plain.length <= 20 &&
    /^m{0,4}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/.test(plain)
  );
}
