import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Connector, TriedSource } from '@passerelle/connectors';
import { Settings } from '@passerelle/settings';
import { UsageError } from '../../apps/ops/src/errors';
import { parseSourceOption } from '../../apps/ops/src/options/source-options';
import { sourcePolicyOf } from '../../apps/ops/src/running-instance';

/** Private addresses must be allowed as usual. @throws UsageError */
export function openSource(
  connector: Connector,
  place: string,
  environment: Readonly<Record<string, string | undefined>>,
): TriedSource {
  const allowPrivate = new Set(new Settings(environment).get('ALLOW_PRIVATE_SOURCES'));
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(place) && !place.startsWith('file:');
  if (isAddress) {
    const url = parseSourceOption(place, connector, sourcePolicyOf(environment));
    return { url, isFile: false, inboxDir: '.', allowPrivate };
  }
  const path = resolve(place.replace(/^file:(\/\/)?/, ''));
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw new UsageError(`there is no file ${place}`);
  const url = `file:${encodeURIComponent(basename(path))}`;
  return { url, isFile: true, inboxDir: dirname(path), allowPrivate };
}
