import { BadFeed } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-element';
import { type LeadVerb, referenceOf } from '../../kit/lead';
import { listOf } from '../../kit/values';
import { callOf, resultOf } from './walk';

/** `InsertContactMes` of Weblink: it is told about one person and one publication. See README.md. */
export const SKARABEE_LEAD: LeadVerb = {
  kind: 'api',
  request(lead, source) {
    const words = lead.name.split(/\s+/);
    const isPublication = lead.affId !== undefined && /^\d+$/.test(lead.affId);
    const reference = isPublication ? undefined : referenceOf(lead);
    const comments = [reference, lead.message, lead.pageUrl].filter((part) => part !== undefined);
    const contact = {
      ExternalReference: lead.id,
      ...(words.length > 1 && { FirstName: words.slice(0, -1).join(' ') }),
      LastName: words.at(-1) ?? '',
      ...(lead.phone !== undefined && { Phone: lead.phone }),
      Comments: comments.join('\n\n'),
      ...(lead.email !== undefined && { Email: lead.email }),
      PublicationID: isPublication ? (lead.affId ?? null) : null,
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
    // What it says may repeat what the visitor wrote.
    const errors = listOf((first['Errors'] as XmlRecord | undefined)?.['string']);
    throw new BadFeed(`Weblink refuses the enquiry, for ${errors.length} reason${errors.length === 1 ? '' : 's'}`);
  },
};
