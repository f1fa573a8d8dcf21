import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../apps/ops/src/errors';
import { CONNECTOR_KINDS, type ConnectorKind } from './kinds';

const WHAT: Readonly<Record<ConnectorKind, string>> = {
  xml: 'one XML document',
  zip: 'a ZIP with an XML document',
  api: 'a JSON API, page by page',
  details: 'a JSON API that lists summaries, and serves each listing separately',
  pushed: 'a JSON API that calls when a listing has changed',
  custom: 'one JSON document',
};

/** Returns `xml` without a terminal. @throws UsageError for an unknown answer. */
export async function promptForKind(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  output: NodeJS.WritableStream,
): Promise<ConnectorKind> {
  if (input.isTTY !== true) return 'xml';
  const shapes = CONNECTOR_KINDS.map((kind, index) => `  ${index + 1}  ${kind.padEnd(8)} ${WHAT[kind]}`);
  output.write(`What does the CRM publish?\n${shapes.join('\n')}\n`);
  const lines = createInterface({ input, output });
  const answer = (await lines.question('Shape [1]: ')).trim().toLowerCase();
  lines.close();
  const kind =
    answer === '' ? 'xml' : (CONNECTOR_KINDS.find((one) => one === answer) ?? CONNECTOR_KINDS[Number(answer) - 1]);
  if (kind === undefined) throw new UsageError(`"${answer}" is not one of the shapes`);
  return kind;
}
