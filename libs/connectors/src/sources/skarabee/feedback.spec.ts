import { AccessRefused, BadFeed } from '@passerelle/domain';
import { parseXmlElement } from '../../formats/xml-element';
import type { OutgoingLead } from '../../kit/lead';
import { SKARABEE_FEEDBACK } from './feedback';
import { SKARABEE_LEAD } from './lead';

const NIL = { '@nil': 'true' };
const aSource = (settings: Record<string, string> = {}) => ({
  ...{ url: 'https://weblink.example/', credentials: { user: 'u', password: 'p' }, settings },
});
/** The parameters of a call, as the service reads them. */
const parametersOf = ({ body = '' }: { body?: string }, operation: string): unknown =>
  (parseXmlElement(body)['Body'] as Record<string, unknown>)[operation];
const answer = (operation: string, inside: string): string =>
  `<Envelope><Body><${operation}Response><${operation}Result>${inside}</${operation}Result></${operation}Response></Body></Envelope>`;
const failing = (operation: string, code: string): string =>
  answer(operation, `<Errors><Error><Code>${code}</Code></Error></Errors>`);

describe('Skarabee feedback about publications', () => {
  it('has a status for each publication, a URL for each shown publication and a reason for each rejected publication', () => {
    const listings = [
      { affId: '1', status: 'shown' },
      { affId: '2', status: 'removed' },
      { affId: '3', status: 'rejected', reason: `Price: ${'x'.repeat(300)}` },
    ] as const;
    const request = SKARABEE_FEEDBACK.request(
      listings,
      aSource({ 'page-annonce': 'https://site.example/{affId}?x=1' }),
    );
    expect(request.headers?.['content-type']).toContain('action="http://weblink.skarabee.com/Feedback"');
    expect(parametersOf(request, 'Feedback')).toEqual({
      FeedbackList: {
        FeedbackList: {
          Feedback: [
            { PublicationID: '1', Status: 'AVAILABLE', ExternalID: '1', URL: 'https://site.example/1?x=1' },
            { PublicationID: '2', Status: 'DELETED', ExternalID: '2' },
            { PublicationID: '3', Status: 'ERROR', StatusDescription: `Price: ${'x'.repeat(243)}`, ExternalID: '3' },
          ],
        },
      },
    });
  });

  it.each(['https://site.example/', '{affId}', 'ftp://x/{affId}'])(
    'is not sent when the page in the settings is "%s"',
    (page) => {
      const request = () =>
        SKARABEE_FEEDBACK.request([{ affId: '1', status: 'shown' }], aSource({ 'page-annonce': page }));
      expect(request).toThrow(AccessRefused);
      expect(request).toThrow('page-annonce');
    },
  );

  it('is sent when the operator switches it on in the settings', () => {
    expect(['oui', 'yes', 'no', ''].map((retour) => SKARABEE_FEEDBACK.isWanted(aSource({ retour })))).toEqual([
      ...[true, true, false, false],
    ]);
    expect(SKARABEE_FEEDBACK.isWanted(aSource())).toBe(false);
  });

  it('is accepted or rejected according to the answer', () => {
    const confirm = (text: string) => SKARABEE_FEEDBACK.confirm(Buffer.from(text));
    expect(confirm(answer('Feedback', ''))).toBe('taken');
    expect(confirm(failing('Feedback', 'INVALID_PUBLICATION_ID'))).toBe('unknown');
    expect(() => confirm(failing('Feedback', 'DB_ERROR'))).toThrow(BadFeed);
    expect(() => confirm(failing('Feedback', 'INACTIVE_USER'))).toThrow(AccessRefused);
    expect(() => confirm('<html></html>')).toThrow(BadFeed);
  });
});

describe('Skarabee enquiry', () => {
  const CALL: OutgoingLead = {
    ...{ id: 'a-uuid', receivedAt: '2026-11-25T10:00:00Z', listing: { affNum: 'REF 8' } },
    ...{ name: 'Anne-Claire Van Damme', email: 'claire@visiteur.example', phone: '+32 9 000 00 00' },
  };
  const LEAD: OutgoingLead = {
    ...CALL,
    ...{ affId: '4711', message: 'Bonjour & à bientôt <b>', pageUrl: 'https://site.example/4711' },
  };

  it('contains one person and one publication', () => {
    const request = SKARABEE_LEAD.kind === 'api' ? SKARABEE_LEAD.request(LEAD, aSource(), new Date(0)) : {};
    expect(parametersOf(request, 'InsertContactMes')).toEqual({
      ContactMes: {
        ...{ ExternalReference: 'a-uuid', FirstName: 'Anne-Claire Van', LastName: 'Damme', Phone: '+32 9 000 00 00' },
        Comments: 'Bonjour & à bientôt <b>\n\nhttps://site.example/4711',
        ...{ Email: 'claire@visiteur.example', PublicationID: '4711', HouseNumber: NIL, OfficeId: NIL },
      },
    });
  });

  it('contains the known details, and no publication, when it is not about a publication', () => {
    const request =
      SKARABEE_LEAD.kind === 'api' ? SKARABEE_LEAD.request({ ...CALL, name: 'Claire' }, aSource(), new Date(0)) : {};
    expect(parametersOf(request, 'InsertContactMes')).toMatchObject({
      ContactMes: { LastName: 'Claire', Comments: 'REF 8', PublicationID: NIL },
    });
  });

  it('is accepted or rejected according to the answer, and the error does not quote the visitor', () => {
    const confirm = (text: string) => {
      if (SKARABEE_LEAD.kind === 'api') SKARABEE_LEAD.confirm(text, aSource());
    };
    const refused = (...errors: string[]) =>
      answer(
        'InsertContactMes',
        `<InvalidContactMes><InvalidContactMe><Errors>${errors.map((one) => `<string>${one}</string>`).join('')}</Errors></InvalidContactMe></InvalidContactMes>`,
      );
    expect(() => {
      confirm(answer('InsertContactMes', ''));
    }).not.toThrow();
    expect(() => {
      confirm(refused('claire@ is no address'));
    }).toThrow('Weblink refuses the enquiry, for 1 reason');
    expect(() => {
      confirm(refused('a', 'b'));
    }).toThrow('for 2 reasons');
    expect(() => {
      confirm(failing('InsertContactMes', 'INVALID_CONTACTME'));
    }).toThrow('INVALID_CONTACTME');
  });
});
