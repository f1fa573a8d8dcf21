import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { textOf } from '../../kit/values';
import { showsAddress, shownSides, type Side } from './display';
import { ON_APPLICATION } from './lookups';

const words = (text: string): string[] => text.trim().split(/\s+/);
const under = (prefix: string, text: string): string[] => words(text).map((name) => `${prefix}.${name}`);

const project = addressProjection({
  public: [
    ...words(`id created modified marketingMode currency alternateId areaId strapline description longDescription summary
      departmentId negotiatorId bedrooms receptions bathrooms councilTax internetAdvertising videoUrl videoCaption video2Url
      video2Caption fromArchive type style situation parking parkingSpaces age locality specialFeatures officeIds url urlCaption
      groundRent groundRentComment groundRentReviewDate groundRentIncrease serviceCharge serviceChargeComment floorLevel
      internalFloors totalFloors bedroomsMax receptionsMax bathroomsMax numberOfUnits localAuthorityCompanyName
      featuredImageUrl developmentSiteType`),
    ...under('address', 'line2 line3 line4 postcode countryId'),
    ...under('externalArea', 'type min max'),
    ...under('internalArea', 'type min max'),
    ...under(
      'epc',
      'exempt eer eerRating eerPotential eerPotentialRating eir eirRating eirPotential eirPotentialRating',
    ),
    ...under('epc', 'fullDocumentUrl firstPageDocumentUrl'),
    ...under('regional.irl.buildingEnergyRating', 'exempt rating refNumber epi'),
    ...under('selling', 'instructed price priceTo reservationFee qualifier status disposal agency publicBrochureUrl'),
    ...under('selling.tenure', 'type expiry'),
    ...under('selling.sharedOwnership', 'sharedPercentage rent rentFrequency'),
    ...under(
      'letting',
      'instructed availableFrom availableTo rent rentFrequency rentIncludes furnishing term minimumTerm status',
    ),
    ...under('letting', 'qualifier publicBrochureUrl deposit.type deposit.amount'),
    ...under('rooms', 'name dimensions dimensionsAlt description'),
    ...under('commercial', 'useClass floorLevel'),
    ...under('images', 'id created modified propertyId url caption type order'),
  ],
  address: [
    ...under('address', 'buildingName buildingNumber line1'),
    ...under('address.geolocation', 'latitude longitude'),
  ],
  hiddenBecause: 'the setting publier-adresse is not set',
  private: {
    notes: 'may hold what is sensitive about a sale',
    viewingArrangements: 'the residents and their hours',
    boardStatus: 'the agency’s own work',
    boardNotes: 'the agency’s own work',
    boardUpdated: 'the agency’s own work',
    lastCall: 'of the owner',
    nextCall: 'of the owner',
    valuation: 'the agency’s own work',
    keywords: 'the agency’s own work',
    isExternal: 'the agency’s own work',
    disabledPortalIds: 'the agency’s own work',
    roomDetailsApproved: 'the agency’s own work',
    localAuthorityCompanyId: 'a hidden number',
    availableServicesIds: 'numbers of the application',
    unmappedAttributes: 'words without a meaning of the model',
    archivedOn: 'the agency’s own work',
    lostInstructionDate: 'why a vendor left',
    lostInstructionNote: 'why a vendor left',
    metadata: 'of the application',
    extrasField: 'fields that only some may read',
    masterId: 'a hidden number',
    isMaster: 'a hidden number',
    _links: 'leads to vendors and landlords',
    _embedded: 'not requested',
    _eTag: 'of a version, for writers',
    'selling.vendorId': 'the seller',
    'selling.fee': 'paid by the vendor',
    'selling.agencyId': 'another agency',
    'selling.agreementExpiry': 'the contract with the vendor',
    'selling.valuationPrice': 'the agency’s advice to the vendor',
    'selling.subAgentTerms': 'paid by the vendor',
    'selling.decoration': 'notes of the agency',
    'selling.exchangedCompanyFee': 'paid by the vendor',
    'selling.recommendedPrice': 'the agency’s advice to the vendor',
    'selling.brochureId': 'a document that the API does not give',
    'selling.completed': 'of a sale that is done',
    'selling.exchanged': 'of a sale that is done',
    'selling.exchangedPrice': 'of a sale that is done',
    'selling.exchangedOfficeId': 'of a sale that is done',
    'selling.accountPaid': 'of a sale that is done',
    'letting.landlordId': 'the landlord',
    'letting.agreementSigned': 'the contract with the landlord',
    'letting.worksOrderNote': 'the agency’s own work',
    'letting.propertyManagerId': 'the agency’s own work',
    'letting.managementCompanyIds': 'the agency’s own work',
    'letting.utilities': 'meters and suppliers of the residents',
    'letting.rentInsurance': 'the landlord’s contract',
    'letting.licencing': 'the landlord’s licence',
    'letting.agentRole': 'an order of the landlord',
    'letting.brochureId': 'a document that the API does not give',
    'letting.managementFee': 'paid by the landlord',
    'letting.lettingFee': 'paid by the landlord',
    'images._links': 'leads to the property',
    'images._embedded': 'not requested',
    'images._eTag': 'of a version, for writers',
  },
});

/**
 * Private amounts: those on application, and those of a side that is not shown, such as an appraisal or a tenant's
 * rent.
 */
export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  const shown = {
    ...record,
    ...withoutHidden(record, 'selling', 'price', 'priceTo'),
    ...withoutHidden(record, 'letting', 'rent', 'deposit'),
  };
  return project(shown, context, showsAddress(record, context) === true);
}

function withoutHidden(record: JsonRecord, side: Side, ...amounts: readonly string[]): JsonRecord {
  const members = record[side];
  if (typeof members !== 'object' || members === null) return {};
  const isOnApplication = ON_APPLICATION.find(textOf((members as JsonRecord)['qualifier']) ?? '') === true;
  if (!isOnApplication && shownSides(record).includes(side)) return {};
  return { [side]: Object.fromEntries(Object.entries(members).filter(([name]) => !amounts.includes(name))) };
}
