import { AccessRefused, isUrl } from '@passerelle/domain';
import { toFlag } from '../../kit/clean/fold-word';
import type { FeedbackVerb, ListingFeedback } from '../../kit/feedback';
import type { SourceConfig } from '../../kit/source-client';
import { callOf, resultOf, WeblinkError } from './walk';

const PAGE_SETTING = 'page-annonce';
const WEB = /^https?:\/\//i;
const STATUSES: Readonly<Record<ListingFeedback['status'], string>> = {
  ...{ shown: 'AVAILABLE', removed: 'DELETED', rejected: 'ERROR' },
};
/** The length limit for `StatusDescription`. The service does not name one. */
const LONGEST_REASON = 250;

/** `Feedback` of Weblink: a list of publications with a status for each. See README.md. */
export const SKARABEE_FEEDBACK: FeedbackVerb = {
  mostAtOnce: 100,
  isWanted: ({ settings }) => toFlag(settings['retour']) === true,
  request(listings, source) {
    const pageOf = pageIn(source);
    const list = listings.map(({ affId, status, reason }) => ({
      ...{ PublicationID: affId, Status: STATUSES[status] },
      ...(reason !== undefined && { StatusDescription: reason.slice(0, LONGEST_REASON) }),
      ExternalID: affId,
      ...(status === 'shown' && pageOf(affId)),
    }));
    return callOf(source)('Feedback', { FeedbackList: { FeedbackList: { Feedback: list } } });
  },
  confirm(answer) {
    try {
      resultOf(answer, 'Feedback');
      return 'taken';
    } catch (error) {
      if (error instanceof WeblinkError && error.code === 'INVALID_PUBLICATION_ID') return 'unknown';
      throw error;
    }
  },
};

/** @throws AccessRefused when the setting is not an http(s) address with a placeholder for the publication */
function pageIn({ settings }: SourceConfig): (affId: string) => { URL?: string } {
  const template = settings[PAGE_SETTING] ?? '';
  if (template === '') return () => ({});
  const pageOf = (affId: string): string => template.replaceAll('{affId}', encodeURIComponent(affId));
  if (!template.includes('{affId}') || !isUrl(pageOf('1')) || !WEB.test(template))
    throw new AccessRefused(`the setting \`${PAGE_SETTING}\` is no http(s) address with {affId} in it`);
  return (affId) => ({ URL: pageOf(affId) });
}
