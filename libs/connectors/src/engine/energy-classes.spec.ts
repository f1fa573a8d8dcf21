import { ENERGY_SCALES, type EnergyFigure, type EnergyQuantity, type EnergyScaleName } from '@passerelle/domain';
import type { Connector } from '../kit/contracts';
import { readRecords, type RecordResult } from '../../../../test/support/connectors/read-records';
import { connector as apimo } from '../sources/apimo/connector';
import { connector as idealista } from '../sources/idealista/connector';
import { connector as immobiliare } from '../sources/immobiliare/connector';
import { connector as inmovilla } from '../sources/inmovilla/connector';
import { connector as kyero } from '../sources/kyero/connector';
import { connector as onoffice } from '../sources/onoffice/connector';
import { connector as openimmo } from '../sources/openimmo/connector';
import { connector as poliris } from '../sources/poliris/connector';
import { connector as realworks } from '../sources/realworks/connector';
import { connector as ubiflow } from '../sources/ubiflow/connector';
import { connector as whise } from '../sources/whise/connector';

/** The classes in a record: for consumption, and for emissions when the format has a field. */
interface Written {
  id: string;
  pays: string;
  cp: string;
  use: string;
  emissions: string;
}

interface Format {
  connector: Connector;
  file(records: readonly Written[]): string;
  hasEmissions?: true;
  /** How the format writes a class, if it differs from the certificate. */
  writes?(use: string): string;
  settings?(pays: string): Record<string, string>;
}

const WHISE_COUNTRIES: Readonly<Record<string, number>> = {
  ...{ BE: 1, NL: 2, FR: 3, DE: 4, LU: 5, GB: 6, ES: 7, IT: 8, PT: 9, CH: 20, AT: 23 },
};

function row(cells: Readonly<Record<number, string>>): string {
  return `"${Array.from({ length: 334 }, (_, index) => cells[index + 1] ?? '').join('"!#"')}"\r\n`;
}

const element = (name: string, text: string): string => (text === '' ? '' : `<${name}>${text}</${name}>`);

const FORMATS: readonly Format[] = [
  {
    connector: apimo,
    hasEmissions: true,
    file: (records) =>
      JSON.stringify({
        properties: records.map(({ id, pays, cp, use, emissions }) => ({
          ...{ id, country: pays, city: { zipcode: cp }, category: 1, type: 1, step: 1, status: 1 },
          regulations: [{ type: 50, value: use }, ...(emissions === '' ? [] : [{ type: 52, value: emissions }])],
        })),
      }),
  },
  {
    connector: idealista,
    hasEmissions: true,
    file: (records) =>
      JSON.stringify({
        customerCountry: 'Spain',
        customerProperties: records.map(({ id, pays, cp, use, emissions }) => ({
          propertyCode: id,
          propertyAddress: { addressCountry: pays, addressPostalCode: cp },
          propertyFeatures: {
            featuresEnergyCertificateRating: use,
            ...(emissions !== '' && { featuresEnergyCertificateEmissionsRating: emissions }),
          },
        })),
      }),
  },
  {
    connector: immobiliare,
    file: (records) =>
      `<feed><properties>${records
        .map(
          ({ id, pays, cp, use }) =>
            `<property><unique-id>${id}</unique-id><location><country-code>${pays}</country-code>` +
            `<locality><postal-code>${cp}</postal-code></locality></location>` +
            `<features><energy-class value="${use}"/></features></property>`,
        )
        .join('')}</properties></feed>`,
  },
  {
    connector: inmovilla,
    hasEmissions: true,
    settings: (pays) => ({ pays }),
    file: (records) =>
      `<propiedades>${records
        .map(
          ({ id, cp, use, emissions }) =>
            `<propiedad><id>${id}</id><cp>${cp}</cp><energialetra>${use}</energialetra>` +
            `${element('emisionesletra', emissions)}</propiedad>`,
        )
        .join('')}</propiedades>`,
  },
  {
    connector: kyero,
    hasEmissions: true,
    file: (records) =>
      `<root>${records
        .map(
          ({ id, pays, cp, use, emissions }) =>
            `<property><id>${id}</id><country>${pays}</country><postcode>${cp}</postcode><energy_rating>` +
            `<consumption>${use}</consumption>${element('emissions', emissions)}</energy_rating></property>`,
        )
        .join('')}</root>`,
  },
  {
    connector: onoffice,
    file: (records) =>
      JSON.stringify({
        total: records.length,
        estates: records.map(({ id, pays, cp, use }) => ({
          id,
          elements: { veroeffentlichen: '1', land: pays, plz: cp, energyClass: use },
        })),
      }),
  },
  {
    connector: openimmo,
    file: (records) =>
      `<openimmo><uebertragung umfang="VOLL"/><anbieter><openimmo_anid>A</openimmo_anid>${records
        .map(
          ({ id, pays, cp, use }) =>
            `<immobilie><geo><plz>${cp}</plz><land iso_land="${pays}"/></geo><zustand_angaben><energiepass>` +
            `<wertklasse>${use}</wertklasse></energiepass></zustand_angaben>` +
            `<verwaltung_techn><openimmo_obid>${id}</openimmo_obid></verwaltung_techn></immobilie>`,
        )
        .join('')}</anbieter></openimmo>`,
  },
  {
    connector: poliris,
    hasEmissions: true,
    file: (records) =>
      records
        .map(({ id, pays, cp, use, emissions }) =>
          row({ 1: 'A', 2: id, 3: 'Vente', 5: cp, 7: pays, 177: use, 179: emissions }),
        )
        .join(''),
  },
  {
    connector: realworks,
    writes: (use) =>
      use.replace(/^([^+]*)(\++)$/, (_all, base: string, pluses: string) => `${base}_${'P'.repeat(pluses.length)}`),
    file: (records) =>
      JSON.stringify({
        resultaten: records.map(({ id, pays, cp, use }) => ({
          ...{ id: Number(id), actief: true, adres: { land: pays, postcode: cp } },
          algemeen: { energieklasse: use },
        })),
      }),
  },
  {
    connector: ubiflow,
    hasEmissions: true,
    file: (records) =>
      `<annonces>${records
        .map(
          ({ id, pays, cp, use, emissions }) =>
            `<annonce id="${id}"><bien><pays>${pays}</pays><code_postal>${cp}</code_postal><diagnostiques>` +
            `<dpe_etiquette_conso>${use}</dpe_etiquette_conso>${element('dpe_etiquette_ges', emissions)}` +
            `</diagnostiques></bien></annonce>`,
        )
        .join('')}</annonces>`,
  },
  {
    connector: whise,
    file: (records) =>
      JSON.stringify({
        totalCount: records.length,
        estates: records.map(({ id, pays, cp, use }) => ({
          ...{ id, country: { id: WHISE_COUNTRIES[pays] }, zip: cp, energyClass: use, status: { id: 1 } },
        })),
      }),
  },
];

const SCALES = Object.keys(ENERGY_SCALES) as EnergyScaleName[];
const POSTCODES: Partial<Record<EnergyScaleName, string>> = { 'BE-VLG': '9000', 'BE-WAL': '4000', 'BE-BRU': '1000' };
/** Every class of every scale, and words that belong to no scale. */
const WORDS = [
  ...new Set([
    ...SCALES.flatMap((scale): readonly string[] => ENERGY_SCALES[scale].classes),
    'J',
    'A5',
    'A+++++',
    'B/C',
  ]),
];
/** Certificates of these countries have no emissions class, so the formats with such a field drop it. */
const WITHOUT_EMISSIONS: Readonly<Record<string, readonly string[]>> = { idealista: ['IT', 'PT'], inmovilla: ['PT'] };

const classesIn = (result: RecordResult | undefined): [EnergyQuantity, string | undefined][] =>
  result !== undefined && 'listing' in result
    ? (result.listing.energie ?? []).map(({ grandeur, classe }: EnergyFigure) => [grandeur, classe])
    : [];

describe.each(FORMATS.map((format) => [format.connector.code, format] as const))(
  'energy certificate reader for %s records',
  (code, { connector, file, settings, hasEmissions, writes = (use) => use }) => {
    const places = SCALES.filter((scale) => code !== 'whise' || ENERGY_SCALES[scale].countries[0] in WHISE_COUNTRIES);

    it.each(places)('keeps each class of %s unchanged, and warns about every other word', async (scale) => {
      const { countries, classes: known, quantities } = ENERGY_SCALES[scale];
      const [pays] = countries;
      const classes: readonly string[] = known;
      const emissionsCarry =
        hasEmissions === true &&
        (quantities as readonly EnergyQuantity[]).includes('emissions') &&
        WITHOUT_EMISSIONS[code]?.includes(pays) !== true;
      const [first, last] = [classes[0]!, classes.at(-1)!];
      const records = WORDS.map((use, place): Written => {
        // An emissions class that differs from the consumption class.
        const emissions = emissionsCarry ? (use === first ? last : first) : '';
        return { id: String(place + 1), pays, cp: POSTCODES[scale] ?? '1000', use, emissions };
      });
      const written = records.map((record) => ({ ...record, use: writes(record.use) }));
      const read = await readRecords(connector, Buffer.from(file(written)), { settings: settings?.(pays) ?? {} });
      const got = records.map(({ use }, place) => [use, classesIn(read.records[place])]);
      expect(got).toEqual(
        records.map(({ use, emissions }) => [
          use,
          [
            ...(classes.includes(use) ? [[quantities[0], use]] : []),
            ...(emissions === '' ? [] : [['emissions', emissions]]),
          ],
        ]),
      );
      const noticed = read.warnings
        .filter((warning) => warning.startsWith('unknown_word'))
        .map((it) => it.split(' ')[2]);
      expect(noticed).toEqual(WORDS.filter((word) => !classes.includes(word)).map(writes));
      const french = read.records.flatMap((one) =>
        'listing' in one ? [one.listing.dpeClasse, one.listing.gesClasse] : [],
      );
      const isFrench = scale === 'FR-DPE';
      expect(new Set(french)).toEqual(new Set(isFrench ? [undefined, ...classes] : [undefined]));
    });
  },
);
