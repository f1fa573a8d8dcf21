import type { Listing } from '@passerelle/domain';
import { decimal } from '../../kit/text';
import { CHARGES_TERMS, FEES_PAID_BY, SEASONAL_RANKS } from './lookups';
import type { Row } from './row';

const LONGEST_AMOUNT = 15;

/** Rank 11 is the price or the rent, with charges. */
export function writeOffer(row: Row, listing: Listing, rental: boolean): void {
  const write = (rank: number, value: number | undefined): void => {
    row.whole(rank, value === undefined ? undefined : decimal(value), LONGEST_AMOUNT);
  };
  write(11, amountOf(listing, rental));
  if (rental) writeRent(row, listing, write);
  else {
    write(303, listing.prixHorsHonoraires);
    row.yes(245, listing.prixMention === 'Prix hors taxes');
  }
  if (listing.typeTransaction === 'viager') {
    write(185, listing.bouquet);
    write(186, listing.rente);
  }
}

/** The amount of rank 11. A life annuity without a price has its down payment there: the rank may not be empty. */
export function amountOf(listing: Listing, rental: boolean): number | undefined {
  if (rental) return listing.loyerChargesComprises ?? listing.loyer;
  return listing.prix ?? (listing.typeTransaction === 'viager' ? listing.bouquet : undefined);
}

function writeRent(row: Row, listing: Listing, write: (rank: number, value: number | undefined) => void): void {
  const { loyer, loyerSource, loyerChargesComprises, loyerHorsCharges } = listing;
  if (loyerChargesComprises !== undefined) row.flag(13, true);
  else if (loyerHorsCharges !== undefined && loyerHorsCharges === loyer) row.flag(13, false);
  row.yes(14, listing.prixMention === 'Loyer HT');
  write(23, listing.charges);
  write(161, listing.depotGarantie);
  const period = loyerSource?.periode;
  if (period === 'an') write(202, loyerSource?.montant);
  if (listing.typeTransaction === 'location-saisonniere' && period !== undefined && period in SEASONAL_RANKS)
    write(SEASONAL_RANKS[period as keyof typeof SEASONAL_RANKS], loyerSource?.montant);
  row.whole(304, CHARGES_TERMS[listing.chargesModalite ?? ''], 1);
  write(305, listing.loyerComplement);
  write(331, listing.loyerBase);
  write(332, listing.loyerReferenceMajore);
  row.flag(333, listing.loyerEncadrement);
}

/** Rank 15 is a percentage of the price for a sale, an amount for a rental. */
export function writeFees(row: Row, listing: Listing, rental: boolean): void {
  const fees = rental ? feesOfRental(listing) : feesOfSale(listing);
  row.whole(15, fees === undefined ? undefined : decimal(fees), LONGEST_AMOUNT);
  row.whole(302, rental ? undefined : FEES_PAID_BY[listing.honorairesCharge ?? 'locataire'], 1);
  if (rental)
    row.whole(
      306,
      listing.honorairesEtatDesLieux === undefined ? undefined : decimal(listing.honorairesEtatDesLieux),
      LONGEST_AMOUNT,
    );
  row.whole(307, listing.honorairesBareme, 256);
}

function feesOfRental({ honoraires, honorairesUnite }: Listing): number | undefined {
  return honorairesUnite === 'pourcentage' ? undefined : honoraires;
}

/** Fees that the seller pays are none for the buyer. An amount becomes a share of the price without fees. */
export function feesOfSale(listing: Listing): number | undefined {
  const { honoraires, honorairesUnite, honorairesCharge, prix, prixHorsHonoraires } = listing;
  if (honoraires === undefined) return honorairesCharge === 'vendeur' ? 0 : undefined;
  if (honorairesUnite !== 'montant') return honoraires;
  const base = prixHorsHonoraires ?? (prix === undefined ? undefined : prix - honoraires);
  return base === undefined || base <= 0 ? undefined : Math.round((honoraires / base) * 10_000) / 100;
}
