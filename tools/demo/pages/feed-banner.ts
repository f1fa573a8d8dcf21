import { type Html, html } from '@passerelle/html';
import type { Feed } from '../read-api';
import { FEED_WORDS, inMoments } from '../labels';

export function feedBanner({ state, since, reason, confirmed_at, published_at, next_run_at }: Feed): Html {
  return html`<div class="feed ${state}" role="status">
    <p>
      <strong>${FEED_WORDS[state]}</strong>${
        // For a fresh list, the times below already show the confirmation.
        since === null || state === 'fresh' ? null : html` depuis le ${moment(since)}`
      }
    </p>
    ${reason === null ? null : html`<p lang="en">${reason.message}</p>`}
    <p class="times">
      ${[
        confirmed_at === null ? null : html`<span>Confirmé le ${moment(confirmed_at)}</span> `,
        published_at === null ? null : html`<span>Liste du ${moment(published_at)}</span> `,
        next_run_at === null ? null : html`<span>Prochaine lecture le ${moment(next_run_at)}</span>`,
      ]}
    </p>
  </div>`;
}

function moment(iso: string): Html {
  return html`<time datetime="${iso}">${inMoments(iso)}</time>`;
}
