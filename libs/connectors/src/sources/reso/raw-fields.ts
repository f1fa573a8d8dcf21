import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { showsAddress } from './display';
import { isPublic, isTour } from './media';

const words = (text: string): string[] => text.trim().split(/\s+/);

const PUBLIC = words(`
  ListingKey ListingKeyNumeric ListingId ListingService UniversalPropertyId SourceSystemID SourceSystemKey
  SourceSystemName OriginatingSystemID OriginatingSystemKey OriginatingSystemName OriginatingSystemSubName ListAOR MLSAreaMajor MLSAreaMinor
  PropertyType PropertySubType StandardStatus MlsStatus ListingAgreement ListingTerms SpecialListingConditions CommonInterest
  TransactionType ListPriceUnit ListPriceUnits PriceUnit ListPricePer LeaseAmountUnit LeaseAmountUnits LeaseAmountPerAreaUnit RentUnit Currency
  ListPrice ListPriceLow OriginalListPrice PreviousListPrice LeaseAmount LeaseAmountFrequency LeaseTerm AvailableLeaseType ExistingLeaseType
  LeaseConsideredYN LeaseAssignableYN LeaseRenewalOptionYN LeaseExpiration RentIncludes TenantPays OwnerPays MoveInRequirements
  LandLeaseYN LandLeaseAmount LandLeaseAmountFrequency LandLeaseExpirationDate RentControlYN Possession AvailabilityDate
  TaxAnnualAmount TaxAssessedValue TaxYear TaxStatusCurrent TaxExemptions TaxOtherAnnualAssessmentAmount
  AssociationYN AssociationName AssociationName2 AssociationPhone AssociationPhone2 AssociationFee AssociationFeeFrequency AssociationFee2
  AssociationFee2Frequency AssociationFeeIncludes AssociationAmenities
  LivingArea LivingAreaUnits LivingAreaSource BuildingAreaTotal BuildingAreaUnits BuildingAreaSource AboveGradeFinishedArea
  AboveGradeFinishedAreaUnits AboveGradeFinishedAreaSource AboveGradeUnfinishedArea AboveGradeUnfinishedAreaUnits AboveGradeUnfinishedAreaSource
  BelowGradeFinishedArea BelowGradeFinishedAreaUnits BelowGradeFinishedAreaSource BelowGradeUnfinishedArea BelowGradeUnfinishedAreaUnits
  BelowGradeUnfinishedAreaSource LeasableArea LeasableAreaUnits LotSizeArea LotSizeUnits LotSizeAcres LotSizeSquareFeet LotSizeDimensions
  LotSizeSource LotDimensionsSource LotFeatures FrontageLength FrontageType
  RoomsTotal RoomType BedroomsTotal BedroomsPossible MainLevelBedrooms BathroomsTotalInteger BathroomsFull BathroomsHalf
  BathroomsThreeQuarter BathroomsOneQuarter BathroomsPartial MainLevelBathrooms Stories StoriesTotal Levels EntryLevel EntryLocation
  YearBuilt YearBuiltEffective YearBuiltSource YearBuiltDetails NewConstructionYN DevelopmentStatus PropertyCondition PropertyAttachedYN
  BuilderName BuilderModel StructureType ArchitecturalStyle ConstructionMaterials FoundationDetails Roof Basement BodyType Make Model
  Skirt License1 DOH1 SerialU MobileDimUnits MobileHomeRemainsYN MobileLength MobileWidth
  Furnished Flooring Heating HeatingYN Cooling CoolingYN FireplaceYN FireplacesTotal FireplaceFeatures Appliances LaundryFeatures
  InteriorFeatures ExteriorFeatures PatioAndPorchFeatures WindowFeatures DoorFeatures OtherStructures OtherEquipment SecurityFeatures
  AccessibilityFeatures BuildingFeatures CommunityFeatures Inclusions Exclusions CommonWalls DirectionFaces View ViewYN
  GarageYN GarageSpaces AttachedGarageYN CarportYN CarportSpaces CoveredSpaces OpenParkingYN OpenParkingSpaces OtherParking ParkingTotal
  ParkingFeatures RVParkingDimensions PoolPrivateYN PoolFeatures SpaYN SpaFeatures WaterfrontYN WaterfrontFeatures WaterBodyName
  HorseYN HorseAmenities Fencing Vegetation Topography WoodedArea PetsAllowed SeniorCommunityYN
  Sewer WaterSource Utilities Electric ElectricOnPropertyYN Gas IrrigationSource IrrigationWaterRightsYN IrrigationWaterRightsAcres
  GreenBuildingVerificationType GreenEnergyEfficient GreenEnergyGeneration GreenIndoorAirQuality GreenLocation GreenSustainability
  GreenWaterConservation PowerProductionType PowerProductionYN PowerStorageType PowerStorageYN
  CurrentUse PossibleUse Zoning ZoningDescription FarmCreditServiceInclYN FarmLandAreaSource FarmLandAreaUnits CultivatedArea PastureArea
  RangeArea CropsIncludedYN GrazingPermitsBlmYN GrazingPermitsForestServiceYN GrazingPermitsPrivateYN NumberOfPads NumberOfLots
  NumberOfBuildings NumberOfUnitsTotal NumberOfUnitsInCommunity NumberOfUnitsLeased NumberOfUnitsVacant NumberOfUnitsMoMo NumberOfSeparateElectricMeters
  NumberOfSeparateGasMeters NumberOfSeparateWaterMeters UnitTypeType UnitsFurnished ParkName
  BusinessName BusinessType FranchiseAffiliation HoursDaysOfOperation HoursDaysOfOperationDescription LaborInformation NumberOfFullTimeEmployees
  NumberOfPartTimeEmployees OwnershipType Ownership SeatingCapacity SpecialLicenses YearEstablished
  HomeWarrantyYN DocumentsAvailable Disclosures RoadFrontageType RoadResponsibility RoadSurfaceType
  DistanceToBusComments DistanceToBusNumeric DistanceToBusUnits DistanceToElectricComments DistanceToElectricNumeric DistanceToElectricUnits
  DistanceToFreewayComments DistanceToFreewayNumeric DistanceToFreewayUnits DistanceToGasComments DistanceToGasNumeric DistanceToGasUnits
  DistanceToPlaceofWorshipComments DistanceToPlaceofWorshipNumeric DistanceToPlaceofWorshipUnits DistanceToSchoolBusComments
  DistanceToSchoolBusNumeric DistanceToSchoolBusUnits DistanceToSchoolsComments DistanceToSchoolsNumeric DistanceToSchoolsUnits
  DistanceToSewerComments DistanceToSewerNumeric DistanceToSewerUnits DistanceToShoppingComments DistanceToShoppingNumeric
  DistanceToShoppingUnits DistanceToStreetComments DistanceToStreetNumeric DistanceToStreetUnits DistanceToWaterComments
  DistanceToWaterNumeric DistanceToWaterUnits DistanceToPhoneServiceComments DistanceToPhoneServiceNumeric DistanceToPhoneServiceUnits
  ElementarySchool ElementarySchoolDistrict MiddleOrJuniorSchool MiddleOrJuniorSchoolDistrict HighSchool HighSchoolDistrict SchoolDistrict
  CapRate WalkScore CityRegion Township CountyOrParish City PostalCity PostalCode StateOrProvince StateRegion Country CountryRegion SubdivisionName
  ContinentRegion Elevation ElevationUnits
  PublicRemarks SyndicationRemarks SyndicateTo AuctionDate
  VideosCount VideosChangeTimestamp
  PhotosCount PhotosChangeTimestamp DocumentsCount DocumentsChangeTimestamp
  ListAgentKey ListAgentKeyNumeric ListAgentMlsId ListAgentAOR ListAgentFullName ListAgentNamePrefix ListAgentFirstName ListAgentMiddleName
  ListAgentLastName ListAgentNameSuffix ListAgentDesignation ListAgentEmail ListAgentURL ListAgentPreferredPhone ListAgentPreferredPhoneExt
  ListAgentDirectPhone ListAgentOfficePhone ListAgentOfficePhoneExt ListAgentTollFreePhone ListAgentFax ListAgentStateLicense ListAgentNationalAssociationId
  ListOfficeKey ListOfficeKeyNumeric ListOfficeMlsId ListOfficeAOR ListOfficeName ListOfficePhone ListOfficePhoneExt ListOfficeEmail ListOfficeURL
  ListOfficeFax ListOfficeNationalAssociationId ListTeamKey ListTeamKeyNumeric ListTeamName
  CoListAgentKey CoListAgentKeyNumeric CoListAgentMlsId CoListAgentFullName CoListAgentFirstName CoListAgentLastName CoListAgentEmail
  CoListAgentPreferredPhone CoListAgentDirectPhone CoListAgentOfficePhone CoListOfficeKey CoListOfficeKeyNumeric CoListOfficeMlsId CoListOfficeName
  CoListOfficePhone CoListOfficeEmail CoListTeamKey CoListTeamName
  CopyrightNotice Disclaimer ListingAttribution AttributionContact
  ListingContractDate OnMarketDate OnMarketTimestamp OriginalEntryTimestamp ModificationTimestamp BridgeModificationTimestamp StatusChangeTimestamp
  PriceChangeTimestamp MajorChangeTimestamp MajorChangeType PendingTimestamp DaysOnMarket CumulativeDaysOnMarket ActivationDate
  InternetEntireListingDisplayYN InternetAddressDisplayYN InternetAutomatedValuationDisplayYN InternetConsumerCommentYN
  InternetEntireListingDisplayYn InternetAddressDisplayYn IDXParticipationYN VOWEntireListingDisplayYN VOWAddressDisplayYN MlgCanView MlgCanUse FeedTypes
`);

const OF_MEDIA = words(`
  MediaKey MediaKeyNumeric MediaObjectID MediaURL MediaHTML MediaCategory MediaClassification MediaType MediaStatus MediaAlteration
  MediaModificationTimestamp ModificationTimestamp Order PreferredPhotoYN ShortDescription LongDescription ImageHeight ImageWidth ImageOf
  ImageSizeDescription Permission MlgCanView ResourceName ResourceRecordKey ResourceRecordKeyNumeric ResourceRecordID ClassName
  OriginatingSystemID OriginatingSystemName OriginatingSystemMediaKey SourceSystemID SourceSystemName SourceSystemMediaKey
`);

const OF_ROOMS = words(`
  RoomKey RoomKeyNumeric RoomType RoomLevel RoomDescription RoomFeatures RoomDimensions RoomLength RoomWidth RoomLengthWidthUnits
  RoomLengthWidthSource RoomArea RoomAreaUnits RoomAreaSource BedroomClosetType ListingKey ListingKeyNumeric ListingId ModificationTimestamp
`);

/** The exact location, and the pages whose URLs contain it. */
const ADDRESS = words(`
  UnparsedAddress StreetNumber StreetNumberNumeric StreetDirPrefix StreetName StreetSuffix StreetSuffixModifier StreetDirSuffix
  StreetAdditionalInfo UnitNumber BuildingName PostalCodePlus4 CarrierRoute CrossStreet Directions Latitude Longitude Coordinates
  GeoLocation MapCoordinate MapCoordinateSource MapURL ParcelNumber AdditionalParcelsYN AdditionalParcelsDescription TaxLot TaxBlock TaxTract
  ListingURL ListingURLDescription VirtualTourURLUnbranded VirtualTourURLBranded VirtualTourURLUnbranded2 VirtualTourURLBranded2
  TaxBookNumber TaxMapNumber TaxParcelLetter TaxLegalDescription PublicSurveyRange PublicSurveySection PublicSurveyTownship
`);

const AGENTS_ONLY = 'between agents';
const BUYER = 'the buyer';
const OCCUPANT = 'the people who live there';
const SHOWING = 'how and when to get in';
const OWNER = 'the people who own it';
const CLOSING = 'the price that was agreed';
const FINANCES = 'the owner’s accounts';
const PERSONAL = 'the telephone of a person';

const PRIVATE: Readonly<Record<string, string>> = {
  ...because(
    AGENTS_ONLY,
    'PrivateRemarks PrivateOfficeRemarks BuyerAgencyCompensation BuyerAgencyCompensationType SubAgencyCompensation',
  ),
  ...because(
    AGENTS_ONLY,
    'SubAgencyCompensationType TransactionBrokerCompensation TransactionBrokerCompensationType DualVariableCompensationYN',
  ),
  ...because(
    AGENTS_ONLY,
    'DualOrVariableRateCommissionYN ConcessionsComments Concessions ConcessionsAmount LeadRoutingEmail SignOnPropertyYN',
  ),
  ...because(
    AGENTS_ONLY,
    'ListAgent ListOffice CoListAgent CoListOffice BuyerAgent BuyerOffice CoBuyerAgent CoBuyerOffice OpenHouse OpenHouses',
  ),
  ...because(
    AGENTS_ONLY,
    'HistoryTransactional SocialMedia GreenVerification GreenBuildingVerification UnitTypes PowerProduction PowerStorage Showing',
  ),
  ...because(
    OWNER,
    'OwnerName OwnerPhone OwnerEmail YearsCurrentOwner HomeWarrantyCompany ParkManagerName ParkManagerPhone',
  ),
  ...because(OCCUPANT, 'OccupantName OccupantPhone OccupantType AnchorsCoTenants'),
  ...because(
    SHOWING,
    'ShowingInstructions ShowingContactName ShowingContactPhone ShowingContactPhoneExt ShowingContactType ShowingRequirements',
  ),
  ...because(
    SHOWING,
    'ShowingAdvanceNotice ShowingAttendedYN ShowingConsiderations ShowingDays ShowingStartTime ShowingEndTime',
  ),
  ...because(
    SHOWING,
    'ShowingServiceName ShowingURL LockBoxLocation LockBoxSerialNumber LockBoxType LockOrBox AccessCode',
  ),
  ...because(BUYER, buyers()),
  ...because(
    CLOSING,
    'ClosePrice CloseDate BuyerFinancing PurchaseContractDate ContractStatusChangeDate CancellationDate WithdrawnDate ExpirationDate',
  ),
  ...because(CLOSING, 'OffMarketDate OffMarketTimestamp ContingentDate Contingency CurrentFinancing'),
  ...because(
    FINANCES,
    'GrossIncome GrossScheduledIncome NetOperatingIncome TotalActualRent VacancyAllowance VacancyAllowanceRate IncomeIncludes',
  ),
  ...because(
    FINANCES,
    'OperatingExpense OperatingExpenseIncludes CableTvExpense ElectricExpense FuelExpense FurnitureReplacementExpense GardenerExpense',
  ),
  ...because(
    FINANCES,
    'InsuranceExpense LicensesExpense MaintenanceExpense ManagerExpense NewTaxesExpense OtherExpense PestControlExpense',
  ),
  ...because(
    FINANCES,
    'PoolExpense ProfessionalManagementExpense SuppliesExpense TrashExpense WaterSewerExpense WorkmansCompensationExpense',
  ),
  ...because(FINANCES, 'FinancialDataSource FarmCreditServiceIncl'),
  ...because(
    PERSONAL,
    'ListAgentHomePhone ListAgentMobilePhone ListAgentCellPhone ListAgentPager ListAgentVoiceMail ListAgentVoiceMailExt',
  ),
  ...because(
    PERSONAL,
    'CoListAgentHomePhone CoListAgentMobilePhone CoListAgentCellPhone CoListAgentPager CoListAgentVoiceMail CoListAgentVoiceMailExt',
  ),
};

/** The fields of the buyer’s agent, team and office, and of those who work with them. */
function buyers(): string {
  const person =
    'Key KeyNumeric MlsId AOR FullName NamePrefix FirstName MiddleName LastName NameSuffix Designation Email URL PreferredPhone';
  const phones =
    'PreferredPhoneExt DirectPhone OfficePhone OfficePhoneExt HomePhone MobilePhone CellPhone TollFreePhone Fax Pager VoiceMail VoiceMailExt StateLicense';
  const agent = words(`${person} ${phones} NationalAssociationId`);
  const office = words('Key KeyNumeric MlsId AOR Name Phone PhoneExt Email URL Fax NationalAssociationId');
  const team = words('Key KeyNumeric Name');
  return ['', 'Co']
    .flatMap((co) => [
      ...agent.map((field) => `${co}BuyerAgent${field}`),
      ...office.map((field) => `${co}BuyerOffice${field}`),
      ...team.map((field) => `${co}BuyerTeam${field}`),
    ])
    .join(' ');
}

function because(reason: string, fields: string): Record<string, string> {
  return Object.fromEntries(words(fields).map((field) => [field, reason]));
}

const SHOWN = [
  ...PUBLIC,
  'Media',
  ...OF_MEDIA.map((field) => `Media.${field}`),
  ...OF_ROOMS.map((field) => `Rooms.${field}`),
];

const project = addressProjection({
  public: SHOWN,
  private: PRIVATE,
  address: ADDRESS,
  hiddenBecause: 'InternetAddressDisplayYN is false',
});

/** The only annotation that is kept, because it names the record. The others describe the transport. */
const ID = '@odata.id';
const ANNOTATION = '@odata.';

/** The media that may be shown, in the form that the server sent: a list, one object, or nothing. */
function shownMedia(media: unknown, isShown: (medium: unknown) => boolean): unknown {
  if (Array.isArray(media)) return media.filter(isShown);
  return typeof media === 'object' && !isShown(media) ? null : media;
}

function withoutAnnotations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnnotations);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !name.includes(ANNOTATION)));
}

export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  const showsDoor = showsAddress(record);
  const isShown = (medium: unknown): boolean => isPublic(medium) && (showsDoor || !isTour(medium));
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (name.includes(ANNOTATION)) {
      // A next link means that this list is incomplete. The rest is not read, so there must be a warning.
      if (name.endsWith('@odata.nextLink')) context.warn('unmapped_field', name.slice(0, 120), '');
    } else if (name === 'Media') fields[name] = withoutAnnotations(shownMedia(value, isShown));
    else fields[name] = name === 'Rooms' ? withoutAnnotations(value) : value;
  }
  const raw = project(fields, context, showsDoor);
  return record[ID] === undefined ? raw : { [ID]: record[ID], ...raw };
}
