import { PUBLICATION_REASONS, PUBLICATION_STATES } from '@passerelle/domain';
import { closed, integer, type JsonSchema, nullable, string } from './json-schema';

/** Schemas of adverts at portals. */
export const PUBLICATION_SCHEMAS: Record<string, JsonSchema> = {
  Publication: closed('One listing at one placement (a gateway at a portal).', {
    affId: string('The listing.'),
    affNum: nullable('string', 'Its reference.'),
    placement: integer('The placement.'),
    target: string('The portal or format.'),
    state: {
      ...{ type: 'string', enum: PUBLICATION_STATES },
      description:
        'waiting: not sent. sent, accepted: on its way. online: shown. delivered: the last state at portals that answer ' +
        'nothing. refused: the portal does not take it. removing, removed: taken offline.',
    },
    since: { type: 'string', format: 'date-time', description: 'Since when it has this state.' },
    reason_code: nullable('string', `Why it is not shown: ${PUBLICATION_REASONS.join(', ')}.`),
    reason: nullable('string', 'The same in words; for `refused` the words of the portal.'),
    url: nullable('string', 'The page of the advert at the portal.'),
    sent_at: { ...nullable('string', 'When it was last sent.'), format: 'date-time' },
  }),
};
