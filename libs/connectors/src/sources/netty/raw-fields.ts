import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { textOf } from '../../kit/values';
import { showsAddress } from './display';

const words = (text: string): string[] => text.trim().split(/\s+/);

const PUBLIC = words(`
  product_ref product_ref_custom title product_type product_offer_type postal_code city country surface
  surface_living_space surface_land rooms bedrooms floor price currency coownership epc_energy epc_climate epc_date details
  details_listing state archived deleted time_created time_modified linked_user_id linked_user_id.user_id
  linked_user_id.email linked_user_id.first_name linked_user_id.last_name linked_user_id.phone_mobile
  linked_user_id.job linked_company_id
`);
/** The location, which is public only if the operator allows it. */
const ADDRESS = words('address latitude longitude');
const PRIVATE = {
  price_seller_net: 'the seller’s net price',
  fees: 'the agency’s income: the format does not say whether it may be shown',
  active_portals: 'where else the agency advertises',
  linked_contact_id: 'the owner',
};

const project = addressProjection({
  public: PUBLIC,
  private: PRIVATE,
  address: ADDRESS,
  hiddenBecause: 'no permission to show it',
});

/** Images are published if they are addresses, or objects with an address. */
export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  const { images_public: images, ...fields } = record;
  const raw = project(fields, context, showsAddress(context));
  if (images !== undefined && images !== null) raw['images_public'] = publicImages(images);
  return raw;
}

const IMAGE = words('public_url url src id order position title');

function publicImages(images: unknown): unknown {
  if (Array.isArray(images)) return images.map(publicImages);
  if (typeof images !== 'object' || images === null) return textOf(images) ?? null;
  return Object.fromEntries(
    Object.entries(images)
      .filter(([name]) => IMAGE.includes(name) || /^\d+$/.test(name))
      .map(([name, value]): [string, unknown] => [name, publicImages(value)]),
  );
}
