import type { DutyCounts } from '../listing/law/duty-codes';
import type { RejectionCode } from '../run/rejection';
import { ADVICE, DUTIES, type LetterLanguage, REJECTIONS } from './agency-words';

/** The facts of a gateway for its agency, as the outbox stores them. */
export interface AgencyDigest {
  to: string;
  client: string;
  /** ISO 639-1; other languages than French get English. */
  language: string;
  /** Listings that are online. */
  listings: number;
  duties: DutyCounts;
  /** Records without a listing: examples, and the number of all. */
  rejected: readonly { id: string | null; code: RejectionCode; field: string | null }[];
  rejections: number;
}

/** A letter names at most this number of rejected records. */
export const MOST_REJECTED = 20;

interface Labels {
  subject: (client: string, listings: string) => string;
  online: (listings: string) => string;
  duties: string;
  lack: (listings: string) => string;
  rejected: (records: string) => string;
  nameless: string;
  colon: string;
  field: (name: string) => string;
  more: (count: string) => string;
  fine: string;
  end: string;
}

const LABELS: Readonly<Record<LetterLanguage, Labels>> = {
  fr: {
    subject: (client, listings) => `Vos annonces cette semaine : ${listings} en ligne (${client})`,
    online: (listings) => `Annonces en ligne : ${listings}.`,
    duties: 'Mentions que la loi exige et qui manquent :',
    lack: (listings) => `annonces : ${listings}`,
    rejected: (records) => `Fiches qui ne sont pas en ligne : ${records}.`,
    nameless: 'sans identifiant',
    colon: ' : ',
    field: (name) => `champ ${name}`,
    more: (count) => `… et ${count} autres`,
    fine: 'Rien à corriger.',
    end: 'Corrigez ces points dans votre logiciel : la prochaine lecture les reprend.',
  },
  en: {
    subject: (client, listings) => `Your listings this week: ${listings} online (${client})`,
    online: (listings) => `Listings online: ${listings}.`,
    duties: 'Statements that the law requires and that are missing:',
    lack: (listings) => `listings: ${listings}`,
    rejected: (records) => `Records that are not online: ${records}.`,
    nameless: 'without an identifier',
    colon: ': ',
    field: (name) => `field ${name}`,
    more: (count) => `… and ${count} more`,
    fine: 'Nothing to correct.',
    end: 'Correct this in your software: the next reading takes it over.',
  },
};

/** The weekly letter to an agency, as plain text. */
export function composeAgencyLetter(digest: AgencyDigest): { subject: string; text: string } {
  const language = digest.language === 'fr' ? 'fr' : 'en';
  const { client, listings, duties, rejected, rejections } = digest;
  const labels = LABELS[language];
  const numbers = new Intl.NumberFormat(language === 'fr' ? 'fr-FR' : 'en-GB');
  const missing = Object.entries(duties)
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one);
  const paragraphs = [labels.online(numbers.format(listings))];
  if (missing.length > 0)
    paragraphs.push(
      [labels.duties, ...missing.map(([code, count]) => dutyLine(code, numbers.format(count), language))].join('\n'),
    );
  if (rejections > 0) {
    const lines = rejected.slice(0, MOST_REJECTED).map(({ id, code, field }) => {
      const name = `${id === null ? labels.nameless : inOneLine(id)}${field === null ? '' : ` (${labels.field(field)})`}`;
      return `- ${name}${labels.colon}${REJECTIONS[code][language]}`;
    });
    const more = rejections - lines.length;
    paragraphs.push(
      [
        labels.rejected(numbers.format(rejections)),
        ...lines,
        ...(more > 0 ? [labels.more(numbers.format(more))] : []),
      ].join('\n'),
    );
  }
  paragraphs.push(missing.length + rejections === 0 ? labels.fine : labels.end);
  return { subject: labels.subject(client, numbers.format(listings)), text: paragraphs.join('\n\n') };
}

const LONGEST_ID = 80;

/** The feed chooses identifiers: one must not write lines of its own into the letter. */
function inOneLine(id: string): string {
  return id.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, LONGEST_ID);
}

function dutyLine(code: string, listings: string, language: LetterLanguage): string {
  const duty = DUTIES[code];
  const { lack } = LABELS[language];
  // A newer release may know more duties.
  if (duty === undefined) return `- ${code}, ${lack(listings)}`;
  const advice = duty.advice ?? ADVICE;
  return `- ${duty.name[language]}, ${lack(listings)}. ${advice[language]}`;
}
