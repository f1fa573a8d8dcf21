import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { showsAddress } from './display';
import { publicDocuments } from './media';
import { hidesPrice } from './offer';

const words = (text: string): string[] => text.trim().split(/\s+/);
const under = (prefix: string, text: string): string[] => words(text).map((name) => `${prefix}.${name}`);

/** Members of `Property` that no listing needs: rooms, floors, equipment and remarks that are not marked as public. */
const NOT_SHOWN = `
  Pictures FloorPlans Floors Levels Facilities Dimensions Certifications RightsInRem OpenHouse PlumbingTypes GarageFacilities
  RoofEvaluation WindowEvaluation GlazingEvaluation HeatingEvaluation ElectricityEvaluation PlumbingEvaluation SanitaryEvaluation
  ElevatorEvaluation AlarmEvaluation RollerBlindsEvaluation IsolationEvaluation BasesEvaluation FrontageEvaluation
  RoofCoverEvaluation ConstructionEvaluation WarmWaterEvaluation RoofComment WindowComment GlazingComment HeatingComment
  ElectricityComment PlumbingComment SanitaryComment ElevatorComment AlarmComment RollerBlindsComment ExternalSolarBlinds
  ExternalSolarBlindsComment VentilationComment Cable_TVComment PoolComment IsolationComment BasesComment RoofCoverComment
  ConstructionComment CommentOnWarmWater AircoComment FacilitiesComment JacuzziComment IntercomComment
  ElectricityConnectComment GasConnectComment WaterConnectComment SewerConnectComment CommentOnInternetConnect
  CommentOnGeneralState SolarPanelsComment SolarBoilerComment PhoneConnectComment FiberConnectComment AntennaComment
  ArmoredDoorComment DisabledAccessComment DomoticaComment SaunaComment SteamCabinComment VideoPhoneComment Dismiss
  UsageProfessionalPercent UsagePrivatePercent InterimInterest HouseContribution TransferrableContribution HasObjectSubsidy
  MustNotice BOOT OZBUserShare OZBBusinessShare WaterBoardLevies SewerRights HeatingCosts ContributionGWE LandConsolidation
  NetRentProfit GrossRentProfit EconomicalValue AverageTerm TakeOver SelfIntrest GIWGuarantee IsSplitAppartment IsInProduction
  HasIndexedRent AppartmentInThousands IsDiscrete Payment VVEActive CostsTennantAgency CostsTennantTopography
  CostsTennantCertificate CostsTennantDiverse TemporaryRent TerrainValue ConstructionValue HeatedCentrallyConstructionYear
  PriceLastModified InvestmentPropertyTax InvestmentPropertyCost DistanceToHighway NearbyRailwayStation DistanceToRailwayStation
  NearbyRailwayStop DistanceToRailwayStop NearbyBusNode DistanceToBusNode NearbyMetroNode DistanceToMetroNode NearbyTramNode
  DistanceToTramNode NearbyBusStop DistanceToBusStop NearbyMetroStop DistanceToMetroStop NearbyTramStop DistanceToTramStop
  NearbyBank DistanceToBank NearbyRecreation DistanceToRecreation NearbyRestaurant DistanceToRestaurant DistanceToShops
  DistanceToSchool NearbyDaycare DistanceToDaycare`;

const PLAIN = `
  ID Created Modified Active Reference MarketType Type SpecialType Status FlowStatus Price PriceType Currency NumberOfBedrooms
  HasGarage HasGarden HasTerrace Area LandArea SurfaceLivable Residence ConstructionYear NewEstate RenovationYear
  NearbyPublicTransport NearbyShops NearbySchool NearbyHighway ShopLocation CadastrallIncome CadastrallIncomeIndexed Easement
  ChargesAndProvisions CommunalExpenses HeatingWaterCosts GeneralState EnvironmentalPlanning Width Depth FrontWidth FloorLevelNL
  NumberOfFloors NumberOfBathrooms NumberOfLavatoryRooms NumberOfParkingPlaces NumberOfOffices NumberOfGarages SurfaceKitchen
  SurfaceLiving SurfaceStock SurfaceTerrace HasCellar HasElevator HasAttick HasAlarm HasFurniture RoofType WindowType KitchenType
  Modification Orientation RentType RentTime PetsAllowed IsChildFriendly Acception Content SurfaceUtilityRoom HasBackYard
  HasRollerBlinds GardenQuality LivingRoomType GarageType ProfessionRoomType Condition IsVATInclusive IsVATExclusive
  IsMonumentsAct IsProtected HasAsbestus HasGroundPollution HasShowroom SurfaceShowroom HasOffice HasGreenHouse
  SurfaceProfessionRoom HasProfessionRoom SurfaceGarden HasLivingRoom HasKitchen HasUtilityRoom HasBedrooms HasBathroom
  HasLavatoryRoom HasToilet SurfaceAttick SurfaceBasement HasParkingPlace HasStock NumberOfToilets HasHeating HasElectricity
  HasSanitary KitchenGenre OfficeType VRURL ConditionalSold ConditionalSoldDate UnderConstruction ConstructionPeriod Specification
  MaintenanceInside MaintenanceOutside ShapeOfConstruction CurrentUsage CurrentDestination PermanentResidence DoubleResidence
  Garnished Characterization ServiceCharges StorageRoom HasVentilation HasCable_TV HasCAI_TV HasPool ConstructionType
  OpenPorchInApp AreaRdyForConstr BackYardWidth BackYardDepth NumberOfRooms PaymentPeriod CommonWalls TotalFloorArea
  GrossFloorArea CostsGarage RentStatus RentDuration PropertyType PriceIndication BasesType FrontageType RoofCoverType HasAirco
  HasJacuzzi HasIntercom HasElectricityConnect HasGasConnect HasWaterConnect HasSewerConnect HasInternetConnect HasFirePlace
  FirePlaceType HasWashPlace HasBalcony RealEstateTax Link IsYieldProperty Deposit IsExclusive NumberOfPlacesInGarage
  FloodProneArea DelimitedFloodplainOrRiverbank VirtualUrl VideoUrl SiteUrl HasDiningRoom SurfaceDiningRoom ServiceChargesPayment
  HasSolarPanels HasSolarBoiler MaximumOccupants MinimumLeaseTerm ElectricityCosts GazCosts ChargesAndProvisionsInterval
  EnergyIndexYearlyTotal HasEstateFireAlarms HasBuiltInLights SurfaceGreenHouse TypeOfParking ReturnOnInvestment
  NumberOfLoadingDocks SurfaceBedroom1 SurfaceBedroom2 SurfaceBedroom3 SurfaceBedroom4 SurfaceBedroom5 HasPhoneConnect
  HasFiberConnect OfficeId WaterPolicyPScore WaterPolicyGScore HasAntenna HasArmoredDoor HasDisabledAccess HasDomotica HasSauna
  HasSteamCabin HasVideoPhone SurfaceGarage RenovationDuty LotPublicationId`;

const project = addressProjection({
  public: [
    ...words('Info Property Pictures FloorPlans Documents Summary'),
    ...under('Info', 'ID Guid Created Modified HidePrice HideAddress HideHouseNumber Enabled FlashID'),
    ...under('Summary', 'ID Guid Created Modified Active'),
    ...under('Property', PLAIN),
    ...under('Property.Typo', 'Type Category Sort Genre Characterisation'),
    ...under('Property.Address', 'Residence CountryID City City.@ID City.@ZipCode'),
    ...under('Property.HeatingTypes', 'HeatingType'),
    ...under('Property.GlazingTypes', 'GlazingType'),
    ...under('Property.IsolationTypes', 'IsolationType'),
    ...under('Property.WarmWaterTypes', 'WarmWaterType'),
    ...under('Property.TypesOfGarden', 'GardenType'),
    ...under('Property.Locations', 'LocationType'),
    ...under('Property.AllFlashes.Flash', '@ID @LanguageID Title Text'),
    ...under('Property.Flashes.Flash', '@ID @LanguageID Title Text'),
    ...under('Property.UrbanDevelopment', 'Permit Summons PreemptiveRights AllotmentPermit AreaApplication'),
    ...under(
      'Property.UrbanDevelopment',
      'AreaApplication.@Code JudicialDecisionType JudicialDecision ProtectedMonument',
    ),
    ...under('Property.Energy', 'Index ClassEndDate Class EnergyCertificateNr KLevel EnergyLevel CreationDate'),
    ...under('Property.Energy', 'EstimatedAnnualCostMin EstimatedAnnualCostMax ReferenceDateEnergyPrices'),
    ...under('Property.GES', 'Index Class'),
    ...under('Property.Dates', 'AvailableFromText AvailableFrom Auction'),
    ...under('Property.LifeAnnuity', 'Type OneOffPayment Remittance.Amount Remittance.Period'),
    ...under('Property.Financials.SalePrice', 'Amount.@Value Amount.@Minimum Amount.@Maximum Currency VATRate'),
    ...under('Property.Financials.RentPrice', 'Amount.@Value Amount.@Minimum Amount.@Maximum Currency Recurrency'),
    ...under('Property.CommonSection', 'Present NumberOfLots'),
    ...under('Property.Project', 'PublicationID Name Units FreeUnits StartBuilding StopBuilding ConsumerInfo'),
    ...['HabitableAreaMin', 'HabitableAreaMax'].flatMap((name) => [
      `Property.Project.${name}`,
      `Property.Project.${name}.@Unit`,
    ]),
    ...under('Property.Model', 'PublicationID Name'),
    ...under('Pictures.Picture', 'Index Name Description URL Modified PictureType'),
    ...under('FloorPlans.FloorPlan', 'Index Name Description URL Modified PictureType'),
    ...under('Documents.Document', 'DocumentID OriginalName Description URL FileType Modified'),
  ],
  address: [
    ...under(
      'Property.Address',
      'PreAddress Street StreetID HouseNumber HouseNumberExtension MailBox Position.@X Position.@Y',
    ),
    ...under('Property.Address', 'Position.@Type'),
  ],
  hiddenBecause: 'Info.HideAddress or Info.HideHouseNumber is not false',
  private: {
    ...Object.fromEntries(under('Property', NOT_SHOWN).map((path) => [path, 'no listing needs it'])),
    Estate: 'the address again, whatever the publication hides',
    'Info.Options': 'the format does not explain it',
    'Property.Map': 'leads to the door',
    'Property.CadastrallInformations': 'parcels lead to the door, and say who owns what',
    'Property.CadastrallName': 'parcels lead to the door',
    'Property.CadastrallNumbers': 'parcels lead to the door',
    'Property.CadastrallArea': 'parcels lead to the door',
    'Property.CadastrallDescription': 'parcels lead to the door',
    'Property.Confidential': 'for the agency alone',
    'Property.CollegialInfo': 'for other agencies alone',
    'Property.Clauses': 'of the contract with the owner',
    'Property.RestrictionComment': 'the format does not say for whom it is written',
    'Property.OwnerInformation': 'accounts of people',
    'Property.ResponsibleLoginId': 'an account of a person',
    'Property.SalesRepresentativeLoginId': 'an account of a person',
    'Property.SoldPrice': 'of a sale that is done',
    'Property.SellerNetPrice': 'the owner’s net price',
    'Property.UseSellerNetPrice': 'the owner’s net price',
    'Property.CommissionChargedToBuyer': 'the income of the agency',
    'Property.CommissionChargedTo': 'the income of the agency',
    'Property.MandateType': 'the agency’s contract with the owner',
    'Property.MandateNumber': 'the agency’s contract with the owner',
    'Property.MandateOrigin': 'the agency’s contract with the owner',
    'Property.Dates.MandateStart': 'the agency’s contract with the owner',
    'Property.Dates.MandateEnd': 'the agency’s contract with the owner',
    'Property.Dates.AgentContract': 'the agency’s contract with the owner',
    'Property.Dates.StartTransaction': 'the agency’s own work',
    'Property.Dates.SignatureDeed': 'of a sale that is done',
    'Property.Dates.Sold': 'of a sale that is done',
    'Property.LifeAnnuity.Heads': 'birthdays and sex of those who sell',
    'Property.Financials.SoldPrice': 'of a sale that is done',
    'Property.Financials.MinimumPrice': 'the lowest price that the owner accepts',
    'Property.Financials.MaximumPrice': 'the lowest price that the owner accepts',
    'Property.Financials.TotalCommission': 'the income of the agency',
    'Property.Financials.PreviousRentPrice': 'of the tenant before',
    'Property.Project.ContactPerson': 'a person, with telephone and address',
    'Property.MarketingTypes': 'the agency’s own use',
    'Property.CustomDescriptions': 'the agency’s own use, which the format does not explain',
    'Property.CustomValuesLanguageIndependent': 'the agency’s own use, which the format does not explain',
    'Property.CustomValuesLanguageDependent': 'the agency’s own use, which the format does not explain',
    'Property.PartnerUrls': 'the agency’s own use',
    'Property.CommonSection.LotNo': 'leads to the door',
    'Property.CommonSection.LotNoCellar': 'leads to the door',
    'Property.CommonSection.LotNoGarage': 'leads to the door',
  },
});

const AMOUNTS = ['Price', 'PriceType', 'Financials', 'LifeAnnuity'];

/** Hidden amounts and internal documents of the agency stay private. */
export function toRaw(record: XmlRecord, context: RecordContext): Record<string, unknown> {
  const { Documents: documents, Property: property, ...others } = record;
  const shown: Record<string, unknown> = { ...others };
  if (typeof property === 'object' && property !== null) {
    const isPriceHidden = hidesPrice(record);
    const members = Object.entries(property).filter(([name]) => !isPriceHidden || !AMOUNTS.includes(name));
    shown['Property'] = Object.fromEntries(members);
  }
  if (documents !== undefined) shown['Documents'] = { Document: publicDocuments(record) };
  return project(shown, context, showsAddress(record) === true);
}
