import type { FeedTrial, ShownListing } from '@passerelle/connectors';
import type { Rejection, Warning } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import { notice, said, section, table } from '../layout/elements';
import type { Visit } from '../layout/page';

const SHOWN_REJECTIONS = 20;

/** The listings that a connector makes from a feed before the gateway is added. */
export function trialSection(visit: Visit, trial: FeedTrial): Html {
  const { texts, number } = visit.language;
  const { trying, run } = texts;
  const { error, incomplete, count, isCut, records } = trial;
  const verdict =
    error !== null
      ? notice('bad', html`${trying.failed} ${said(visit, error)}`)
      : notice(count === 0 ? 'warn' : 'good', trying.found(number(count), number(records), isCut));
  return html`${verdict} ${incomplete === null ? null : notice('warn', said(visit, incomplete))}
  ${count === 0 ? null : section(trying.listings, listingCards(visit, trial.listings))}
  ${trial.rejections.length === 0 ? null : section(run.rejections, rejectionTable(visit, trial.rejections))}
  ${trial.warnings.length === 0 ? null : section(run.warnings, warningTable(visit, trial.warnings))}`;
}

function listingCards({ language }: Visit, listings: readonly ShownListing[]): Html {
  return html`<ul class="listings">
    ${listings.map(({ listing }) => {
      const { affId, intitule, ville, codePostal, prix, loyer, prixCurrency, photos } = listing;
      const photo = photos[0]?.url;
      const rent = loyer === undefined ? null : `${language.money(loyer, prixCurrency)} ${language.texts.run.perMonth}`;
      const amount: Content = prix === undefined ? rent : language.money(prix, prixCurrency);
      return html`<li>
        ${
          photo?.startsWith('https://') === true
            ? html`<img src="${photo}" alt="" loading="lazy" referrerpolicy="no-referrer" />`
            : null
        }
        <div>
          ${intitule ?? affId}<br />${amount === null ? null : html`<strong>${amount}</strong> `}
          <span class="faint">${[codePostal, ville].filter((part) => part !== undefined).join(' ')} · ${affId}</span>
        </div>
      </li>`;
    })}
  </ul>`;
}

function rejectionTable(visit: Visit, rejections: readonly Rejection[]): Html {
  const { texts } = visit.language;
  const { run, why } = texts;
  const more = rejections.length - SHOWN_REJECTIONS;
  return html`${table(
    run.rejections,
    [
      { title: run.position, value: ({ position }) => position, isFigure: true },
      { title: 'Id', value: ({ recordId }) => recordId ?? null },
      { title: run.field, value: ({ field }) => field ?? null },
      { title: run.message, value: ({ message }) => said(visit, message) },
      { title: why.excerpt, value: ({ excerpt }) => (excerpt === undefined ? null : html`<code>${excerpt}</code>`) },
    ],
    rejections.slice(0, SHOWN_REJECTIONS),
    texts.nothing,
  )}
  ${more > 0 ? html`<p class="faint">${run.more(more)}</p>` : null}`;
}

function warningTable({ language: { texts, number } }: Visit, warnings: readonly Warning[]): Html {
  const { run, why, problems } = texts;
  return table(
    run.warnings,
    [
      { title: problems.what, value: ({ code }) => why.warnings[code] },
      { title: run.field, value: ({ field }) => field },
      { title: run.value, value: ({ value }) => html`<code>${value}</code>` },
      { title: run.records, value: ({ count }) => number(count), isFigure: true },
      { title: run.examples, value: ({ examples }) => examples.join(', ') },
    ],
    warnings,
    texts.nothing,
  );
}
