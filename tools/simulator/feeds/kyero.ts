import type { TypeCode } from '@passerelle/domain';
import { isRent, type PhotoUrls, type Property } from '../property';
import { AGENCIES } from '../invented-world';

const KIND_WORDS: Partial<Record<TypeCode, readonly string[]>> = {
  appartement: ['apartment', 'penthouse', 'duplex', 'flat'],
  maison: ['villa', 'town_house', 'finca', 'bungalow', 'house', 'country_house'],
  terrain: ['plot', 'land'],
  parking: ['garage'],
  immeuble: ['building'],
  local: ['commercial'],
};

/** A Kyero v3 document. */
export function writeKyeroXml(properties: readonly Property[], photoUrls: PhotoUrls): Buffer {
  const { id, name, email, phone } = AGENCIES.kyero;
  const agent = [
    element('id', id),
    element('name', name),
    element('email', email),
    element('tel', phone),
    '<country>spain</country>',
  ];
  return Buffer.from(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<root>',
      '<kyero><feed_version>3</feed_version></kyero>',
      `<agent>${agent.join('')}</agent>`,
      ...properties.map((property) => writeProperty(property, photoUrls(property))),
      '</root>',
      '',
    ].join('\n'),
  );
}

function writeProperty(property: Property, photos: readonly string[]): string {
  return `<property>
${element('id', property.id)}${element('date', property.modifiedAt)}${element('ref', property.reference)}
${element('price', property.price ?? 'x')}<currency>EUR</currency>${element('price_freq', isRent(property) ? 'month' : 'sale')}
<part_ownership>0</part_ownership><leasehold>0</leasehold>${element('new_build', property.isNew ? 1 : 0)}
${element('type', kindWord(property))}
${element('town', property.town.name)}${element('province', property.town.region)}<country>spain</country>
${property.variant % 2 === 0 ? element('postcode', property.town.postcode) : ''}${element('location_detail', property.district)}
<location>${element('latitude', property.town.latitude)}${element('longitude', property.town.longitude)}</location>
${element('beds', property.bedrooms ?? 0)}${element('baths', property.bathrooms ?? 0)}${element('pool', property.pool ? 1 : 0)}
<surface_area>${element('built', property.surfaceM2 ?? 0)}${element('plot', property.plotM2 ?? 0)}</surface_area>
${writeEnergy(property)}
<desc>
<en><![CDATA[<p>Fictitious property in ${property.town.name}.</p>]]></en>
<es>${escaped(`Inmueble ficticio en ${property.town.name}.`)}</es>
${writeFrench(property)}
</desc>
<features>${[property.pool && 'pool', property.terrace && 'terrace', property.elevator && 'lift']
    .filter((word) => word !== false)
    .map((word) => element('feature', word))
    .join('')}</features>
${element('email', property.variant % 3 === 0 ? property.negotiator.email : null)}<notes>PRIVATE-NOTE-${String(property.id)}</notes>
<images>${photos.map((url, index) => `<image id="${String(index + 1)}">${element('url', url)}</image>`).join('')}</images>
</property>`;
}

function kindWord({ kind, rooms, variant }: Property): string {
  if (kind === 'appartement' && rooms === 1) return 'studio';
  const words = KIND_WORDS[kind] ?? ['villa'];
  return words[variant % words.length]!;
}

/** Some CRMs write CDATA with markup, others escaped markup. */
function writeFrench(property: Property): string {
  if (property.variant % 2 === 0) return `<fr>${escaped(property.text.join('\n'))}</fr>`;
  return `<fr><![CDATA[${property.text.map(escaped).join('<br />')}]]></fr>`;
}

function writeEnergy({ energy }: Property): string {
  if (energy === null) return '<energy_rating><consumption>X</consumption><emissions></emissions></energy_rating>';
  return `<energy_rating>${element('consumption', energy.classe)}${element('emissions', energy.gesClasse)}</energy_rating>`;
}

function element(name: string, value: string | number | null): string {
  return value === null ? '' : `<${name}>${escaped(String(value))}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
