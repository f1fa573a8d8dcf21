import type { RawRules } from '../../kit/raw-projection';

const words = (text: string): string[] => text.trim().split(/\s+/);
const because = (reason: string, text: string): Record<string, string> =>
  Object.fromEntries(words(text).map((path) => [path, reason]));

/** The API gives only the parts of a location that the agency selected. */
export const RAW_RULES: RawRules = {
  public: [
    ...words(`id creation lastupdate publication_date reference promotion_reference availability_id availability_date
      main_category_id sub_category_id transaction_type_id status_id off_plan prestige new_construction lease_type sonority_id
      garage_id hotwater_type_id heating_energy_type_id heating_type_id minergy_id furnish_id position_id style_id view_id
      sunlight_id orientation_id state_id environment_id floor top_floor floors toilets bedrooms bathrooms showerrooms rooms
      garage_capacity construction_year renovation_year face_to_face country_id quarter_id city_id zone_id district_id
      canton_id longitude latitude map_zoom currency_id scheme_id charges_included_id individual_charges_included_id
      parking_included_id parking_mandatory_id maintenance_contract_included_id incidental_expenses frequency_id price parking
      m2 monthly_charges annual_charges monthly_charges_ppe monthly_charges_heating renovation_funds tax deposit habitable ppe
      land garden balcony weighted m2_floor ground ceiling terrace acres usable garage volume basement zip address1 address2
      address3 website_featured website_homepage broker_lastname broker_firstname broker_email broker_phone broker_mobile
      broker_avatar view_ids photos photosObject.url photosObject.isPlan amenities amenitiesObject.id amenitiesObject.value
      videosObject.url`),
    ...['fr', 'en', 'de', 'it'].flatMap((language) => [
      `photosObject.titles.${language}`,
      `description.${language}.title`,
      `description.${language}.description`,
      `description.${language}.summary_title`,
      `description.${language}.summary_description`,
    ]),
  ],
  private: {
    ...because('the buyer, and the state of the sale', 'buyers property_sell sell_date'),
    ...because(
      'the contract with the seller',
      'mandate_type_id mandate_start mandate_end direct_transaction source_id',
    ),
    ...because('leads to the owner', 'lot parcel building cadastre_number cadastre_zone'),
    ...because('the figures of a business or of an investment', 'goodwill income original billag sig'),
    ...because('of the CRM', 'broker_id publisher_id ranking'),
    ...because(
      'for search engines',
      ['fr', 'en', 'de', 'it']
        .flatMap((language) =>
          ['title', 'keywords', 'description'].map((name) => `description.${language}.seo_${name}`),
        )
        .join(' '),
    ),
  },
};
