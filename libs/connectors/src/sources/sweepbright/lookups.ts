import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import type { AreaUnit } from '../../kit/clean/number';
import { hidden, LET, type Showing, SHOWN, SOLD, UNDER_CONTRACT, UNDER_OFFER } from '../../kit/status';
import { wordTable } from '../../kit/word-table';

export interface EstateType {
  code: TypeCode;
  title: TitleWord;
}

const kind = (code: TypeCode, title: TitleWord): EstateType => ({ code, title });

/** `type`. */
export const TYPES = wordTable<EstateType>({
  apartment: kind('appartement', 'Appartement'),
  house: kind('maison', 'Maison'),
  land: kind('terrain', 'Terrain'),
  parking: kind('parking', 'Parking'),
  office: kind('bureau', 'Bureau'),
  commercial: kind('local', 'Local commercial'),
  industrial: kind('local', 'Local industriel'),
  retail: kind('boutique', 'Boutique'),
});

/** `negotiation`. */
export const NEGOTIATIONS = wordTable<TypeTransaction>({ sale: 'vente', let: 'location' });

/** `rent_period`. */
export const PERIODS = wordTable<RentPeriod>({ day: 'jour', week: 'semaine', month: 'mois', year: 'an' });

/** `sizes.*.unit`. */
export const UNITS = wordTable<AreaUnit>({ sq_m: 'm2', sq_ft: 'ft2', acre: 'acre', are: 'are', ha: 'ha' });

/** `status`. */
export const STATUSES = wordTable<Showing>({
  ...{ available: SHOWN, prospect: SHOWN, option: UNDER_OFFER, agreement: UNDER_OFFER, under_contract: UNDER_CONTRACT },
  ...{
    sold: SOLD,
    rented: { ...LET, withdrawn: 'rented' },
    let: { ...LET, withdrawn: 'rented' },
    lost: hidden('lost'),
    archived: hidden('archived'),
  },
});

/** Values of `general_condition`, and the words that adverts use. */
export const CONDITIONS = wordTable<string>({
  new: 'Neuf',
  mint: 'Excellent état',
  good: 'Bon état',
  fair: 'État correct',
  poor: 'À rafraîchir',
  renovate: 'À rénover',
});

/** Values of `terrace_orientation` and `garden_orientation`. */
export const ORIENTATIONS = wordTable<string>({
  ...{ N: 'Nord', S: 'Sud', E: 'Est', W: 'Ouest' },
  ...{ NE: 'Nord-est', NW: 'Nord-ouest', SE: 'Sud-est', SW: 'Sud-ouest' },
});
