import { isRental, type Listing } from '@passerelle/domain';
import { decimal } from '../../kit/text';
import { element, emptyElement, group, type XmlValue } from '../../kit/xml';
import { PERIODS } from './lookups';

const MONTHS = 12;

/** `preise`, in the order of the schema. */
export function pricesElement(listing: Listing): string {
  const rental = listing.typeTransaction !== undefined && isRental(listing.typeTransaction);
  const { coproCharges, redevanceFonciere, prixCurrency, rendement } = listing;
  return group('preise', [
    ...(rental ? rentElements(listing) : saleElements(listing)),
    amount('nebenkosten', listing.charges),
    amount('heizkosten', rental ? listing.chargesChauffage : undefined),
    amount('erbpacht', redevanceFonciere?.montant),
    amount('hausgeld', coproCharges === undefined ? undefined : coproCharges / MONTHS),
    emptyElement('preis_zeiteinheit', { zeiteinheit: rental ? periodOf(listing)?.word : undefined }),
    amount('kaufpreis_pro_qm', rental ? undefined : listing.prixMetreCarre),
    ...feeElements(listing),
    emptyElement('waehrung', { iso_waehrung: prixCurrency }),
    element('freitext_preis', listing.prixMention),
    element('nettorendite', rendement === undefined ? undefined : decimal(rendement)),
    amount('kaution', listing.depotGarantie),
  ]);
}

/** A price on request is an attribute of the price, which may not be empty. */
function saleElements({ prix, prixSurDemande }: Listing): string[] {
  if (prix === undefined && prixSurDemande === true) return [element('kaufpreis', 0, { auf_anfrage: true })];
  return [amount('kaufpreis', prix)];
}

/**
 * The rent without and with charges, as far as the listing says. A rent that says neither is the cold one, which portals
 * show; with charges beside it, it is the warm one: they are part of it.
 */
function rentElements(listing: Listing): string[] {
  const period = periodOf(listing);
  if (period !== undefined) return [amount('kaltmiete', period.amount)];
  const { cold, warm } = rentParts(listing);
  return [amount('kaltmiete', cold), amount('warmmiete', warm)];
}

export function rentParts(listing: Listing): { cold: number | undefined; warm: number | undefined } {
  const { loyer, loyerHorsCharges: cold, loyerChargesComprises, charges } = listing;
  if (loyerChargesComprises !== undefined) return { cold, warm: loyerChargesComprises };
  if (cold !== undefined) return { cold, warm: loyer !== undefined && loyer > cold ? loyer : undefined };
  return charges === undefined ? { cold: loyer, warm: undefined } : { cold: undefined, warm: loyer };
}

/** The rent in the source's own period, where nothing else of the rent would be in months beside it. */
export function periodOf(listing: Listing): { amount: number; word: string } | undefined {
  const { loyer, loyerSource, loyerHorsCharges, loyerChargesComprises, charges, chargesChauffage } = listing;
  const word = PERIODS[loyerSource?.periode ?? 'mois'];
  const parts = [loyerHorsCharges, loyerChargesComprises, charges, chargesChauffage];
  if (loyer === undefined || loyerSource === undefined || word === undefined) return undefined;
  return parts.every((part) => part === undefined) ? { amount: loyerSource.montant, word } : undefined;
}

/** The fees of the buyer or tenant. The advert does not tell the fees of the seller. */
function feeElements({ honoraires, honorairesUnite, honorairesCharge, commission }: Listing): string[] {
  if (honorairesCharge === 'vendeur') return [element('provisionspflichtig', false)];
  const share = honoraires === undefined || honorairesUnite !== 'pourcentage' ? undefined : `${decimal(honoraires)} %`;
  return [
    element('aussen_courtage', commission ?? share),
    amount('provisionbrutto', honorairesUnite === 'montant' ? honoraires : undefined),
  ];
}

function amount(name: string, value: number | undefined): string {
  const written: XmlValue = value === undefined ? undefined : decimal(value);
  return element(name, written);
}
