import type { Connector } from '@passerelle/connectors';
import { loadRegistry } from '@passerelle/connectors/operators';

/** Every registered connector, by code. */
export async function loadConnectors(): Promise<readonly Connector[]> {
  const registry = await loadRegistry();
  return registry.list();
}
