import type { Listing } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { range, yesInWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { readPrice, readSalePrice, rentFor } from '../../kit/price';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { isProgramme, PERIODS, type Transaction, TRANSACTIONS } from './lookups';
import { anywhere, places } from './places';

/** The fields that depend on the letter of `prestation/type`. */
export type Offer = {
  [
    K in
      | 'typeTransaction'
      | 'prix'
      | 'prixSurDemande'
      | 'prixHorsHonoraires'
      | 'loyer'
      | 'loyerPeriode'
      | 'loyerSource'
      | 'loyerBase'
      | 'loyerHorsCharges'
      | 'loyerChargesComprises'
      | 'prixMention'
      | 'prixPlage'
      | 'bouquet'
      | 'rente'
      | 'honoraires'
      | 'honorairesUnite'
      | 'honorairesCharge'
  ]?: Listing[K] | undefined;
} & { isNew?: true };

const letter = places('prestation.type');
const typeCode = places('bien.code_type');
const showsPrice = anywhere('afficher_prix');
const price = places('prestation.prix', 'prestation.enchere_mise_a_prix');
/** The components of prices, which are hidden together with the prices. */
const parts = {
  prixHorsHonoraires: places('prestation.prix_hors_honoraires'),
  loyerBase: places('prestation.loyer_de_base'),
};
const rents = {
  monthly: places('prestation.loyer_mensuel_cc', 'prestation.loyer_cc', 'prestation.loyer_mensuel'),
  withCharges: places('prestation.loyer_mensuel_cc', 'prestation.loyer_cc'),
  isWithCharges: places('prestation.loyer_est_cc'),
  plain: places('prestation.loyer'),
  frequency: places('prestation.loyer_frequence'),
  yearly: places('prestation.loyer_an'),
  weekly: places(
    'prestation.tarif_hebdo_basse_saison',
    'prestation.tarif_hebdo_moyenne_saison',
    'prestation.tarif_hebdo_haute_saison',
    'prestation.prestation_tarif_hebdo',
  ),
  daily: places(
    'prestation.tarif_jour_basse_saison',
    'prestation.tarif_jour_moyenne_saison',
    'prestation.tarif_jour_haute_saison',
    'prestation.prestation_tarif_jour',
  ),
};
const priceRange = range(v.money('prestation.prix_min'), v.money('prestation.prix_max'));
const mention = yesInWords({
  'prestation.prix_a_partir_de': 'à partir de',
  'prestation.prix_est_fai': 'FAI',
  'prestation.prix_est_hors_taxe': 'hors taxe',
});
const annuity = {
  bouquet: places('prestation.viager_bouquet', 'prestation.bouquet'),
  rente: places('prestation.viager_rente', 'prestation.rente'),
};
const fees = {
  letting: places('prestation.honoraires_location'),
  share: places('prestation.alur_pourcentage_honoraires_ttc', 'bien.alur_pourcentage_honoraires_ttc'),
  amount: places('prestation.honoraires', 'prestation.honoraires_negociation', 'prestation.frais_agence'),
  buyer: places('prestation.honoraires_charge_acquereur'),
  seller: places('prestation.honoraires_charge_vendeur'),
};

export function withdrawalOf(record: XmlRecord): string | undefined {
  return TRANSACTIONS.find(letter.text(record) ?? '')?.isNone;
}

/** An advert for sale and for rent keeps both prices, and counts as a sale. */
export function readOffer(record: XmlRecord, context: RecordContext): Offer {
  const word = letter.text(record);
  const transaction = lookUp(TRANSACTIONS, word, 'prestation.type', context);
  const offer: Offer = word === undefined ? {} : { typeTransaction: typeTransactionOf(record, transaction) };
  if (transaction?.isNew === true) offer.isNew = true;
  const isHidden = showsPrice.flag(record) === false;
  if (!isHidden) Object.assign(offer, pricesOf(record, context, transaction));
  const isNone = offer.prix === undefined && offer.loyer === undefined;
  if (isNone && (isHidden || !hasDoubt(record, context))) offer.prixSurDemande = true;
  return { ...offer, ...(transaction?.prices === 'rent' ? lettingFees(record, context) : saleFees(record, context)) };
}

/** Whether an amount is unreadable; if so, the price is not "on request". */
function hasDoubt(record: XmlRecord, context: RecordContext): boolean {
  const { monthly, plain, yearly, weekly, daily } = rents;
  return [price, monthly, plain, yearly, weekly, daily].some((source) => source.isDoubtful(record, context));
}

/** New homes are sold one by one, or shown as a programme. */
function typeTransactionOf(
  record: XmlRecord,
  transaction: Transaction | undefined,
): NonNullable<Offer['typeTransaction']> {
  if (transaction?.isNew === true && isProgramme(typeCode.text(record))) return 'programme';
  return transaction?.typeTransaction ?? 'autre';
}

function pricesOf(record: XmlRecord, context: RecordContext, transaction: Transaction | undefined): Offer {
  const rent = transaction?.prices === 'sale' ? {} : rentOf(record, context);
  if (transaction?.prices === 'rent') {
    // Some exports write the rent into the field of the price.
    const loyer = rent.loyer ?? price.price(record, context);
    return {
      ...{ ...rent, loyer, loyerBase: parts.loyerBase.price(record, context) },
      ...chargesIn({ ...rent, loyer }, record, context),
      prixMention: mention.read(record, context),
    };
  }
  const isSale = transaction !== undefined && transaction.typeTransaction !== 'autre';
  return {
    prix: price.price(record, context, isSale ? readSalePrice : readPrice),
    prixHorsHonoraires: parts.prixHorsHonoraires.price(record, context),
    prixPlage: priceRange.read(record, context),
    prixMention: mention.read(record, context),
    ...(transaction?.typeTransaction === 'viager' && {
      bouquet: annuity.bouquet.price(record, context),
      rente: annuity.rente.price(record, context),
    }),
    ...rent,
  };
}

/** Whether a monthly rent includes charges, as its name or a flag says. */
function chargesIn(
  { loyer, loyerPeriode }: Pick<Offer, 'loyer' | 'loyerPeriode'>,
  record: XmlRecord,
  context: RecordContext,
): Pick<Offer, 'loyerHorsCharges' | 'loyerChargesComprises'> {
  if (loyer === undefined || loyerPeriode !== undefined) return {};
  if (rents.withCharges.price(record, context) !== undefined) return { loyerChargesComprises: loyer };
  const isWithCharges = rents.isWithCharges.flag(record);
  if (isWithCharges === undefined) return {};
  return isWithCharges ? { loyerChargesComprises: loyer } : { loyerHorsCharges: loyer };
}

/** If the advert has a monthly rent with charges, that rent is used. */
function rentOf(record: XmlRecord, context: RecordContext): Pick<Offer, 'loyer' | 'loyerPeriode' | 'loyerSource'> {
  const monthly = rents.monthly.price(record, context);
  if (monthly !== undefined) return { loyer: monthly };
  const plain = rents.plain.price(record, context);
  if (plain !== undefined) {
    const word = rents.frequency.text(record);
    const period =
      word === undefined ? 'mois' : lookUp(PERIODS, word, 'prestation.loyer_frequence', context, 'implausible_value');
    return period === undefined ? {} : rentFor(period, plain);
  }
  for (const [source, period] of [
    [rents.yearly, 'an'],
    [rents.weekly, 'semaine'],
    [rents.daily, 'jour'],
  ] as const) {
    const amount = source.price(record, context);
    if (amount !== undefined) return rentFor(period, amount);
  }
  return {};
}

function lettingFees(record: XmlRecord, context: RecordContext): Offer {
  const honoraires = fees.letting.price(record, context) ?? fees.amount.price(record, context);
  return honoraires === undefined ? {} : { honoraires, honorairesUnite: 'montant', honorairesCharge: 'locataire' };
}

const MOST_PERCENT = 100;

/** Prefers the share of the price, because the law requires the share. */
function saleFees(record: XmlRecord, context: RecordContext): Offer {
  const share = fees.share.amount(record, context);
  const amount = fees.amount.price(record, context) ?? amountAmong(fees.buyer.amount(record, context));
  const honoraires = share ?? amount;
  const charge = chargeOf(fees.buyer.flag(record), fees.seller.flag(record));
  return {
    ...(honoraires === undefined
      ? {}
      : { honoraires, honorairesUnite: honoraires > MOST_PERCENT ? 'montant' : 'pourcentage' }),
    ...(charge === undefined ? {} : { honorairesCharge: charge }),
  };
}

/** The field contains a yes or a no, or the amount that the buyer pays. */
function amountAmong(value: number | undefined): number | undefined {
  return value !== undefined && value > 1 ? value : undefined;
}

function chargeOf(buyer: boolean | undefined, seller: boolean | undefined): Offer['honorairesCharge'] {
  if (buyer === true) return seller === true ? 'acquereur-et-vendeur' : 'acquereur';
  return seller === true || buyer === false ? 'vendeur' : undefined;
}
