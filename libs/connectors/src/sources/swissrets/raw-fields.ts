import type { RawRules } from '../../kit/raw-projection';

const ADDRESS = [
  ...['countryCode', 'locality', 'region', 'postalCode', 'postOfficeBoxNumber', 'street', 'streetNumber'],
  ...['streetAddition', 'subunit', 'geo.latitude', 'geo.longitude', 'geo.elevation'],
];
const LOCALIZATION = [
  ...['@lang', 'name', 'excerpt', 'description', 'location', 'equipment', 'events.event.*'],
  ...['image', 'logo', 'document', 'plan', 'linkDirect', 'link', 'linkVirtualTour', 'linkYoutube'].map(
    (kind) => `attachments.${kind}.*`,
  ),
];
const ORGANIZATION = [
  '@id',
  'legalName',
  'brand',
  'email',
  'phone',
  'mobile',
  'website',
  'website.@title',
  'website.@label',
];
const CONTACT_PERSON = ['function', 'givenName', 'familyName', 'email', 'phone', 'mobile', 'gender'];

/** What of a `property` leaves the gateway as it is, and what stays. */
export const RAW_FIELDS: RawRules = {
  public: [
    ...['@id', 'referenceId', 'visualReferenceId', 'unitReferenceId', 'type', 'created', 'modified', 'development'],
    ...[
      'availability',
      'availability.@start',
      'availability.@expiration',
      'categories.category',
      'utilizations.utilization',
    ],
    ...[
      'buildingZones',
      'parcelNumbers',
      'bfs.egid',
      'bfs.ewid',
      'bfs.egrid',
      'minergieCertification',
      'characteristics.*',
    ],
    ...['heating.generation', 'heating.distribution'],
    ...[
      'prices.@currency',
      'prices.rent.*',
      'prices.buy.*',
      'prices.auction.*',
      'prices.deposit.*',
      'prices.additionalOffers.offer.*',
    ],
    ...ADDRESS.map((path) => `address.${path}`),
    ...LOCALIZATION.map((path) => `localizations.localization.${path}`),
    ...ORGANIZATION.map((path) => `seller.organization.${path}`),
    ...ADDRESS.map((path) => `seller.organization.address.${path}`),
    ...CONTACT_PERSON.map((path) => `seller.contactPerson.${path}`),
  ],
  private: {
    author: 'who wrote the record: a name or a login',
    publishers: 'between the exporter and one publisher',
    'seller.inquiryPerson': 'the schema says that it is not for the public',
    'seller.visitPerson': 'opens the door: may be a tenant or a caretaker',
    'seller.contactPerson.note': 'for the agency alone',
    'seller.organization.emailRem': 'an inbox for software, deprecated',
    'localizations.localization.visitInformation': 'where the key is, and when somebody is at home',
    'localizations.localization.attachments.landRegisterExtract': 'names the owner',
  },
};

/** Elements that are lists, also when there is one. */
export const LISTS = [
  'categories.category',
  'utilizations.utilization',
  'prices.additionalOffers.offer',
  'localizations.localization',
  'localizations.localization.events.event',
  ...['image', 'logo', 'document', 'plan', 'linkDirect', 'link', 'linkVirtualTour', 'linkYoutube'].map(
    (kind) => `localizations.localization.attachments.${kind}`,
  ),
];
