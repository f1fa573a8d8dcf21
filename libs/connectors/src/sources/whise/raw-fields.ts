import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { rawProjection } from '../../kit/raw-projection';
import { listOf, textOf } from '../../kit/values';
import { DETAILS, FEATURE_DETAILS, POSITION_DETAILS } from './details';
import { showsAddress, showsPrice } from './display';

const words = (text: string): string[] => text.trim().split(/\s+/);
const withTexts = (path: string): string[] => [path, `${path}.languageId`, `${path}.content`];
const named = (path: string): string[] => [
  path,
  `${path}Id`,
  ...['id', 'name', 'displayName', 'languageId'].map((name) => `${path}.${name}`),
];

const PUBLIC = [
  ...words(`
    id referenceNumber currency displayPrice displayAddress zip city clientId client officeId office area
    groundArea gardenArea minArea maxArea rooms bedrooms bathRooms fronts floors garage parking terrace garden furnished
    swimmingPool investmentEstate energyClass energyValue cadastralIncome availabilityDateTime isImmediatelyAvailable
    floor parentId createDateTime updateDateTime putOnlineDateTime priceChangeDateTime link3DModel linkVirtualVisit linkVideo
  `),
  ...[
    'category',
    'subCategory',
    'purpose',
    'purposeStatus',
    'status',
    'displayStatus',
    'state',
    'country',
    'availability',
  ].flatMap(named),
  ...['name', 'shortDescription', 'description', 'longDescription', 'sms'].flatMap(withTexts),
  ...words('id order urlSmall urlLarge urlXXL urlOriginal orientation detailId updateDateTime').map(
    (name) => `pictures.${name}`,
  ),
  ...words('id name firstName lastName email phone mobile picture').map((name) => `representatives.${name}`),
  ...words('id label value enum.id group groupId type').map((name) => `details.${name}`),
];
const ADDRESS = words('address number box');
const PRICE = ['price'];
const HIDDEN_ADDRESS = Object.fromEntries(ADDRESS.map((path) => [path, 'displayAddress is not true']));
const HIDDEN_PRICE = { price: 'displayPrice is false' };

const project = (hasAddress: boolean, hasPrice: boolean): ReturnType<typeof rawProjection> =>
  rawProjection({
    public: [...PUBLIC, ...(hasAddress ? ADDRESS : []), ...(hasPrice ? PRICE : [])],
    private: {
      ...(hasAddress ? {} : HIDDEN_ADDRESS),
      ...(hasPrice ? {} : HIDDEN_PRICE),
      cadastralData: 'names the parcel',
      owners: 'people who do not advertise',
    },
  });
const PROJECTIONS = [
  [project(false, false), project(false, true)],
  [project(true, false), project(true, true)],
] as const;

/** Agencies may write anything into details, so only details that the mapping reads are published. */
const KNOWN_DETAILS: ReadonlySet<string> = new Set([
  ...[...Object.values(DETAILS), ...FEATURE_DETAILS],
  ...['78', '79', '80', '81', '82'],
]);

export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  const { details, ...fields } = record;
  const known = listOf(details).filter((one) => isKnown(one, showsAddress(record)));
  const projection = PROJECTIONS[showsAddress(record) ? 1 : 0][showsPrice(record) ? 1 : 0];
  return projection(known.length === 0 ? fields : { ...fields, details: known }, context);
}

function isKnown(detail: unknown, hasAddress: boolean): boolean {
  const id = textOf((detail as { id?: unknown } | null)?.id) ?? '';
  return KNOWN_DETAILS.has(id) && (hasAddress || !POSITION_DETAILS.includes(id));
}
