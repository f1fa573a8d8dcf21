import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import { hidden, LET, type Showing, SHOWN, SOLD, UNDER_OFFER } from '../../kit/status';
import { wordTable } from '../../kit/word-table';

export interface UnitType {
  code: TypeCode;
  title: TitleWord;
}

const kind = (code: TypeCode, title: TitleWord): UnitType => ({ code, title });

/** `rs_type`. */
export const TYPES = wordTable<UnitType>({
  APARTMENT: kind('appartement', 'Appartement'),
  HOUSE: kind('maison', 'Maison'),
  TRADE_SITE: kind('terrain', 'Terrain'),
  GARAGE: kind('parking', 'Garage'),
  OFFICE: kind('bureau', 'Bureau'),
  STORE: kind('boutique', 'Boutique'),
  GASTRONOMY: kind('local', 'Restaurant'),
  INDUSTRY: kind('local', 'Local industriel'),
  INVESTMENT: kind('immeuble', 'Immeuble de rapport'),
  SPECIAL_PURPOSE: kind('local', 'Local'),
  SHORT_TERM_ACCOMODATION: kind('appartement', 'Appartement'),
});

/** `marketing_type`. */
export const TRANSACTIONS = wordTable<TypeTransaction>({ BUY: 'vente', RENT: 'location' });

/** `property_status.name`: the statuses of a new account. */
export const STATUSES = wordTable<Showing>({
  'In Vermarktung': SHOWN,
  Vermarktung: SHOWN,
  Reserviert: UNDER_OFFER,
  Akquise: hidden('acquisition'),
  'In Vorbereitung': hidden('in preparation'),
  Verkauft: SOLD,
  Vermietet: LET,
  Inaktiv: hidden('inactive'),
});

/** `price_interval_type` of a short let. */
export const PERIODS = wordTable<RentPeriod>({ DAY: 'jour', WEEK: 'semaine', MONTH: 'mois', MONTHLY: 'mois' });

/** Flags without a field, with the words of the software. */
export const SAID_BY_FLAGS = {
  ...{ guest_toilet: 'Gäste-WC', monument: 'Denkmalschutz', lodger_flat: 'Einliegerwohnung', ramp: 'Rampe' },
  ...{ summer_residence_practical: 'Als Ferienwohnung geeignet', flat_share_suitable: 'WG-geeignet' },
  ...{ lan_cables: 'DV-Verkabelung', high_voltage: 'Starkstrom', has_canteen: 'Kantine', goods_lift: 'Lastenaufzug' },
  ...{ building_permission: 'Baugenehmigung', short_term_constructible: 'Kurzfristig bebaubar' },
};
