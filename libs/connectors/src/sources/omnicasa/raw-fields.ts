import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { showsAddress, showsPrice } from './display';

const words = (text: string): string[] => text.trim().split(/\s+/);
const pictures = ['SmallPicture', 'MediumPicture', 'LargePicture', 'XLargePicture'];

const project = addressProjection({
  public: [
    ...words(`ID Ident Status SubStatus SubStatusName Goal Marquee MarqueeName MarqueeShowOrder WebID WebIDName MainTypeName
      MainStyleName TypeDescription TypeDescriptionNl TypeDescriptionEn DescriptionA DescriptionB City Zip District CountryAbbr
      CountryName Price PriceUnitText PublishPrice ChargesRenter DepositAmount SurfaceTotal SurfaceLiving SurfaceGarden
      SurfaceTerrace SurfaceConstructed SurfaceOffice SurfaceGround SurfaceGround2 SurfaceStore NumberOfBedRooms
      NumberOfBathRooms NumberOfShowerRooms NumberOfToilets NumberOfGarages NumberOfParkings HasGarden HasTerrace HasFurnished
      HasLift HasCellar HasAttic Floor ConstructionYear ConstructionName ConditionID ConditionName KitchenName HeatingName
      WindowGlazing OrientationT EnergyPerformance VirtualTour DateFree CreatedDate LastChangedDate OfficeName IsOffice
      ManagerName ManagerEmail ManagerDirectPhone ManagerMobilePhone`),
    ...pictures,
    ...pictures.map((name) => `${name}s`),
    ...pictures.flatMap((name) => [`${name}Items.ID`, `${name}Items.Url`, `${name}Item.ID`, `${name}Item.Url`]),
  ],
  address: words('Street HouseNumber GoogleX GoogleY'),
  hiddenBecause: 'the setting publier-adresse is not set',
  private: {
    StartPrice: 'the format does not explain it: it may be the price that the vendor hopes for',
    SiteID: 'of the office’s own work',
  },
});

/** A hidden price stays private. */
export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  const shown = showsPrice(record)
    ? record
    : Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'Price'));
  return project(shown, context, showsAddress(record, context) === true);
}
