import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks allows 24 to 64 bytes. */
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

export interface WebhookHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Generates a secret in the form for its receiver: `whsec_` and Base64. */
export function generateWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Signs as Standard Webhooks defines, once per secret. @param secrets the newest first. @param atMs since 1970 */
export function signWebhook(
  secrets: readonly string[],
  { id, atMs, body }: { id: string; atMs: number; body: string },
): WebhookHeaders {
  const timestamp = String(Math.floor(atMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
