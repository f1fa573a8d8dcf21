import { BadFeed } from '@passerelle/domain';
import { type LeadVerb, namesOf, propertyNumberOf, referenceOf } from '../../kit/lead';
import { checkAnswer, requestFor, sign } from './api';

function jsonOf(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw new BadFeed('onOffice answered with something that is no JSON');
  }
}

/** As the vendor's website plugin does: the API stores the address and writes to the agent. See README.md. */
export const ONOFFICE_LEAD: LeadVerb = {
  kind: 'api',
  request(lead, source, now) {
    const { first, last } = namesOf(lead);
    const estateid = propertyNumberOf(lead);
    const parameters = {
      addressdata: {
        ...(first !== undefined && { Vorname: first }),
        Name: last,
        ...(lead.email !== undefined && { Email: lead.email }),
        ...(lead.phone !== undefined && { Telefon1: lead.phone }),
      },
      ...(estateid !== undefined && { estateid }),
      message: lead.message ?? '',
      subject: ['Anfrage', referenceOf(lead), lead.listing.intitule].filter((part) => part !== undefined).join(' - '),
      ...(lead.pageUrl !== undefined && { referrer: lead.pageUrl, estateurl: lead.pageUrl }),
      formtype: 'contact',
      estatedata: ['objekttitel', 'ort', 'plz', 'land'],
    };
    return sign(requestFor(source, { action: 'do', resource: 'contactaddress', parameters }), source, now);
  },
  confirm: (answer, source) => void checkAnswer(jsonOf(answer), source),
};
