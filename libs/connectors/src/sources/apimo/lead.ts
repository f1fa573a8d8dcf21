import { AccessRefused, BadFeed } from '@passerelle/domain';
import { type LeadVerb, namesOf, propertyNumberOf } from '../../kit/lead';
import { readTarget } from './walk';

/** Sends a lead through the API to the agency of the property. See README.md. */
export const APIMO_LEAD: LeadVerb = {
  kind: 'api',
  request(lead, source) {
    const { base, agencies, headers } = readTarget(source);
    const agency = lead.scope ?? (agencies.length === 1 ? agencies[0] : undefined);
    if (agency === undefined) throw new AccessRefused('the agency of the provider that it is for is not known');
    const { first: firstname, last: lastname } = namesOf(lead);
    const property = propertyNumberOf(lead);
    const body = {
      // The sender's reference. With it Apimo can recognize a lead that is sent twice.
      reference: lead.id,
      ...(firstname !== undefined && { firstname }),
      lastname,
      ...(lead.email !== undefined && { email: lead.email }),
      ...(lead.phone !== undefined && { phone: lead.phone }),
      ...(lead.langue !== undefined && { language: lead.langue }),
      ...(property !== undefined && { property }),
      message: [lead.message, lead.pageUrl].filter((part) => part !== undefined).join('\n\n'),
    };
    return {
      url: `${base}/agencies/${encodeURIComponent(agency)}/leads`,
      method: 'POST',
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
  },
  confirm(answer) {
    // The API does not document its answer. An empty answer is accepted; the page of another server is not.
    if (answer.trim() !== '' && !/^\s*[[{\d"]/.test(answer))
      throw new BadFeed('the API answered with something that is no JSON');
  },
};
