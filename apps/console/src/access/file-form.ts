import { BadRequestException } from '@nestjs/common';
import { decodeCsv } from '@passerelle/operations';
import type { FastifyRequest } from 'fastify';
import type { Fields } from './form';

/** Parses a form with a file, whose bytes become the text of its field. The body is limited, and is in memory. */
export async function parseFileForm({ headers }: FastifyRequest, body: Buffer): Promise<Fields> {
  try {
    const type = headers['content-type'] ?? '';
    // The method suits small bodies, which the limit on bodies guarantees here.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    const fields: Record<string, string> = {};
    for (const [name, value] of form)
      fields[name] = typeof value === 'string' ? value : decodeCsv(new Uint8Array(await value.arrayBuffer()));
    return fields;
  } catch (error) {
    throw new BadRequestException('the form cannot be read', { cause: error });
  }
}
