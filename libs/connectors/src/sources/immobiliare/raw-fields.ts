import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { isReserved } from './offer';
import { showsPoint } from './place';

/** Elements that are read as lists even if there is only one. */
export const LISTS = [
  ...['transactions.transaction', 'pictures.picture', 'pictures.picture-url', 'blueprints.blueprint', 'videos.video'],
  ...['documents.document', 'features.descriptions.description', 'features.description', 'features.sizes.size'],
  ...['features.energy-class.energy-performance', 'features.energy-class.energy-season'],
];

const under = (parent: string, ...names: readonly string[]): string[] => names.map((name) => `${parent}.${name}`);
const PRICE = ['', '.@currency', '.@reserved'];

const project = addressProjection({
  public: [
    ...['@operation', '@ID', 'unique-id', 'published-on', 'date-updated', 'date-expiration', 'transaction-type'],
    ...['category', 'property-type', 'property-type.type', 'property-type.business-type', 'building-status'],
    ...['property-type.business-type.@category', 'property-type.terrains.terrain'],
    ...under('transactions.transaction', '@type', '@auction', '@for-revenue', '@ownership'),
    ...PRICE.map((end) => `transactions.transaction.price${end}`),
    ...under('building', '@map', '@IDType', 'maps.additional.@map', 'status', 'class', 'terrains.terrain'),
    ...under('agent', '@id', 'name', 'office-name', 'email', 'phone', 'web', 'builder', 'logo', 'description'),
    ...under('location', 'country-code', 'administrative-area', 'sub-administrative-area', 'city'),
    ...['location.sub-administrative-area.@code', 'location.city.@code', 'location.city.@geo'],
    ...under('location.locality', '@map', 'postal-code', 'neighbourhood', 'neighbourhood.@type', 'neighbourhood.@id'),
    ...['location.locality.neighbourhood.@geolocalized'],
    ...under('features', 'rooms', 'rooms.@literal-value', 'size', 'size.@unit', 'energy-class', 'description'),
    ...PRICE.map((end) => `features.price${end}`),
    ...under('features.description', '@language', '@native', 'title', 'content'),
    ...under('features.descriptions.description', '@language', '@native', 'title', 'content'),
    ...under('features.energy-class', '@zero', '@scale', '@value', '@certified', 'energy-performance'),
    ...under('features.energy-class.energy-performance', '@unit', '@type'),
    ...under('features.energy-class.energy-season', '@season', '@level'),
    ...under('features.sizes', '@unit', 'size.type', 'size.floor', 'size.floor.@type', 'size.surface', 'size.weight'),
    'features.sizes.size.@main',
    ...under('extra-features', 'bedrooms', 'bathrooms', 'bathrooms.@literal-value', 'garage', 'garage.@type'),
    ...under('extra-features', 'kitchen', 'garden', 'terrace', 'balcony', 'elevator', 'floor', 'floor.@type'),
    ...under('extra-features', 'num-floors', 'for-revenue', 'available-now', 'available-date', 'virtual-tour'),
    ...under('extra-features', 'rent-contract', 'additional-costs', 'additional-costs.@currency', 'furniture'),
    ...under('extra-features', 'security-alarm', 'reception', 'net', 'external-area', 'external-area.@unit'),
    ...under('extra-features', 'build-year', 'free-conditions', 'overhead-crane', 'beam-height', 'office-size'),
    ...under('extra-features', 'office-size.@unit', 'floorplanner-url', 'doc-specification', 'doc-description'),
    ...under('extra-features', 'minimum-stay', 'heating', 'air-conditioning'),
    ...under('extra-features.bills-included', 'powerline', 'gas', 'phone', 'internet'),
    ...['services', 'other', 'deposit'].flatMap((name) => PRICE.map((end) => `extra-features.costs.${name}${end}`)),
    ...under('extra-features.flatmate', 'gender', 'couples', 'smoker', 'pets', 'age.@from', 'age.@to'),
    ...under('extra-features.ambience.heating', '@type', 'system', 'source'),
    ...under('extra-features.ambience.air-conditioning', '@type', 'effect'),
    ...under('extended', 'amount-parking', 'amount-bedrooms', 'amount-lounge', 'amount-other-rooms', 'amount-terrace'),
    ...under('extended', 'amount-balcony', 'inner-exposition', 'outer-exposition', 'entrance', 'closet', 'basement'),
    ...under('extended', 'penthouse', 'tavern', 'fireplace', 'security-door', 'tub', 'security-alarm', 'tennis'),
    ...under('extended', 'swimming-pool', 'electric-gate', 'optical-fiber', 'concierge', 'video-intercom', 'tv'),
    ...under('extended', 'external-frames', 'registry.@class', 'registry.income', 'registry.income.@currency'),
    ...under('auction-features', '@type', 'auctions.auction', 'auctions.auction.@type', 'starting-price'),
    ...under('auction-features', 'starting-price.@currency', 'minimum-bid', 'minimum-bid.@currency'),
    ...under('pictures', 'picture', 'picture.@position', 'picture.@url', 'picture-url', 'picture-url.@position'),
    ...under('blueprints.blueprint', '@position', '@url'),
    'blueprints.blueprint',
    ...under('videos', 'video', 'video.@type'),
    ...under('documents', 'document', 'document.@position', 'document.@mimetype', 'document.@url', 'document.@type'),
  ],
  private: {
    'agent.contact': 'mapped as the agent; the rest is for the portal',
    'agent.mobile-phone': 'the telephone of a person',
    'agent.vat': 'for invoices',
    'agent.location': 'where the agency is',
    'agent.sales-office': 'where the agency is',
    'extended.sharable': 'for the agencies among themselves',
    'auction-features.actors': 'judges, custodians and creditors',
    'auction-features.court': 'leads to the debtor',
    'auction-features.reference': 'leads to the debtor',
    'auction-features.success-price': 'for the court',
    'auction-features.notes': 'for the court',
  },
  address: ['location.locality.latitude', 'location.locality.longitude', 'location.locality.thoroughfare.@*'],
  hiddenBecause: 'the agency does not let the address be shown',
});

/** The amount of a `reserved` price stays private. */
export function toRaw(record: XmlRecord, context: RecordContext): Record<string, unknown> {
  return project(withoutReserved(record), context, showsPoint(record) === true);
}

function withoutReserved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReserved);
  if (typeof value !== 'object' || value === null) return value;
  const isHidden = isReserved(value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      isHidden && name === '#text' ? [] : [[name, withoutReserved(member)]],
    ),
  );
}
