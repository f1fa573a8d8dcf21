import { BadFeed } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-element';
import { type LeadVerb, namesOf, propertyNumberOf, referenceOf } from '../../kit/lead';
import { listOf } from '../../kit/values';
import { callOf, resultOf } from './walk';

/** `InsertContactMes` of Weblink: a message about one person and one publication. See README.md. */
export const SKARABEE_LEAD: LeadVerb = {
  kind: 'api',
  request(lead, source) {
    const { first, last } = namesOf(lead);
    const publication = propertyNumberOf(lead);
    const reference = publication === undefined ? referenceOf(lead) : undefined;
    const comments = [reference, lead.message, lead.pageUrl].filter((part) => part !== undefined);
    const contact = {
      ExternalReference: lead.id,
      ...(first !== undefined && { FirstName: first }),
      LastName: last,
      ...(lead.phone !== undefined && { Phone: lead.phone }),
      Comments: comments.join('\n\n'),
      ...(lead.email !== undefined && { Email: lead.email }),
      PublicationID: publication === undefined ? null : String(publication),
      ...{ HouseNumber: null, OfficeId: null },
    };
    return callOf(source)('InsertContactMes', { ContactMes: contact });
  },
  confirm(answer) {
    const { InvalidContactMes: refused } = resultOf(Buffer.from(answer), 'InsertContactMes', [
      ...['InvalidContactMes.InvalidContactMe', 'InvalidContactMes.InvalidContactMe.Errors.string'],
    ]);
    const [first] = listOf(refused?.InvalidContactMe) as XmlRecord[];
    if (first === undefined) return;
    // The error texts may repeat the visitor's message, so this error contains only the number of texts.
    const errors = listOf((first['Errors'] as XmlRecord | undefined)?.['string']);
    throw new BadFeed(`Weblink refuses the enquiry, for ${errors.length} reason${errors.length === 1 ? '' : 's'}`);
  },
};
