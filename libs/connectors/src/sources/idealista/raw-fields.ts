import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { showsPoint } from './address';
import { DEVELOPMENT } from './developments';
import { hidesPrice } from './offer';

const PROPERTY = words(`
  propertyCode propertyReference propertyVisibility propertyUrl propertyForSale propertyForRent
  propertyOperation.operationType propertyOperation.operationPrice propertyOperation.operationPriceCommunity
  propertyOperation.operationPriceToOwn propertyOperation.operationPriceTransfer propertyOperation.operationPriceParking
  propertyOperation.operationDepositMonths
  propertyContact.contactName propertyContact.contactEmail propertyContact.contactPrimaryPhonePrefix
  propertyContact.contactPrimaryPhoneNumber
  propertyAddress.addressVisibility propertyAddress.addressUrbanization propertyAddress.addressPostalCode
  propertyAddress.addressTown propertyAddress.addressNsiCode propertyAddress.addressCountry propertyAddress.addressFloor
  propertyAddress.addressCoordinatesPrecision
  propertyDescriptions.descriptionLanguage propertyDescriptions.descriptionText
  propertyImages.imageLabel propertyImages.imageOrder propertyImages.imageUrl propertyImages.imageAiGenerated
  propertyVideos.videoOrder propertyVideos.videoUrl
  propertyVirtualTours.virtualTour3D.virtualTour3DType propertyVirtualTours.virtualTour3D.virtualTourUrl
  propertyVirtualTours.virtualTour.virtualTourType propertyVirtualTours.virtualTour.virtualTourUrl
`);
/** Names of the schema, then, after the empty line, names that later exporters use. Each gets the prefix `features`. */
const FEATURES = words(`
  Type Access24h AccessControl AccessType AllowPets PetsAllowed AreaBuildable AreaConstructed AreaHeight AreaPlot
  AreaTradableMinimum AreaUsable Balcony BathroomAdapted BathroomInside BathroomNumber BathroomType BedroomNumber
  BuildingAdapted BuiltProperties BuiltYear Chimney ClassificationBlocks ClassificationChalet ClassificationCommercial
  ClassificationHotel ClassificationIndustrial ClassificationOffice ClassificationOther ClassificationPublic
  ConditionedAir ConditionedAirType Conservation Doorman Duplex EmergencyExit EmergencyLights EnergyCertificateLaw
  EnergyCertificatePerformance EnergyCertificateRating EnergyCertificateType EquippedKitchen EquippedWithFurniture
  Extinguishers FacadeArea FireDetectors FireDoors FloorsBuildable FloorsBuilding FloorsInTop FloorsProperty Garden
  HandicapAdaptedAccess HandicapAdaptedUse Heating HeatingType HotWater LastActivity LiftAvailable LiftNumber
  LoadingDock LocatedAtCorner NearestLocationKm OfficeBuilding OrientationEast OrientationNorth OrientationSouth
  OrientationWest ParkingAvailable ParkingAutomaticDoor ParkingPlaceCovered ParkingType ParkingSpacesNumber Penthouse
  Pool PropertyTenants Rooms RoomsSplitted Security24h SecurityAlarm SecurityDoor SecurityPersonnel SecuritySystem
  SmokeExtraction Sprinklers Storage Studio SuspendedCeiling SuspendedFloor Terrace Ubication UtilitiesElectricity
  UtilitiesNaturalGas UtilitiesRoadAccess UtilitiesSewerage UtilitiesSidewalk UtilitiesStreetLighting UtilitiesWater
  Wardrobes WindowsDouble WindowsLocation WindowsNumber WindowsShop NewDevelopmentType NewDevelopmentName Finished
  StartDate KeyDeliveryYear KeyDeliveryMonth BuiltPhase OnSite MortgageStateSubsidized

  CommercialMainActivity CurrentOccupation EnergyCertificateEmissionsRating EnergyCertificateEmissionsValue
  GarageCapacityType HiddenPrice IsATransfer PriceReferenceIndex RecommendedForChildren Residential SeasonalRental
  Auction AuctionDate MinAuctionBidIncrement AvailableFrom BedType BridgeCrane CommercialSecondaryActivity CouplesAllowed
  Cupboard ExteriorAccessibility GardenType HasDesk HasRoomAirConditioning HasWashingMachine HighSeasonPrice
  HouseKeeper InteriorAccessibility InternetAvailable LowSeasonPrice MinimalStay OutdoorParkingSpace
  OutdoorParkingSpaceNumber OutdoorParkingSpaceType ParkingSpaceArea ParkingSpaceCapacity PriceTransfer
  PrivateBathroom RentedYieldPercentage RoomArea SmokingAllowed ThirdPartiesRented WindowView ChildrenAllowed
  ShortTerm ShortTermLicense TenantNumber TransferEndContract
`).map((name) => `propertyFeatures.features${name}`);
const PRIVATE: Readonly<Record<string, string>> = {
  'propertyContact.contactSecondaryPhonePrefix': 'one number is enough, and the other may be a private one',
  'propertyContact.contactSecondaryPhoneNumber': 'one number is enough, and the other may be a private one',
  'propertyAddress.addressBlock': 'leads to the door',
  'propertyAddress.addressStair': 'leads to the door',
  'propertyAddress.addressDoor': 'leads to the door',
  'propertyFeatures.featuresCadastralReference': 'names the parcel, and with it the door',
  'propertyFeatures.featuresAccessComments': 'how to get in',
  'propertyFeatures.featuresAvailabilityHour': 'when the booth is staffed',
  'propertyFeatures.featuresMortgageBankName': 'the bank of the owner',
  'propertyFeatures.featuresMortgagePercentage': 'the loan of the owner',
  'propertyFeatures.featuresMortgageEntryPercentage': 'the loan of the owner',
  'propertyFeatures.featuresMortgageLettersPercentage': 'the loan of the owner',
  'propertyFeatures.featuresMortgageInterestRate': 'the loan of the owner',
  'propertyFeatures.featuresMortgageYears': 'the loan of the owner',
  ...Object.fromEntries(
    words(
      'MinTenantAge MaxTenantAge TenantGender TenantWorkers TenantStudents OwnerLiving OccupiedNow LifeStyle ' +
        'GenderPreference Occupation LgtbFriendly MinNewTenantAge MaxNewTenantAge CouplesCosts',
    ).map((name) => [`propertyFeatures.features${name}`, 'people who live there, or are wanted to']),
  ),
  'propertyFeatures.featuresAuctionTribunal': 'leads to the debtor',
  'propertyFeatures.featuresAuctionDeposit': 'for bidders',
};
const ADDRESS = words('StreetName StreetNumber CoordinatesLatitude CoordinatesLongitude').map(
  (name) => `propertyAddress.address${name}`,
);

const project = addressProjection({
  public: withDevelopments([...PROPERTY, ...FEATURES]),
  private: Object.fromEntries(
    Object.entries(PRIVATE).flatMap(([path, reason]) => withDevelopments([path]).map((one) => [one, reason])),
  ),
  address: withDevelopments(ADDRESS),
  hiddenBecause: 'the agency does not let the address be shown',
});

/** @param shown the record completed with its development: either of the two can hide the address of both. */
export function toRaw(record: JsonRecord, context: RecordContext, shown: JsonRecord = record): Record<string, unknown> {
  const development = record[DEVELOPMENT] as JsonRecord | undefined;
  const isOpen = development?.['propertyAddress'] === undefined || showsPoint(development) === true;
  return project(withoutHiddenPrices(record), context, isOpen && showsPoint(shown) === true);
}

const IS_AMOUNT = /^(?:operationPrice(?:ToOwn|Transfer)?|features(?:PriceTransfer|HighSeasonPrice|LowSeasonPrice))$/;

function withoutHiddenPrices(record: JsonRecord): JsonRecord {
  if (!hidesPrice(record)) return record;
  const names = ['propertyOperation', 'propertyFeatures'].filter((name) => name in record);
  return { ...record, ...Object.fromEntries(names.map((name) => [name, withoutAmounts(record[name])])) };
}

function withoutAmounts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAmounts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !IS_AMOUNT.test(name)));
}

function withDevelopments(paths: readonly string[]): string[] {
  return [...paths, ...paths.map((path) => `${DEVELOPMENT}.${path}`)];
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
