import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { listOf, scalarOf } from '../../kit/values';
import { showsAddress } from './display';

const words = (text: string): string[] => text.trim().split(/\s+/);
const under = (prefix: string, text: string): string[] => words(text).map((name) => `${prefix}.${name}`);

const project = addressProjection({
  public: [
    ...words(`id unit_id exposee_id title marketing_type rs_type rs_category object_type hide_address city zip_code district
      region country price price_on_inquiry price_per_sqm currency base_rent total_rent service_charge heating_costs deposit
      courtage courtage_note living_space plot_area usable_floor_space total_floor_space office_space number_of_rooms
      number_of_bed_rooms number_of_bath_rooms number_of_balconies number_of_terraces number_of_parking_spaces floor
      number_of_floors construction_year last_refurbishment condition lift balcony garden cellar barrier_free pets_allowed
      built_in_kitchen furnished rented free_from energy_efficiency_class thermal_characteristic energy_efficiency_value
      building_energy_rating_type energy_certificate_availability heating_type firing_types description_note location_note
      furnishing_note other_note created_at updated_at archived project_id
      long_description_note long_location_note long_furnishing_note long_other_note administrative_area_level_1
      net_floor_space min_divisible garage garage_type parking_space_type parking_space_price price_type price_interval_type
      start_rental_date end_rental_date min_rental_time max_rental_time has_furniture air_conditioning terrace condominium_fee
      heating_costs_in_service_charge energy_certificate_start_date energy_certificate_end_date guest_toilet monument
      lodger_flat ramp summer_residence_practical flat_share_suitable lan_cables high_voltage has_canteen goods_lift
      building_permission short_term_constructible interior_quality flooring_type construction_phase yield_actual yield_target`),
    ...under('property_status', 'id name nonpublic'),
    ...under('floorplans', 'id title position is_floorplan url big_url'),
    ...under('images', 'id title position is_floorplan url big_url medium_url thumb_url'),
    ...under('broker', 'name public_email public_phone public_cell position'),
  ],
  address: words('street house_number short_address address lat lng'),
  hiddenBecause: 'hide_address is not no',
  private: {
    name: 'of the agency’s own work: it often is the address',
    note: 'the agency’s own work',
    internal_brokerage: 'paid by the vendor',
    sold_price: 'the price that was paid',
    maintenance_reserve: 'of the owner',
    rental_income: 'of the owner',
    rental_income_actual: 'of the owner',
    rental_income_target: 'of the owner',
    tenant_structure: 'the tenants',
    corridor: 'leads to the owner',
    plot_number: 'leads to the owner',
    relationships: 'the seller and their notary',
    folders: 'the agency’s own work',
    links: 'some are not for the public: only those to a tour or a film are published',
    documents: 'some are not for the public',
    custom_fields: 'each account has its own',
    token: 'opens a page of the agency',
    valuation_price: 'the agency’s advice to the vendor',
    is24_contact_id: 'of another service',
    broker_id: 'of the agency’s own work',
    lp_address: 'the address of a page',
    'images.is_private': 'those that are do not leave',
    'floorplans.is_private': 'those that are do not leave',
    'images.is_not_for_exposee': 'of a brochure',
    'images.small_thumb_url': 'a smaller one',
    'images.square_url': 'a smaller one',
    'images.tags': 'the agency’s own work',
    'property_status.color': 'of the agency’s own work',
    'property_status.position': 'of the agency’s own work',
    'broker.email': 'not the public one',
    'broker.phone': 'not the public one',
    'broker.cell': 'not the public one',
    'broker.id': 'of the agency’s own work',
    'broker.team': 'of the agency’s own work',
  },
});

/** The parts of a property that are published in `raw`, without private images. */
export function toRaw(record: JsonRecord, context: RecordContext): Record<string, unknown> {
  const lists = ['images', 'floorplans'].filter((name) => name in record);
  const shown = lists.map((name) => [name, listOf(record[name]).filter((one) => !isPrivate(one))]);
  return project({ ...record, ...Object.fromEntries(shown) }, context, showsAddress(record));
}

function isPrivate(image: unknown): boolean {
  return toFlag(scalarOf((image as { is_private?: unknown } | null)?.is_private)) === true;
}
