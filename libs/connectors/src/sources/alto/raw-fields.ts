import type { XmlRecord } from '../../formats/xml-records';
import type { RecordContext } from '../../kit/contracts';
import { addressProjection } from '../../kit/raw-projection';
import { showsAddress } from './display';
import { isHidden } from './offer';

const words = (text: string): string[] => text.trim().split(/\s+/);
const under = (prefix: string, text: string): string[] => words(text).map((name) => `${prefix}.${name}`);

const project = addressProjection({
  public: [
    ...words(`@id @branchid @database @featured @propertyid @system @firmid @clientid available uploaded web_status custom_status
      comm_rent premium service_charge rateable_value type furnished rm_type rm_qualifier rm_let_type_id let_bond bedrooms receptions
      bathrooms leaseend instructed garden parking groundrent newbuild description paragraphs bullets files`),
    ...under('reference', 'agents software'),
    ...under('address', 'street locality town county postcode custom_location display'),
    ...words('price price.@qualifier price.@currency price.@display price.@rent'),
    ...under('area', '@unit @measure min max'),
    ...under('commercial', 'transaction'),
    ...under('hip.energy_performance.energy_efficiency', 'current potential'),
    ...under('hip.energy_performance.environmental_impact', 'current potential'),
    ...words('paragraphs.paragraph.@id paragraphs.paragraph.@type paragraphs.paragraph.name paragraphs.paragraph.text'),
    ...words('paragraphs.paragraph.file paragraphs.paragraph.file.@ref'),
    ...under('paragraphs.paragraph.dimensions', 'metric imperial mixed'),
    ...words('bullets.bullet bullets.bullet.@id'),
    ...words('files.file.@id files.file.@type files.file.name files.file.url files.file.updated'),
    ...under('summary', 'prop_id lastchanged'),
  ],
  address: words('address.name latitude longitude easting northing'),
  hiddenBecause: 'the setting publier-adresse is not set',
  private: {
    'reference.internal': 'the agency’s own work',
    '@xmlns': 'no fact of the property',
    'summary.url': 'opens with the token of the feed only',
    commission: 'the income of the agency',
    soldprice: 'of a sale that is done',
    solddate: 'of a sale that is done',
    userfield1: 'the agency’s own use, which the format does not explain',
    userfield2: 'the agency’s own use, which the format does not explain',
    vendor: 'the seller',
    landlord: 'the landlord',
    negotiator: 'the format does not say whether a person may be named',
    notes: 'for the agency alone',
  },
});

/** A hidden amount stays private. */
export function toRaw(record: XmlRecord, context: RecordContext): Record<string, unknown> {
  const { price, ...others } = record;
  const shown = price === undefined || isHidden(record) ? others : record;
  return project(shown, context, showsAddress(record, context) === true);
}
