import { plainWord, SHARED_WORDS } from './number-words.js';

/** Whether a text is English: figures in words of other languages could not be told from names. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words without which hardly a sentence of some length is English. */
const ENGLISH = words(
  'a about after all also an and any are as at be been before between both but by can could did does each either every few for from had has have how ' +
    'if in into is it its least less like may might more most much new no none not now of off on only or other our out over per same see should since so ' +
    'some still such than that the their them then there these they this those through to too under until up very was were what when where which while ' +
    'who why will with within without would you your here most mostly nothing however because against again below above across during down',
);

/** Frequent words of German, French, Spanish, Italian, Portuguese, Dutch and a few more that are no English ones, without marks over letters. */
const FOREIGN = words(
  'und der das ist nicht von mit auf eine einen einer eines dem wurden wurde waren sind aus bei nach wird werden sich auch als noch nur uber zum zur haben hatte ' +
    'anfragen besuche besucher seite seiten zugriffe les des du une est et dans avec aux ont sur pour qui par ces ses leur sont ete etait etaient visites visiteurs ' +
    'requetes el los las del una por para como pero mas hay fue fueron sus este esta estos solicitudes visitas visitantes il gli della delle degli dei nel nella ' +
    'che sono con alla stato stati richieste visite visitatori uma foram nao com dos das pelo pela ao aos mais pedidos acessos het een van zijn niet voor deze ' +
    'werd aan ook door naar maar bezoeken verzoeken och det som inte av med til ikke och ett jest nie sie przez oraz bir ve icin ja ei on',
);

/** A heading or a short order may have none of the frequent words; of as many words one is, and of more at least one in so many. */
const LONG = 9;
const RARELY = 14;

/**
 * @param prose what stands outside backticks; each of these taken out leaves a blank.
 * @returns the first sentence that is not English, shortened; null where there is none.
 */
export function findForeignSentence(prose: string): string | null {
  for (const sentence of prose.split(/[.!?;:](?=\s|$)|\n/)) {
    let [all, english, foreign, shared] = [0, 0, 0, 0];
    for (const [word] of sentence.matchAll(/\p{L}+/gu)) {
      const plain = plainWord(word);
      all++;
      if (ENGLISH.has(plain)) english++;
      else if (FOREIGN.has(plain)) foreign++;
      // DoS is an attack.
      else if (SHARED_WORDS.has(plain) && word !== 'DoS') shared++;
    }
    if (foreign > english || (english === 0 && shared > 0) || (all >= LONG && english * RARELY < all))
      return sentence.trim();
  }
  return null;
}
