import { isRental, type TypeTransaction, type Statut } from '@passerelle/domain';
import { offerOf } from '../../formats/several-offers';
import type { XmlRecord } from '../../formats/xml-records';
import { toNumber } from '../../kit/clean/number';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import type { Offer } from '../../kit/offer';
import { isDoubtful, readPrice, readPriceOf, readSalePrice, rentFor } from '../../kit/price';
import { together } from '../../kit/together';
import { scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { ACTIONS, GONE, PERIODS, STATES } from './lookups';
import { withdrawalFor } from '../../kit/status';

/** Matches `Vender o Alquilar` or `Alquilar/Traspasar` in the raw bytes, in every encoding of the format. */
const SEVERAL = /<(?:[\w-]+:)?accion[^>]*>(?:\s*<!\[CDATA\[)?[^<\]]*(?:\s[oOyY]\s|[/,+])/;
const BETWEEN_OFFERS = /(?<!\s)\s+(?:o|y|or|and)\s+|(?<!\s)\s*[/,+]\s*/i;
/** The order of several offers. A sale comes first, because it keeps the identifier of the record unchanged. */
const ORDER: readonly TypeTransaction[] = ['vente', 'location', 'location-saisonniere', 'cession-de-bail'];

export function mayBeSeveral(bytes: Buffer): boolean {
  return SEVERAL.test(bytes.toString('latin1'));
}

/** The mapping warns about an unknown word when it reads it. */
export function offersOf(record: XmlRecord): readonly TypeTransaction[] {
  const written = textOf(record['accion']);
  if (written === undefined) return [];
  const whole = ACTIONS.find(written);
  if (whole !== undefined) return [whole];
  const named = new Set(written.split(BETWEEN_OFFERS).map((word) => ACTIONS.find(word)));
  return ORDER.filter((offer) => named.has(offer));
}

/** Every unknown word of `accion` gives a warning; if no word is known, the offer is `autre`. */
function transactionOf(record: XmlRecord, context: RecordContext): TypeTransaction | undefined {
  const written = textOf(record['accion']);
  if (written === undefined) return undefined;
  if (ACTIONS.find(written) === undefined)
    for (const word of written.split(BETWEEN_OFFERS)) lookUp(ACTIONS, word, 'accion', context);
  return offerOf(record) ?? 'autre';
}

const period = v.unit(PERIODS, 'tipomensual', 'mois');
const outlet = v.word('outlet');

interface PricedOffer extends Offer {
  prixAncien?: number;
}

/** `precioinmo` is the price of a sale, `precioalq` of a letting, `preciotraspaso` of the takeover of a business. */
export const prices = together<XmlRecord, PricedOffer>((record, context) => {
  const typeTransaction = transactionOf(record, context);
  const result: PricedOffer = typeTransaction === undefined ? {} : { typeTransaction };
  const field = fieldOf(record, typeTransaction);
  const written = record[field];
  const isHidden = isOnRequest(record);
  if (!isHidden) {
    if (typeTransaction !== undefined && isRental(typeTransaction)) {
      const amount = readPrice(written, field, context);
      const paidFor = amount === undefined ? undefined : period.read(record, context);
      if (amount !== undefined && paidFor !== undefined) Object.assign(result, rentFor(paidFor, amount));
    } else {
      const prix = readPriceOf(typeTransaction, written, field, context);
      if (prix !== undefined) result.prix = prix;
    }
  }
  if (result.prix !== undefined && typeTransaction === 'vente') addFormerPrice(result, result.prix, record, context);
  const isNone = result.prix === undefined && result.loyer === undefined;
  if (isNone && (isHidden || !isDoubtful(written, context))) result.prixSurDemande = true;
  return result;
});

export function isOnRequest(record: XmlRecord): boolean {
  return toFlag(scalarOf(record['aconsultar'])) === true;
}

function fieldOf(record: XmlRecord, typeTransaction: TypeTransaction | undefined): string {
  if (typeTransaction !== undefined && isRental(typeTransaction)) return 'precioalq';
  const isHandedOn = typeTransaction === 'cession-de-bail' && (toNumber(scalarOf(record['preciotraspaso'])) ?? 0) > 0;
  return isHandedOn ? 'preciotraspaso' : 'precioinmo';
}

/** `outlet` is the price before the last reduction, or 0. An `outlet` below the price gives a warning. */
function addFormerPrice(result: PricedOffer, prix: number, record: XmlRecord, context: RecordContext): void {
  const written = outlet.read(record, context);
  const former = readSalePrice(written, 'outlet', context);
  if (former === undefined || former === prix) return;
  if (former > prix) result.prixAncien = former;
  else context.warn('implausible_value', 'outlet', `${former} before ${prix}`);
}

/** Returns why a record must be hidden. The feed of a website normally has no hidden records. */
export function whyWithdrawn(record: XmlRecord, context: RecordContext): string | undefined {
  if (toFlag(scalarOf(record['nodisponible'])) === true) return 'nodisponible: it is not available';
  if (toFlag(scalarOf(record['prospecto'])) === true) return 'prospecto: the agency has no mandate yet';
  for (const name of ['estadoficha', 'accion']) {
    const word = textOf(record[name]) ?? '';
    if (withdrawalFor(GONE.find(word), context) !== undefined) return `${name}: ${word.slice(0, 120)}`;
  }
  return undefined;
}

/** The state of the property; else the way it was offered, which may be over. */
export function statutOf(record: XmlRecord): Statut | undefined {
  for (const name of ['estadoficha', 'accion']) {
    const statut = GONE.find(textOf(record[name]) ?? '')?.statut;
    if (statut !== undefined) return statut;
  }
  return STATES.find(textOf(record['estadoficha']) ?? '') === true ? 'sous-offre' : undefined;
}
