import type { Database } from '@passerelle/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Door } from '../access/door';
import { CACHE_NEVER, JSON_TYPE } from '../http/response-headers';
import { parseReportRequest } from './report-request';
import { siteUrlOf } from './site-url';

/** Takes reports in, for the v1 and the v0 route alike. */
export class ReportIntake {
  constructor(
    private readonly door: Door,
    private readonly reports: Database['reports'],
  ) {}

  async take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const report = parseReportRequest(request.body);
    // An empty key is an absent one, as in the headers.
    const { gateway } = await this.door.open(request, report, report.key || report.api_key);
    const { status, count = null, message = null } = report;
    const siteUrl = siteUrlOf(report, request.headers['user-agent']);
    const { receivedAt } = await this.reports.save(gateway.id, { status, count, message, siteUrl });
    const { crm, client } = gateway;
    const data = { saved: true, crm, client, status, count, message, cms_url: siteUrl, received_at: receivedAt };
    reply.header('content-type', JSON_TYPE).header('cache-control', CACHE_NEVER);
    reply.send(JSON.stringify({ status: 'success', data, request_id: request.id }));
  }
}
