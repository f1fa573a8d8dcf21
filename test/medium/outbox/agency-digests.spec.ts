import { startMailServer, type MailServer } from '../../support/mail-server';
import { PublishedLists } from '../../support/published-lists';
import { until } from '../../support/waiting';
import { type IngestorUnderTest, startIngestor } from '../ops-port/ingestor-under-test';

/** Monday, 9:00 in Paris. */
const MONDAY = new Date('2026-03-02T08:00:00Z');

// Real: PostgreSQL, the ingestor and its worker, SMTP. Fake: the day of the week.
describe('weekly letter to an agency', () => {
  let mail: MailServer;
  let ingestor: IngestorUnderTest;

  beforeAll(async () => {
    mail = await startMailServer();
    ingestor = await startIngestor({ mailUrl: mail.url, mailFrom: 'Passerelle <ops@gateway.example>' });
  });
  afterAll(async () => {
    await ingestor.close();
    await mail.stop();
  });

  const query = (sql: string, values: unknown[] = []): Promise<unknown> => ingestor.testDatabase.query(sql, values);
  const queued = async (): Promise<number> =>
    ((await query(`SELECT id FROM outbox WHERE kind = 'digest'`)) as unknown[]).length;
  const enqueue = (at: Date): Promise<void> => ingestor.database.agencyDigests.enqueueDue(at);

  it('goes once a week to the address of the gateway, with what is missing and what was rejected', async () => {
    const lists = await PublishedLists.of(ingestor.database, 'agence-du-port');
    await PublishedLists.of(ingestor.database, 'sans-adresse', Buffer.alloc(32, 1)).then((other) =>
      other.publish([{ affId: 'Z' }]),
    );
    await lists.publish([{ affId: 'A' }, { affId: 'B' }]);
    await query(`UPDATE snapshot SET duties = '{"fr-dpe": 2}' WHERE gateway_id = $1`, [lists.gatewayId]);
    await query(
      `INSERT INTO rejection (run_id, position, record_id, field, code, message)
       SELECT max(id), 3, 'C', 'price', 'invalid_value', 'no number' FROM run WHERE gateway_id = $1`,
      [lists.gatewayId],
    );
    await query(
      `UPDATE gateway SET settings = settings || '{"digest-email": "agence@exemple.example"}' WHERE id = $1`,
      [lists.gatewayId],
    );
    await enqueue(new Date(MONDAY.getTime() - 86_400_000));
    await enqueue(new Date(MONDAY.getTime() - 2 * 3_600_000));
    expect(await queued()).toBe(0);
    await enqueue(MONDAY);
    await enqueue(MONDAY);
    expect(await queued()).toBe(1);
    await until(() => Promise.resolve(mail.mails.length > 0));
    const [letter] = mail.mails;
    expect(letter?.to).toEqual(['agence@exemple.example']);
    const text = decoded(letter?.raw ?? '');
    expect(text).toContain('Annonces en ligne : 2.');
    expect(text).toContain('- Classes énergie et climat (DPE), annonces : 2.');
    expect(text).toContain('- C (champ price) : la valeur d’un champ n’est pas valable ; corrigez-la.');
    await query(`UPDATE outbox SET at = at - interval '7 days' WHERE kind = 'digest'`);
    await enqueue(MONDAY);
    expect(await queued()).toBe(2);
  });

  it('does not go to an agency whose gateway is disabled', async () => {
    await query(`DELETE FROM outbox WHERE kind = 'digest'`);
    await query('UPDATE gateway SET enabled = false');
    await enqueue(MONDAY);
    expect(await queued()).toBe(0);
  });
});

/** The text of an e-mail in quoted-printable. */
function decoded(raw: string): string {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4).replaceAll('=\r\n', '');
  return Buffer.from(
    body.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();
}
