import { type ConnectorKind, isWalked, type RecordKind, type RecordNames } from './kinds';

export const LOOKUPS = `// The words of a listing are in libs/domain/src/listing/vocabulary.ts: RentPeriod, the period of a rent, too.
import type { TypeCode, TypeTransaction } from '@passerelle/domain';
import { wordTable } from '../../kit/word-table';

/** Case, accents, hyphens and blanks do not count. */
export const TRANSACTIONS = wordTable<TypeTransaction>({
  sale: 'vente',
  rent: 'location',
});

export const TYPES = wordTable<TypeCode>({
  house: 'maison',
  flat: 'appartement',
  plot: 'terrain',
});
`;

export function specFile(code: string, kind: RecordKind, { record: name }: RecordNames): string {
  const record = kind === 'xml' ? `<${name}><id>7</id>\${inside}</${name}>` : '{"id":"7",${inside}}';
  const price = kind === 'xml' ? "'<price>0</price>'" : `'"price":0'`;
  return `import { join } from 'node:path';
import type { Listing } from '@passerelle/domain';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

/** Maps one record. */
function read(inside: string): Listing {
  const result = readRecord(connector, Buffer.from(\`${record}\`), recordingContext('${code}').context);
  if (!('listing' in result)) throw new Error(JSON.stringify(result));
  return result.listing;
}

it('maps a price of zero as a price on request', () => {
  expect(read(${price})).toMatchObject({ affId: '7', prixSurDemande: true });
});
`;
}

export function readmeFile(code: string, kind: ConnectorKind): string {
  const token =
    '\n| credential | |\n|---|---|\n| `token` | the bearer token of the API |\n\n| setting | default | |\n|---|---|---|\n| `limit` | 100 | listings per page |\n';
  return `# ${code}

What the CRM publishes, on which market, and who else reads it.

## How to add a gateway

The address of the feed; [sources](../../../../../docs/sources.md) says what it may be.
${isWalked(kind) ? token : ''}
## Facts

From where: the vendor's documentation, its version and date.

- Every listing each time; one that is absent is withdrawn.

## Quirks

- A price of zero or none is on request.

## Never published

\`owner\`.

## Open questions

- What no source says.
`;
}
