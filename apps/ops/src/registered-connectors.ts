import type { Connector } from '@passerelle/connectors';
import { loadRegistry } from '@passerelle/connectors/operators';

export async function loadConnectors(): Promise<readonly Connector[]> {
  const registry = await loadRegistry();
  return registry.list();
}
