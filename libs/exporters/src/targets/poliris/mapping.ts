import { type EnergyQuantity, isRental, type Listing } from '@passerelle/domain';
import { contactOf } from '../../kit/settings';
import type { ExportContext, ExportItem } from '../../kit/contracts';
import { textsByLanguage, textsFor } from '../../kit/languages';
import { positionOf } from '../../kit/place';
import { choiceOf, settingOf } from '../../kit/settings';
import { decimal, frenchDay } from '../../kit/text';
import { writeDetails } from './details';
import { COUNTRIES, LANGUAGE_RANKS, LANGUAGES, TRANSACTIONS, TYPES, type Version, VERSIONS } from './lookups';
import { writeFees, writeOffer } from './offer';
import { writePhotos } from './photos';
import { hasPriceDates, Row, technicalId } from './row';

export function versionOf(context: ExportContext): Version {
  return choiceOf(context, 'version', ['4.12', '4.11', '4.09']);
}

/** One line of Annonces.csv, with its line end. */
export function advertLine(item: ExportItem, context: ExportContext): string {
  const { listing, advertId } = item;
  const version = versionOf(context);
  const row = new Row(VERSIONS[version], choiceOf(context, 'encoding', ['latin1', 'utf-8']));
  const rental = listing.typeTransaction !== undefined && isRental(listing.typeTransaction);
  row.text(1, settingOf(context, 'agency'), 16);
  row.text(2, listing.affNum ?? advertId, 20);
  row.whole(3, TRANSACTIONS[listing.typeTransaction ?? 'vente'], 40);
  row.whole(4, TYPES[listing.typeCode ?? 'autre'], 40);
  row.whole(175, technicalId(advertId), 30);
  row.whole(301, version, 10);
  writePlace(row, listing);
  writeTexts(row, listing, context);
  writeOffer(row, listing, rental);
  writeFees(row, listing, rental);
  writeDetails(row, listing);
  writeEnergy(row, listing, version);
  writePhotos(row, item, context);
  writeContact(row, listing, context);
  return `${row.line()}\r\n`;
}

function writePlace(row: Row, listing: Listing): void {
  row.whole(5, listing.codePostal?.replaceAll(' ', ''), 5);
  row.text(6, listing.ville, 50);
  row.text(7, listing.pays === undefined ? undefined : (COUNTRIES[listing.pays] ?? listing.pays), 40);
  row.text(8, listing.adresse, 128);
  row.text(9, listing.quartier, 64);
  const position = positionOf(listing);
  if (position === undefined) return;
  row.whole(298, decimal(position.latitude, 6), 20);
  row.whole(299, decimal(position.longitude, 6), 20);
}

function writeTexts(row: Row, listing: Listing, context: ExportContext): void {
  const { intitule, commentaires, language } = textsFor(listing, context.placement.language);
  row.text(20, intitule, 64);
  row.text(21, commentaires, 4000);
  const others = new Map(textsByLanguage(listing, ''));
  LANGUAGES.filter((one) => one !== language && others.has(one))
    .slice(0, LANGUAGE_RANKS.length)
    .forEach((one, at) => {
      const [ranks, texts] = [LANGUAGE_RANKS[at]!, others.get(one)];
      row.whole(ranks.language, one.toUpperCase(), 3);
      row.text(ranks.title, texts?.intitule, 64);
      row.text(ranks.description, texts?.commentaires, 4000);
    });
}

function writeEnergy(row: Row, listing: Listing, version: Version): void {
  writeFigure(row, listing, 'energie-primaire', { value: 176, letter: 177 });
  writeFigure(row, listing, 'emissions', { value: 178, letter: 179 });
  row.whole(324, frenchDay(listing.dpeDate), 10);
  row.whole(325, listing.dpeVersion, 12);
  row.whole(326, amount(listing.dpeCoutMin), 12);
  row.whole(327, amount(listing.dpeCoutMax), 12);
  row.whole(328, priceDate(listing.dpeAnneeReference, version), 10);
  row.whole(334, whole(listing.dpeEnergieFinale), 9);
}

/** A certificate in preparation is written like a blank one: the format has no other word. */
function writeFigure(
  row: Row,
  listing: Listing,
  quantity: EnergyQuantity,
  ranks: { value: number; letter: number },
): void {
  const isPrimary = quantity === 'energie-primaire';
  const figure = listing.energie?.find(({ grandeur }) => grandeur === quantity);
  const classe = (isPrimary ? listing.dpeClasse : listing.gesClasse) ?? figure?.classe;
  const state = figure?.statut === undefined ? undefined : figure.statut === 'non-soumis' ? 'NS' : 'VI';
  row.whole(ranks.letter, classe ?? state, 2);
  row.whole(ranks.value, whole((isPrimary ? listing.dpeValeur : listing.gesValeur) ?? figure?.valeur), 9);
}

function priceDate(written: string | undefined, version: Version): string | undefined {
  const year = /^\d{4}/.exec(written ?? '')?.[0];
  if (year === undefined || !hasPriceDates(version)) return year;
  return frenchDay(written) ?? `01/01/${year}`;
}

function writeContact(row: Row, listing: Listing, context: ExportContext): void {
  const { name, email, phone } = contactOf(listing, context);
  row.whole(105, phone === undefined ? undefined : frenchPhone(phone), 10);
  row.text(106, name, 64);
  row.whole(107, email, 64);
}

/** Ten digits: `+33 1 …` is written `01…`. */
function frenchPhone(phone: string): string {
  return phone.replace(/^(?:\+|00)33\s*(?:\(0\))?\s*/, '0').replace(/[^\d+]/g, '');
}

/** Consumption and emissions are whole numbers in the format. */
function whole(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(Math.round(value));
}

function amount(value: number | undefined): string | undefined {
  return value === undefined ? undefined : decimal(value);
}
