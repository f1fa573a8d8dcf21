import { composePlain, type LeadVerb, namesOf, type OutgoingLead, referenceOf } from '../../kit/lead';

/** An e-mail with the OpenImmo feedback document, which CRMs turn into an enquiry. See README.md. */
export const OPENIMMO_LEAD: LeadVerb = {
  kind: 'email',
  compose(lead) {
    const { subject, text } = composePlain(lead);
    return {
      ...{ subject, text },
      attachment: { name: 'openimmo_feedback.xml', type: 'application/xml', content: feedbackOf(lead) },
    };
  },
};

function feedbackOf(lead: OutgoingLead): string {
  const { listing, receivedAt, email, phone, message, pageUrl } = lead;
  const [year, month, day] = receivedAt.slice(0, 10).split('-');
  const { first, last } = namesOf(lead);
  const isRent = listing.typeTransaction === 'location';
  const person = [
    element('int_id', lead.id),
    element('vorname', first),
    element('nachname', last),
    element('tel', phone),
    element('email', email),
    element('bevorzugt', email === undefined ? 'TEL' : 'EMAIL'),
    element('wunsch', 'DETAIL'),
    element('anfrage', message),
  ];
  const property = [
    element('oobj_id', referenceOf(lead)),
    element('expose_url', pageUrl),
    element('vermarktungsart', isRent ? 'Miete' : 'Kauf'),
    element('bezeichnung', listing.intitule),
    element('ort', listing.ville),
    element('interessent', person),
  ];
  const sender = [element('name', 'Passerelle'), element('datum', `${day}.${month}.${year}`)];
  const parts = [element('version', '1.2.7'), element('sender', sender), element('objekt', property)];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<openimmo_feedback>${parts.join('')}</openimmo_feedback>\n`;
}

/**
 * Returns an XML element, or an empty text if there is no content. The texts in a list are finished elements, so they
 * are not escaped.
 */
function element(name: string, content: string | readonly string[] | undefined): string {
  if (content === undefined) return '';
  return `<${name}>${typeof content === 'string' ? escaped(content) : content.join('')}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
