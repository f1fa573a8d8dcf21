import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { scalarOf } from '../../kit/values';

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Returns the paths of an object, or of objects in a list, and of their members. A plain value at the path is published
 * too.
 */
function objectOf(path: string, members: string): string[] {
  return [path, ...words(members).map((member) => `${path}.${member}`)];
}

const COMMENT = 'language title subtitle hook comment comment_full';

const PUBLIC = [
  ...words(`
    id reference agency brand step status group parent ranking category subcategory name type subtype country
    publish_address sector rooms bedrooms sleeps condition standing twinned facades
    length height url availability available_at delivered_at activities orientations services proximities tags
    created_at updated_at
  `),
  ...['region', 'city', 'district', 'original_city', 'original_district'].flatMap((place) =>
    objectOf(place, 'id name zipcode'),
  ),
  ...words(`
    user.id user.agency user.active user.firstname user.lastname user.email user.phone user.mobile user.fax user.language
    user.group user.picture user.timezone
    agreement.type agreement.reference agreement.start_at agreement.end_at
    area.unit area.value area.total area.weighted
    price.value price.max price.fees price.unit price.period price.hide price.inventory price.deposit price.currency
    price.commission price.guarantee price.transfer_tax price.contribution price.pension price.tenant price.vat
  `),
  ...objectOf('plot', 'net_floor land_type width height serviced_plot'),
  ...objectOf('residence', 'id type fees period lots'),
  ...objectOf('view', 'type landscape'),
  ...objectOf('construction', 'method type construction_year construction_step renovation_year renovation_cost'),
  ...objectOf('floor', 'type value levels floors'),
  ...objectOf('heating', 'device devices access type types'),
  ...objectOf('water', 'hot_device hot_access waste'),
  ...objectOf('style', 'name'),
  ...objectOf('tags_customized', 'comment'),
  ...objectOf('pictures', 'id rank url width_max height_max internet print panorama child reference'),
  ...objectOf('pictures.comments', COMMENT),
  ...objectOf('medias', 'id type value'),
  ...objectOf('comments', COMMENT),
  ...objectOf('areas', 'type number area flooring ceiling_height orientations'),
  ...objectOf('areas.floor', 'id type value'),
  ...objectOf('areas.lot', 'type rank name'),
  ...objectOf('areas.comments', COMMENT),
  ...objectOf('regulations', 'type value date graph'),
  ...objectOf('financial', 'type amount year'),
];

const PRIVATE = {
  owner: 'private in the API’s description',
  visit: 'private in the API’s description: contact and instructions for visits',
  exchanges: 'private in the API’s description',
  status_comment: 'private in the API’s description',
  private_comment: 'private in the API’s description',
  interagency_comment: 'between agencies',
  logs: 'private in the API’s description',
  filling_rate: 'private in the API’s description',
  documents: 'may hold contracts and certificates with names',
  location: 'the API does not say how near to the door it points',
  referral: 'where the mandate came from',
  subreferral: 'where the mandate came from',
  'user.birthday_at': 'private in the API’s description',
  'user.created_at': 'of no use to readers',
  'user.updated_at': 'of no use to readers',
  'price.net_seller': 'private in the API’s description',
  'price.estimation': 'private in the API’s description',
  'price.negotiable': 'private in the API’s description',
  'price.commission_owner': 'private in the API’s description',
  'price.commission_customer': 'private in the API’s description',
  'price.sold': 'the price that was paid',
  'price.sold_at': 'the price that was paid',
};

/** The exact location of a property, which is public only if its owner allows it. */
const ADDRESS = words(`
  address address_more block_name lot_reference cadastre_reference stairs_reference longitude latitude radius altitude
`);

const project = addressProjection({
  public: PUBLIC,
  private: PRIVATE,
  address: ADDRESS,
  hiddenBecause: 'publish_address is not true',
});

export function showsAddress(record: JsonRecord): boolean {
  return toFlag(record['publish_address']) === true;
}

/** Pictures that must not appear on the internet stay private. */
export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  const raw = project(record, context, showsAddress(record));
  const pictures = raw['pictures'];
  if (Array.isArray(pictures)) raw['pictures'] = pictures.filter(isForTheInternet);
  else if (!isForTheInternet(pictures)) delete raw['pictures'];
  return raw;
}

/** `internet: false` limits a picture to the agency's printed papers. */
export function isForTheInternet(picture: unknown): boolean {
  const internet = (picture as { internet?: unknown } | null)?.internet;
  return toFlag(scalarOf(internet)) !== false;
}
