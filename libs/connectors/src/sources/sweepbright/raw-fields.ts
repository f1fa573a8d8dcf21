import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { hidesPrice, showsAddress } from './display';

const words = (text: string): string[] => text.trim().split(/\s+/);
const under = (prefix: string, text: string): string[] => words(text).map((name) => `${prefix}.${name}`);
const LANGUAGES = 'fr en nl de es it pt';
const SIZES = 'liveable_area plot_area gross_area terrace_area garden_area storage office commercial loi_carrez_area';

const COSTS = words(`price_recurring_costs price_guarantee price_inventory_report_cost price_property_taxes
  price_yearly_budgeted_building_costs`);

const rules = (price: 'shown' | 'hidden') => ({
  public: [
    ...words(`id is_project project_id unit_count type sub_type negotiation rent_period status publish_status living_rooms
      kitchens bedrooms bathrooms toilets shower_rooms floors showrooms manufacturing_areas storage_rooms kitchen_condition
      bathroom_condition amenities epc_value epc_category epc_reference video_url general_condition cadastral_income
      terrace_orientation garden_orientation virtual_tour_url custom_price buyer_percentage buyer_fixed_fee`),
    ...under('project', 'units'),
    ...under('project.title', LANGUAGES),
    ...under('description_title', LANGUAGES),
    ...under('description', LANGUAGES),
    ...under('legal_mentions', LANGUAGES),
    ...words(SIZES).flatMap((name) => under(`sizes.${name}`, 'size unit')),
    ...under('features.energy', 'gas fuel heat_pump electricity'),
    ...under(
      'features.comfort',
      'home_automation water_softener fireplace walk_in_closet home_cinema wine_cellar sauna fitness_room furnished elevator swimming_pool',
    ),
    ...under('features.ecology', 'double_glazing solar_panels solar_boiler rainwater_harvesting insulated_roof'),
    ...under('features.security', 'alarm concierge video_surveillance'),
    ...under('features.heating_cooling', 'central_heating floor_heating air_conditioning'),
    ...under('building.renovation', 'year description'),
    ...under('building.construction', 'year'),
    ...under('images', 'id filename description ordinal'),
    ...under('plans', 'id filename description ordinal'),
    ...under('location', 'city country postal_code floor hidden'),
    ...(price === 'shown' ? under('price', 'amount') : []),
    ...under('price', 'currency hidden'),
    ...COSTS.flatMap((name) => under(name, 'amount currency')),
    ...under('negotiator', 'first_name last_name email phone'),
    ...under('office', 'id name'),
    ...under('open_homes', 'start_date end_date'),
    ...under('occupancy', 'occupied available_from'),
  ],
  address: [
    ...under('location', 'box number street street_2 addition formatted formatted_agency'),
    ...under('location.geo', 'latitude longitude'),
  ],
  hiddenBecause: 'location.hidden is not no',
  private: {
    ...(price === 'hidden' && { 'price.amount': 'the price is hidden' }),
    vendors: 'the seller',
    buyers: 'the buyer',
    internal_note: 'the agency’s own work',
    mandate: 'the agreement of agency and vendor',
    agency_commission: 'paid by the vendor',
    vendor_percentage: 'paid by the vendor',
    vendor_fixed_fee: 'paid by the vendor',
    price_negotiated: 'paid by the buyer',
    price_costs: 'of a sale',
    price_taxes: 'of a sale',
    auction: 'not mapped',
    permissions: 'not mapped',
    regulations: 'not mapped',
    rooms: 'not mapped',
    documents: 'their addresses die, and some are not for the public',
    appointment_service_url: 'for the agency’s own site',
    settings: 'the reference is `affNum`',
    'occupancy.contact_details': 'the residents',
    'occupancy.tenant_contract': 'the agreement of tenant and landlord',
    'negotiator.photo_url': 'dies',
    'negotiator.photo_url_expires_on': 'of an address that dies',
    'plans.url': 'may die: the copy is in `plans`',
    'plans.url_expires_on': 'of an address that dies',
    'images.url': 'dies: the copy is in `photos`',
    'images.url_expires_on': 'of an address that dies',
  },
});

const project = { shown: addressProjection(rules('shown')), hidden: addressProjection(rules('hidden')) };

/** A hidden price stays private. */
export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  return project[hidesPrice(record) ? 'hidden' : 'shown'](record, context, showsAddress(record));
}
