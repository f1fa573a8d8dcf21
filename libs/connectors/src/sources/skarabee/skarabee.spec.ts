import { join } from 'node:path';
import { AccessRefused, BadFeed, type Listing } from '@passerelle/domain';
import { elementText, soapRequest, soapResult } from '../../formats/soap';
import { parseXmlElement } from '../../formats/xml-element';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';
import { SKARABEE_WALK } from './walk';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

const INFO = '<ID>7</ID><HidePrice>false</HidePrice>';

function result(property: string, info = ''): RecordResult {
  const bytes = Buffer.from(`<Publication><Info>${INFO}${info}</Info><Property>${property}</Property></Publication>`);
  return readRecord(connector, bytes, recordingContext('skarabee').context);
}
const read = (property: string, info?: string): Listing => (result(property, info) as { listing: Listing }).listing;

describe('Skarabee status', () => {
  it.each([
    ['SOLD', 'FOR_SALE'],
    ['FOR_SALE', 'SOLD_DEED_EXECUTED'],
    ['FOR_RENT', 'RENTED_WITH_CONTRACT'],
    ['FOR_RENT', 'PREPARATION_FOR_RENT'],
    ['FOR_SALE_ORDER_ENDED', 'UNDEFINED'],
    ['PROSPECT_FOR_SALE', ''],
  ])('%s with %s withdraws the listing', (status, flow) => {
    expect(result(`<Status>${status}</Status><FlowStatus>${flow}</FlowStatus>`)).toMatchObject({ withdrawn: '7' });
  });

  it.each([
    ['OPTION_FOR_RENT', 'FOR_RENT', true],
    ['FOR_SALE', 'SOLD_UNDER_RESERVE', true],
    ['FOR_SALE', 'FOR_SALE_WITH_BID', undefined],
    ['FOR_SALE', 'OF_TOMORROW', undefined],
  ])('%s with %s marks the listing as under offer: %s', (status, flow, sousOffre) => {
    expect(read(`<Status>${status}</Status><FlowStatus>${flow}</FlowStatus>`).sousOffre).toBe(sousOffre);
  });
});

describe('Skarabee price', () => {
  it.each([
    ['<HidePrice>true</HidePrice>', ''],
    ['', '<PriceIndication>ON_REQUEST</PriceIndication>'],
  ])('is omitted when it is hidden, in the raw record too: %s%s', (info, indication) => {
    const bytes = Buffer.from(
      `<Publication><Info><ID>7</ID>${info}</Info><Property><Status>FOR_SALE</Status>${indication}<Price>777123</Price><Financials><SalePrice><Amount Value="777123" Minimum="1" Maximum="2"/></SalePrice></Financials></Property></Publication>`,
    );
    const { listing, raw } = readRecord(connector, bytes, recordingContext('skarabee').context) as {
      listing: Listing;
      raw: object;
    };
    expect(listing).toMatchObject({ prixSurDemande: true });
    expect(JSON.stringify([listing, raw])).not.toContain('777123');
  });

  it.each([
    ['1250.000', 1250],
    ['1250,5', 1250.5],
    ['-1', undefined],
  ])('of %s is read as %s', (price, prix) => {
    expect(read(`<Status>FOR_SALE</Status><Price>${price}</Price>`).prix).toBe(prix);
  });
});

const NAMESPACE = 'http://weblink.skarabee.com/';
const CALL = { url: 'https://crm.example/weblink.asmx', namespace: NAMESPACE, operation: 'GetPublication' };

describe('Skarabee SOAP envelope', () => {
  it('contains the escaped parameters of a call in their order', () => {
    const parameters = { LastModified: null, Types: { Type: ['A', '<B>&"'] }, Own: false };
    const { body = '', headers, method } = soapRequest({ ...CALL, parameters, headers: { a: 'b' } });
    expect([method, headers?.['a'], headers?.['content-type']]).toEqual([
      'POST',
      'b',
      'application/soap+xml; charset=utf-8; action="http://weblink.skarabee.com/GetPublication"',
    ]);
    expect(parseXmlElement(body)).toEqual({
      Body: { GetPublication: { LastModified: { '@nil': 'true' }, Types: { Type: ['A', '<B>&"'] }, Own: 'false' } },
    });
  });

  const envelope = (body: string, prefix = 'soap:'): Buffer =>
    Buffer.from(
      `<?xml version="1.0"?><${prefix}Envelope xmlns:x="y"><${prefix}Body>${body}</${prefix}Body></${prefix}Envelope>`,
    );
  const answer = (inside: string): string =>
    `<GetPublicationResponse><GetPublicationResult>${inside}</GetPublicationResult></GetPublicationResponse>`;

  it.each(['soap:', 's-12:', ''])('is read with the prefix "%s", without nil elements', (prefix) => {
    const inside = '<A>é</A><B xsi:nil="true"/><L><C/><C xsi:nil="true"/></L>';
    expect(soapResult(envelope(answer(inside), prefix), 'GetPublication', ['L.C'])).toEqual({ A: 'é', L: { C: [''] } });
  });

  it.each([
    [
      'a SOAP fault',
      envelope('<soap:Fault><soap:Reason><soap:Text>Server\n down</soap:Text></soap:Reason></soap:Fault>'),
      'Server down',
    ],
    ['a fault of an older SOAP version', envelope('<Fault><faultstring>Busy</faultstring></Fault>'), 'Busy'],
    ['the answer to another operation', envelope('<GetLoginsResponse/>'), 'no GetPublicationResult'],
    ['an HTML page', Buffer.from('<html><body/></html>'), 'no XML document of <Envelope>'],
    ['a truncated answer', envelope(answer('<A/>')).subarray(0, 90), 'cut or broken'],
    ['nothing', Buffer.from(''), 'no XML document of <Envelope>'],
  ])('is rejected when it contains %s', (_what, bytes, message) => {
    expect(() => soapResult(bytes, 'GetPublication')).toThrow(message);
    expect(() => soapResult(bytes, 'GetPublication')).toThrow(BadFeed);
  });

  it('is written so that the same values are read back', () => {
    const members = { '@ID': 'true', '#text': 'a & <b> "é"', Empty: '', Two: ['1', '2'] };
    expect(parseXmlElement(elementText('X', members))).toEqual(members);
  });

  describe('for a publication and its summary', () => {
    const { record, request, idOf } = SKARABEE_WALK.details!;
    const SUMMARY = Buffer.from('<Publication><Summary><ID>7</ID><Modified>x</Modified></Summary></Publication>');
    const publication = (inside: string): Buffer => envelope(answer(`<Publication>${inside}</Publication>`));

    it('becomes one record without undefined members', () => {
      const inside = '<Info><ID>7</ID></Info><Property><A>UNDEFINED</A><L><T>UNDEFINED</T><T>B</T></L></Property>';
      expect(parseXmlElement(record(SUMMARY, publication(inside)).toString())).toEqual({
        ...{ Info: { ID: '7' }, Property: { L: { T: 'B' } } },
        Summary: { ID: '7', Modified: 'x' },
      });
    });

    it('is rejected when the answer has another publication or none', () => {
      expect(() => record(SUMMARY, publication('<Info><ID>8</ID></Info>'))).toThrow(
        'requested publication 7, and got 8',
      );
      expect(() => record(SUMMARY, envelope(answer('')))).toThrow('no Publication');
    });

    it.each([
      ['INVALID_LINK_LOGIN', AccessRefused],
      ['INACTIVE_USER', AccessRefused],
      ['INVALID_PUBLICATION_ID', BadFeed],
      ['DB_ERROR', BadFeed],
    ])('is rejected when it has the error %s', (code, failure) => {
      const refused = envelope(answer(`<Errors><Error><Code>${code}</Code></Error></Errors>`));
      expect(() => record(SUMMARY, refused)).toThrow(failure);
      expect(() => record(SUMMARY, refused)).toThrow(code);
    });

    it('is requested by the number of the publication, with the login of the list', () => {
      const page = { url: CALL.url, headers: { authorization: 'Basic x', 'content-type': 'of the list' } };
      const summary = { Summary: { ID: '7' } };
      const asked = request(summary, page);
      expect(asked.headers).toMatchObject({
        authorization: 'Basic x',
        'content-type': expect.stringContaining('GetPublication"') as string,
      });
      expect(asked.body).toContain('<PublicationId>7</PublicationId>');
      expect(idOf(summary)).toBe('7');
      expect(() => request({ Summary: { ID: '7<' } }, page)).toThrow('has no ID');
    });
  });
});

it.each(['PER_M2', 'M2_PER_YEAR', 'M2_PER_MONTH'])(
  'Skarabee connector sets only a price per square metre for a property whose price type is %s',
  (kind) => {
    const listing = read(`<Status>FOR_SALE</Status><Price>250</Price><PriceType>${kind}</PriceType>`);
    expect(listing).toMatchObject({ prixMetreCarre: 250 });
    expect(listing).not.toHaveProperty('prix');
  },
);
