import type { ReportRequest } from './report-request';
import { isHttpAddress } from './site-address';

/** `Product/1.2; https://site`, with or without products before it and anything after it. */
const PRODUCT_AND_URL = /(?:^|[\s(])[^\s;/()]+\/[^\s;()]+ ?; ?(https?:\/\/[^\s;,()<>"]+)/i;

/** The site that a report comes from: `site_url`, else `cms_url`, else what the User-Agent says, else null. */
export function siteUrlOf(report: ReportRequest, userAgent: string | undefined): string | null {
  return report.site_url ?? report.cms_url ?? siteUrlOfUserAgent(userAgent);
}

function siteUrlOfUserAgent(userAgent: string | undefined): string | null {
  const url = PRODUCT_AND_URL.exec(userAgent ?? '')?.[1]?.replace(/[.!?'*]+$/, '');
  return url !== undefined && isHttpAddress(url) ? url : null;
}
