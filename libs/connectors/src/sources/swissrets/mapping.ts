import { SWISSRETS_MAPPING } from '../../formats/swissrets/mapping';
import type { XmlRecord } from '../../formats/xml-records';
import type { ListingMapping } from '../../kit/listing-mapping';

/** SwissRETS 2.7. Paths start at `property`. The JSON form is read with the same names. */
export const MAPPING: ListingMapping<XmlRecord> = SWISSRETS_MAPPING;
