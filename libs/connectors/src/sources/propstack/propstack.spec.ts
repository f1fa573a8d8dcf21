import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { PROPSTACK_FETCH } from './requests';
import { connector } from './connector';

const fixturesDir = join(__dirname, '__fixtures__');
describeConnector(connector, { fixturesDir });

const [UNIT] = (JSON.parse(readFileSync(join(fixturesDir, 'units.json'), 'utf8')) as { data: [object] }).data;

function read(members: object, settings: Record<string, string> = {}): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('propstack', { settings });
  const record = Buffer.from(JSON.stringify({ ...UNIT, ...members }));
  return { ...readRecord(connector, record, context), warnings };
}

describe('Propstack property', () => {
  const status = (name: string, id = 1): object => ({ property_status: { id, name } });

  it.each([
    [status('Verkauft'), 'property_status: sold'],
    [status('Akquise'), 'property_status: acquisition'],
    [{ property_status: null }, 'property_status: none'],
    [{ archived: true }, 'archived'],
    [{ property_status: { id: 1, name: 'In Vermarktung', nonpublic: true } }, 'property_status: not public'],
  ])('is not shown when it has %j', (members, message) => {
    expect(read(members)).toMatchObject({ message });
  });

  it('is shown with a custom status of the account when the operator allows that status', () => {
    expect(read(status('Website Beispiel'))).toMatchObject({
      ...{ message: 'property_status: unknown', warnings: ['unknown_word property_status.name Website Beispiel'] },
    });
    expect(read(status('Website Beispiel'), { statuts: 'Reserviert, website beispiel' })).toHaveProperty('listing');
    expect(read(status('Website Beispiel', 42), { statuts: '42' })).toHaveProperty('listing');
    expect(read(status('In Vermarktung'), { statuts: 'Website Beispiel' })).toMatchObject({
      message: 'property_status: In Vermarktung',
    });
  });

  it('is under offer when it is reserved', () => {
    expect(read(status('Reserviert'))).toMatchObject({ listing: { sousOffre: true } });
  });

  it.each([
    [{ price_interval_type: 'WEEK' }, { loyer: 1300, loyerPeriode: 'semaine' }, []],
    [{ price_interval_type: 'SEASON' }, {}, ['implausible_value price_interval_type SEASON']],
    [{ price_type: 'PER_SQM' }, {}, ['implausible_value price_type PER_SQM']],
  ])('with %j has the rent %j', (members, expected, expectedWarnings) => {
    const { warnings, ...result } = read({ marketing_type: 'RENT', base_rent: 300, ...members });
    const { loyer, loyerPeriode, prixSurDemande } = (result as { listing: Record<string, unknown> }).listing;
    expect({ loyer, loyerPeriode, prixSurDemande }).toEqual({
      ...{ loyer: undefined, loyerPeriode: undefined, prixSurDemande: undefined },
      ...expected,
    });
    expect(warnings).toEqual(expectedWarnings);
  });

  it('has the rent without and with charges when it is to let', () => {
    expect(read({ marketing_type: 'RENT', base_rent: '900.0', total_rent: 1100, price: 0 })).toMatchObject({
      listing: { typeTransaction: 'location', loyer: 900, loyerHorsCharges: 900, loyerChargesComprises: 1100 },
    });
  });

  it('hides street and position unless hide_address is no', () => {
    for (const hide_address of [true, null, 'x']) {
      const outcome = read({ hide_address, street: 'Verborgene Gasse', lat: 52.51234, lng: 13.41234 });
      expect(JSON.stringify(outcome)).not.toMatch(/Verborgene|52\.5123/);
    }
  });

  it.each([null, 7, 'x', [], { x: 1 }])('is accepted when it has members that are %j', (value) => {
    const names = ['images', 'broker', 'price', 'living_space', 'street', 'title', 'energy_efficiency_class'];
    expect(read(Object.fromEntries(names.map((name) => [name, value])))).toHaveProperty('listing.affId', '101');
  });
});

describe('Propstack answer for one property', () => {
  it('returns the values of members that consist of a label and a value', () => {
    const unit = { id: 7, living_space: { label: 'Wohnfläche', value: 80 }, property_status: { id: 1, name: 'Aktiv' } };
    const document = PROPSTACK_FETCH.document!(Buffer.from(JSON.stringify(unit)), '7').toString();
    expect(JSON.parse(document)).toEqual({
      data: [{ id: 7, living_space: 80, property_status: { id: 1, name: 'Aktiv' } }],
    });
  });

  it.each(['', 'null', '{"errors":["nichts"]}', '<html>'])('is rejected when it is "%s"', (answer) => {
    expect(() => PROPSTACK_FETCH.document!(Buffer.from(answer), '7')).toThrow('Propstack');
  });
});
