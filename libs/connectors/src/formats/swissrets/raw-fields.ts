import type { RawRules } from '../../kit/raw-projection';

const ADDRESS = [
  ...['countryCode', 'locality', 'region', 'postalCode', 'postOfficeBoxNumber', 'street', 'streetNumber'],
  ...['streetAddition', 'subunit', 'geo.latitude', 'geo.longitude', 'geo.elevation'],
];
/** The names of the schema. */
const CHARACTERISTICS = words(`
  areaBwf areaNwf areaPropertyLand areaCellar areaBalcony areaTerrace areaLoggia areaGarden areaSiaAff areaSiaAgf
  areaSiaAkf areaSiaAkfn areaSiaAkft areaSiaAnf areaSiaAngf areaSiaAvf areaSiaBuf areaSiaFf areaSiaGf areaSiaGgf
  areaSiaGsf areaSiaHnf areaSiaKf areaSiaKfn areaSiaKft areaSiaNf areaSiaNgf areaSiaNnf areaSiaUf areaSiaUuf
  areaSiaVf arePetsAllowed ceilingHeight craneCapacity elevatorLoad floor floorLoad grossPremium hallHeight
  hasAttic hasBalcony hasBuildingLawRestrictions hasCableTv hasCarPort hasCarPortDouble hasCellar
  hasChargingStation hasConnectedBuildingLand hasDemolitionProperty hasDishwasher hasElevator hasEvChargingStation
  hasFiberOptics hasFireplace hasFlatSharingCommunity hasForeignQuota hasGarage hasGarageDouble
  hasGarageUnderground hasGardenShed hasLakeView hasLiftingPlatform hasMountainView hasMultimediaWiring
  hasNiceView hasParking hasPhotovoltaic hasPlayground hasRamp hasSteamer hasStoreRoom hasSupplyGas hasSupplyPower
  hasSupplySewage hasSupplyWater hasSwimmingPool hasThermalSolarCollector hasTiledStove hasTumbleDryer
  hasWashingMachine hasRemoteViewings isChildFriendly isCornerHouse isDemolitionProperty isDilapidated
  isFirstOccupancy isGroundFloor isGroundFloorRaised isGutted isInNeedOfRenovation isInNeedOfRenovationPartially
  isLikeNew isMiddleHouse isModernized isNewConstruction isOldBuilding isProjection isQuiet isRefurbished
  isRefurbishedPartially isSecondaryResidenceAllowed isShellConstruction isSmokingAllowed isSunny isTemporaryUse
  isUnderRoof isWellTended isWheelchairAccessible numberOfApartements numberOfBathrooms numberOfFloors
  numberOfParcels numberOfRooms numberOfShowers numberOfToilets numberOfToiletsGuest onEvenGround onHillside
  onHillsideSouth utilizationRatio utilizationRatioConstruction volumeGva volumeSia volumeSia116Gv volumeSiaAfv
  volumeSiaAkv volumeSiaAngv volumeSiaAnv volumeSiaAvv volumeSiaGv yearBuilt yearLastRenovated
`);
const ATTACHMENTS = words('image logo document plan linkDirect link linkVirtualTour linkYoutube');
const LOCALIZATION = [
  ...words('@lang name excerpt description location equipment'),
  ...words('name start end location summary').map((name) => `events.event.${name}`),
  // An attachment may also be only a URL.
  ...ATTACHMENTS.flatMap((kind) =>
    ['', '.url', '.title', '.description', '.mimeType'].map((document) => `attachments.${kind}${document}`),
  ),
];
const PRICES = words(
  '@currency rent rent.gross rent.net rent.extra rent.@interval rent.@referring buy buy.price buy.extra buy.wirPercentage ' +
    'buy.@referring auction auction.@start auction.@expiration deposit deposit.@type ' +
    'additionalOffers.offer additionalOffers.offer.@type additionalOffers.offer.@interval',
);
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

export const SWISSRETS_RAW_FIELDS: RawRules = {
  public: [
    ...['@id', 'referenceId', 'visualReferenceId', 'unitReferenceId', 'type', 'created', 'modified', 'development'],
    ...[
      'availability',
      'availability.@start',
      'availability.@expiration',
      'categories.category',
      'utilizations.utilization',
    ],
    ...['buildingZones', 'parcelNumbers', 'bfs.egid', 'bfs.ewid', 'bfs.egrid', 'minergieCertification'],
    ...CHARACTERISTICS.map((name) => `characteristics.${name}`),
    ...['heating.generation', 'heating.distribution'],
    ...PRICES.map((path) => `prices.${path}`),
    ...ADDRESS.map((path) => `address.${path}`),
    ...LOCALIZATION.map((path) => `localizations.localization.${path}`),
    ...ORGANIZATION.map((path) => `seller.organization.${path}`),
    ...ADDRESS.map((path) => `seller.organization.address.${path}`),
    ...CONTACT_PERSON.map((path) => `seller.contactPerson.${path}`),
  ],
  private: {
    author: 'the author of the record: a name or a login',
    publishers: 'between the exporter and one publisher',
    'seller.inquiryPerson': 'the schema says that it is not for the public',
    'seller.visitPerson': 'opens the door: may be a tenant or a caretaker',
    'seller.contactPerson.note': 'for the agency alone',
    'seller.organization.emailRem': 'an inbox for software, deprecated',
    'localizations.localization.visitInformation': 'where the key is, and when the residents are at home',
    'localizations.localization.attachments.landRegisterExtract': 'names the owner',
  },
};

const JSON_ATTACHMENTS = words('images logos documents plans directLinks links virtualTourLinks youTubeLinks');
const JSON_LOCALIZATION = [
  ...words('languageCode title excerpt description location equipment'),
  ...words('name start end location summary').map((name) => `events.${name}`),
  ...JSON_ATTACHMENTS.flatMap((kind) =>
    ['', '.url', '.title', '.description', '.mimeType'].map((document) => `attachments.${kind}${document}`),
  ),
];
const JSON_PRICES = words(
  'currency rent.gross rent.net rent.extra rent.interval rent.referring buy.price buy.extra buy.wirPercentage ' +
    'buy.referring auction.startPrice auction.startDate auction.expiration deposit.amount deposit.type ' +
    'additionalOffers.type additionalOffers.interval additionalOffers.price',
);

export const SWISSRETS_JSON_RAW_FIELDS: RawRules = {
  public: [
    ...words('id referenceId visualReferenceId unitReferenceId type created modified development categories'),
    ...words('utilizations availability availability.state availability.start availability.expiration buildingZones'),
    ...words('parcelNumbers bfs.egid bfs.ewid bfs.egrid minergieCertification heating.generation heating.distribution'),
    ...words('externalReference.refProperty externalReference.refHouse externalReference.refObject'),
    ...[...CHARACTERISTICS, 'hasFiberOptic'].map((name) => `characteristics.${name}`),
    ...JSON_PRICES.map((path) => `prices.${path}`),
    ...ADDRESS.map((path) => `address.${path}`),
    ...JSON_LOCALIZATION.map((path) => `localizations.${path}`),
    ...words('id legalName brand email phone mobile website.url website.label website.title').map(
      (path) => `seller.organization.${path}`,
    ),
    ...ADDRESS.map((path) => `seller.organization.address.${path}`),
    ...CONTACT_PERSON.map((path) => `seller.contactPerson.${path}`),
  ],
  private: {
    author: 'the author of the record: a name or a login',
    propertyOwner: 'the owner: a name, an e-mail address, a home',
    publishers: 'between the exporter and one publisher',
    'seller.inquiryEmail': 'an inbox for forms, not for the public, says the schema',
    'seller.inquiryPerson': 'the XML schema says that it is not for the public',
    'seller.visitPerson': 'opens the door: may be a tenant or a caretaker',
    'seller.contactPerson.note': 'for the agency alone',
    'seller.organization.emailRem': 'an inbox for software, deprecated',
    'localizations.visitInformation': 'where the key is, and when the residents are at home',
    'localizations.attachments.landRegisterExtracts': 'names the owner',
  },
};

/** Elements that are always lists, also if there is only one. */
export const SWISSRETS_LISTS = [
  'categories.category',
  'utilizations.utilization',
  'prices.additionalOffers.offer',
  'localizations.localization',
  'localizations.localization.events.event',
  ...ATTACHMENTS.map((kind) => `localizations.localization.attachments.${kind}`),
];

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
