import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode } from '@passerelle/domain';
import type { AreaUnit } from '../../kit/clean/number';
import { hidden, LET, type Showing, SHOWN, SOLD, UNDER_OFFER } from '../../kit/status';
import { wordTable } from '../../kit/word-table';

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

const type = (code: TypeCode, title: TitleWord): PropertyType => ({ code, title });
const house = type('maison', 'Maison');
const flat = type('appartement', 'Appartement');

/**
 * `type`. Each department defines its own values; this table has the values of public clients and of the documentation.
 */
export const TYPES = wordTable<PropertyType>({
  house,
  bungalow: type('maison', 'Bungalow'),
  cottage: type('maison', 'Cottage'),
  villageHouse: house,
  townhouse: house,
  mobileHome: type('maison', 'Mobile home'),
  farm: type('maison', 'Ferme'),
  flatApartment: flat,
  flat,
  apartment: flat,
  studio: type('appartement', 'Studio'),
  maisonette: type('appartement', 'Duplex'),
  penthouse: type('appartement', 'Penthouse'),
  land: type('terrain', 'Terrain'),
  developmentPlot: type('terrain', 'Terrain à bâtir'),
  garage: type('parking', 'Garage'),
  parking: type('parking', 'Parking'),
  office: type('bureau', 'Bureau'),
  shop: type('boutique', 'Boutique'),
  retail: type('boutique', 'Boutique'),
  commercial: type('local', 'Local commercial'),
  industrial: type('local', 'Entrepôt'),
  hotel: type('local', 'Hôtel'),
});

const appraisal = hidden('an appraisal');
const unavailable = hidden('not available');

/** `selling.status`. */
export const SELLING = wordTable<Showing>({
  ...{ preAppraisal: appraisal, valuation: appraisal, paidValuation: appraisal },
  ...{ forSale: SHOWN, forSaleUnavailable: unavailable, underOffer: UNDER_OFFER, underOfferUnavailable: unavailable },
  ...{ reserved: UNDER_OFFER, exchanged: SOLD, completed: SOLD, soldExternally: SOLD },
  withdrawn: hidden('withdrawn'),
});

/** `letting.status`. */
export const LETTING = wordTable<Showing>({
  ...{
    valuation: appraisal,
    toLet: SHOWN,
    toLetUnavailable: unavailable,
    underOffer: UNDER_OFFER,
    underOfferUnavailable: unavailable,
  },
  ...{ arrangingTenancy: UNDER_OFFER, arrangingTenancyUnavailable: unavailable, provisional: UNDER_OFFER },
  ...{ tenancyCurrent: LET, tenancyCurrentUnavailable: LET, tenancyFinished: LET },
  ...{ tenancyCancelled: hidden('cancelled'), sold: SOLD, letByOtherAgent: LET },
  ...{ letPrivately: LET, withdrawn: hidden('withdrawn') },
});

export const ON_APPLICATION = wordTable<true>({ priceOnApplication: true, rentOnApplication: true });

/** `letting.rentFrequency`. */
export const PERIODS = wordTable<RentPeriod>({ weekly: 'semaine', monthly: 'mois', yearly: 'an', annually: 'an' });

/** `letting.deposit.type`: an amount, or weeks or months of rent. */
export const DEPOSIT_TYPES = wordTable<'fixed' | 'weeks' | 'months'>({
  fixed: 'fixed',
  weeks: 'weeks',
  months: 'months',
});

/** `internalArea.type` and `externalArea.type`. */
export const UNITS = wordTable<AreaUnit>({ squareFeet: 'ft2', squareMetres: 'm2', acres: 'acre', hectares: 'ha' });

/**
 * `selling.qualifier` and `letting.qualifier`, with the words that adverts use. A price on application needs no words
 * here.
 */
export const QUALIFIERS = wordTable<string>({
  ...{ askingPrice: 'Asking price', guidePrice: 'Guide price', offersInRegion: 'Offers in region of' },
  ...{ offersOver: 'Offers over', offersInExcess: 'Offers in excess of', fixedPrice: 'Fixed price' },
  ...{ priceReducedTo: 'Price reduced to', priceOnApplication: '', askingRent: '', rentOnApplication: '' },
});

/** `selling.tenure.type`. "To be advised" has no meaning. */
export const TENURES = wordTable<string>({
  ...{
    freehold: 'Freehold',
    leasehold: 'Leasehold',
    shareOfFreehold: 'Share of freehold',
    commonhold: 'Commonhold',
    tba: '',
  },
});

/** `selling.agency`: the values with a single agent. */
export const SOLE_AGENCIES = /^(?:sole|ownToSell)/;
