import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiError } from '@passerelle/domain';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { CONFIG } from '../tokens';

const SECURITY_PATH = '/.well-known/security.txt';

const DAY_MS = 24 * 3600 * 1000;
/** How long the statement may be used. RFC 9116 recommends less than a year. */
const HOLDS_DAYS = 180;

/** The contact for vulnerabilities of this installation (RFC 9116). */
@Controller()
export class SecurityController {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'securityContact' | 'baseUrl'>,
    private readonly clock: Clock,
  ) {}

  @Get(SECURITY_PATH)
  @Header('content-type', 'text/plain; charset=utf-8')
  security(): string {
    const { securityContact, baseUrl } = this.config;
    if (securityContact === null) throw new ApiError('NOT_FOUND', 'There is no such endpoint.');
    const today = Math.floor(this.clock.nowMs() / DAY_MS) * DAY_MS;
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(today + HOLDS_DAYS * DAY_MS).toISOString()}`,
      `Preferred-Languages: en, fr`,
      ...(baseUrl.startsWith('https://') ? [`Canonical: ${baseUrl}${SECURITY_PATH}`] : []),
    ];
    return `${lines.join('\n')}\n`;
  }
}
