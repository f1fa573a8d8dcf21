import { writeKyeroXml } from '../../tools/simulator/feeds/kyero';
import { inventProperties } from '../../tools/simulator/properties';
import type { Property } from '../../tools/simulator/property';
import { createRandom, type Random } from '../../tools/simulator/random';

/** All identifiers have seven digits, so that one can replace another without changing the file's length. */
export const FIRST_ID = 1_000_000;
const PHOTOS = 12;

/** The least and the greatest number of sentences of a text; a sentence has about 100 letters. */
export type TextLength = readonly [least: number, most: number];

/**
 * A Kyero feed in which no two texts are equal. Compression and caches must not profit from repeated texts.
 * @param price of the first record; default: the simulator's price
 */
export function variedFeed(records: number, seed: number, price?: number, [least, most]: TextLength = [4, 8]): Buffer {
  const properties = inventProperties('kyero', seed, records).map((property, index): Property => {
    const random = createRandom(seed, `varied/${String(index)}`);
    const text = Array.from({ length: random.integer(least, most) }, () => sentence(random));
    return { ...property, id: FIRST_ID + index, text, ...(index === 0 && price !== undefined && { price }) };
  });
  const photoUrls = ({ id }: Property): string[] =>
    Array.from({ length: PHOTOS }, (_, photo) => `https://photos.example.org/kyero/${id}/${photo}.jpg`);
  return writeKyeroXml(properties, photoUrls);
}

function sentence(random: Random): string {
  const some = (words: readonly string[]): string => random.pick(words);
  return `${some(BEGINNINGS)} ${some(NOUNS)} ${some(ADJECTIVES)} de ${random.integer(8, 94)} m², ${some(PLACES)} ${some(NOUNS)} ${some(ADJECTIVES)} et ${some(ENDS)}.`;
}

const BEGINNINGS = words(
  'Vous découvrez|Au calme,|Elle comprend|À l’étage,|Le rez-de-chaussée offre|On apprécie|Une entrée dessert|Côté jardin,|Sous les toits,|Pour les beaux jours,|Rare dans le secteur :|Coup de cœur pour',
);
const NOUNS = words(
  'un séjour|un salon|une cuisine|une véranda|un bureau|une chambre|une suite parentale|un dressing|une mezzanine|un atelier|une buanderie|un cellier|une terrasse|un balcon|un jardin|un verger|une cour|une dépendance|un garage|une cave|une piscine|un pool-house|un grenier|une bibliothèque|une salle d’eau',
);
const ADJECTIVES = words(
  'lumineux|traversant|rénové|d’origine|équipé|voûté|ombragé|exposé au sud|sans vis-à-vis|aménageable|climatisé|carrelé|parqueté|mansardé|clos|arboré|chaleureux|indépendant|de plain-pied|en pierre|à rafraîchir|contemporain|généreux',
);
const PLACES = words(
  'prolongé par|ouvert sur|voisin de|face à|relié à|complété par|au-dessus de|à côté de|donnant sur|précédé de|séparé de|bordé par',
);
const ENDS = words(
  'une vue dégagée sur les collines|un accès direct à la plage|des rangements dans chaque pièce|une cheminée du siècle dernier|un chauffage au sol|des volets électriques|une fibre déjà raccordée|un portail motorisé|deux places de stationnement|les commerces à cinq minutes|une école au bout de la rue|un arrêt de tramway à deux pas|une toiture refaite|de faibles charges|une belle hauteur sous plafond',
);

function words(text: string): readonly string[] {
  return text.split('|');
}
