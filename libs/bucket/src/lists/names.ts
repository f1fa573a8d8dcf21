/** Where things lie in the bucket of lists. */

export function listFolder(gatewayId: number): string {
  return `lists/${gatewayId}/`;
}

export function pieceName(gatewayId: number, hash: string): string {
  return `${listFolder(gatewayId)}${hash}.texts`;
}

export function indexName(gatewayId: number, hash: string): string {
  return `${listFolder(gatewayId)}${hash}.index`;
}

/** Neither part can hold a slash. */
export function gatewayObject(crm: string, client: string): string {
  return `gateways/${crm}/${client}`;
}

export const REPORTS_FOLDER = 'reports/';
