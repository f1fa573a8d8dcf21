import type { RawRules } from '../../kit/raw-projection';

/** The languages of the portals and of buyers in Spain. Each text is a child element with the name of its language. */
const LANGUAGES = [
  ...['ar', 'bg', 'bs', 'ca', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'eu', 'fa', 'fi', 'fr', 'ga', 'gl', 'he', 'hi'],
  ...['hr', 'hu', 'hy', 'id', 'is', 'it', 'ja', 'ka', 'ko', 'lb', 'lt', 'lv', 'mk', 'ms', 'mt', 'nb', 'nl', 'nn', 'no'],
  ...['pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sq', 'sr', 'sv', 'th', 'tr', 'uk', 'ur', 'vi', 'zh'],
];

function texts(path: string): string[] {
  return [path, ...LANGUAGES.map((language) => `${path}.${language}`)];
}

export const RAW_FIELDS: RawRules = {
  public: [
    'id',
    'date',
    'ref',
    'price',
    'currency',
    'price_freq',
    'part_ownership',
    'leasehold',
    'new_build',
    ...texts('type'),
    'town',
    'province',
    'country',
    'postcode',
    'postalcode',
    'post_code',
    'location.latitude',
    'location.longitude',
    'location_detail',
    'beds',
    'baths',
    'pool',
    'surface_area.built',
    'surface_area.plot',
    'surface_area.terrace',
    'energy_rating.consumption',
    'energy_rating.emissions',
    ...texts('url'),
    ...texts('desc'),
    ...texts('title'),
    'features',
    'features.feature',
    'images',
    'images.image',
    'images.image.@id',
    'images.image.url',
    ...texts('images.image.title'),
    'images.image.tags.tag',
    'video_url',
    'virtual_tour_url',
    'catastral',
    'price_old',
    'year_build',
    'wc',
    'parking_plazas',
    'condition',
    'orientation',
    'v360',
    'email',
    'prime',
  ],
  private: {
    notes: 'for the agency alone',
    custom: 'anything that the agency likes',
    contact_number: 'the telephone of a person',
    whatsapp_number: 'the telephone of a person',
  },
};

/** Elements that are read as lists even if there is only one. */
export const LISTS = ['images.image', 'images.image.tags.tag', 'features.feature'];
