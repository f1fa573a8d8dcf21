import type { ChannelKind, NoticeItem, NotificationData, Trouble } from './notification';

const EVENT_WORDS: Readonly<Record<Trouble['event'], readonly [one: string, several: string]>> = {
  failing: ['fails', 'fail'],
  held: ['waits for a decision', 'wait for a decision'],
  stale: ['is not confirmed in time', 'are not confirmed in time'],
  'contract-ending': ['has a contract that ends soon', 'have contracts that end soon'],
  'key-ending': ['has a key that ends soon', 'have keys that end soon'],
  'export-failing': ['has an export that fails', 'have exports that fail'],
  'export-held': ['has an export that waits for a decision', 'have exports that wait for a decision'],
  duties: ['has listings without a required statement', 'have listings without a required statement'],
  service: ['does not work', 'do not work'],
  backup: ['failed, or is too old', 'failed, or are too old'],
};

const nameOf = ({ crm, client, service }: NoticeItem): string => service ?? `${crm ?? ''}/${client ?? ''}`;

/** A notification in words: a title of one line, and the text. */
export function composeNotification(data: NotificationData): { title: string; text: string } {
  if (data.kind === 'test') return { title: 'Passerelle: a test', text: 'This channel works.' };
  if (data.kind === 'digest') {
    const { gateways, failing, held, stale, runs, added, changed, removed } = data;
    return {
      title: `Passerelle: ${failing + held + stale === 0 ? 'nothing waits' : `${failing} failing, ${held} held, ${stale} stale`}`,
      text:
        `Gateways: ${gateways}. Failing: ${failing}, held: ${held}, stale: ${stale}.\n` +
        `In the last 24 hours: ${runs} runs; listings added: ${added}, changed: ${changed}, removed: ${removed}.`,
    };
  }
  const { items, total } = data;
  const more = total - items.length;
  return {
    title: `Passerelle: ${titleOf(items, total)}`,
    text: [...items.map(lineOf), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'),
  };
}

function titleOf(items: readonly NoticeItem[], total: number): string {
  const [first] = items;
  if (first === undefined) return '';
  const name = nameOf(first);
  const isAlike = items.every(({ event, state }) => event === first.event && state === first.state);
  if (!isAlike) return `${total} reports`;
  const many = `${total} ${first.service === undefined ? 'gateways' : 'services'}`;
  if (first.state === 'recovered') return total === 1 ? `${name} has recovered` : `${many} have recovered`;
  const still = first.state === 'still' ? ' still' : '';
  const [one, several] = EVENT_WORDS[first.event];
  return total === 1 ? `${name}${still} ${one}` : `${many}${still} ${several}`;
}

function lineOf(item: NoticeItem): string {
  const { event, state, reason, since, count } = item;
  const name = nameOf(item);
  if (state === 'recovered') return `${name} has recovered (${event})`;
  const details = [
    ...(event === 'failing' && count > 1 ? [`${count} times in succession`] : []),
    ...(since === null ? [] : [`since ${since.slice(0, 16).replace('T', ' ')} UTC`]),
  ].join(', ');
  const what = EVENT_WORDS[event][0];
  return `${name}${state === 'still' ? ' still' : ''} ${what}${details === '' ? '' : ` (${details})`}${reason === null ? '' : `: ${reason}`}`;
}

/** A reason may quote a source, and Slack reads `<!channel>` as a mention and `<https://…|text>` as a link. */
function plainForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The body of a request to a channel; `webhook` has the data itself. */
export function bodyFor(kind: Exclude<ChannelKind, 'email'>, data: NotificationData, at: string): string {
  const { title, text } = composeNotification(data);
  switch (kind) {
    case 'slack':
      return JSON.stringify({ text: `*${plainForSlack(title)}*\n${plainForSlack(text)}` });
    case 'teams': {
      const body = [
        { type: 'TextBlock', text: title, weight: 'Bolder', wrap: true },
        ...text.split('\n').map((line) => ({ type: 'TextBlock', text: line.replace(/[[\]]/g, '\\$&'), wrap: true })),
      ];
      const content = {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body,
      };
      const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content }];
      return JSON.stringify({ type: 'message', attachments });
    }
    case 'webhook':
      return JSON.stringify({ type: `operator.${data.kind}`, timestamp: at, data: { ...data, title, text } });
  }
}
