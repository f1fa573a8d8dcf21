import type { LeadEmail } from '@passerelle/connectors';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import nodemailer, { type Transporter } from 'nodemailer';
import type { IngestorConfig } from '../../config';
import { CONFIG } from '../../tokens';
import { DeliveryFailed } from '../define-delivery';

/** The e-mail was not sent. The message is one sentence without e-mail addresses. */
class MailFailed extends DeliveryFailed {
  override readonly name = 'MailFailed';
}

export interface Letter extends LeadEmail {
  /** One address, or several that see each other. */
  to: string | readonly string[];
  replyTo?: string;
  /** The id of the message, the same for every attempt, so that duplicates are recognised. */
  id: string;
}

const TIMEOUT_MS = 15_000;
const CONNECTIONS = 3;

/** Sends e-mails through the operator's mail server. No other file uses nodemailer. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter | null;
  private readonly from: string | null;

  constructor(@Inject(CONFIG) { mailUrl, mailFrom }: Pick<IngestorConfig, 'mailUrl' | 'mailFrom'>) {
    this.from = mailFrom;
    this.transport =
      mailUrl === null
        ? null
        : nodemailer.createTransport({
            ...{
              url: mailUrl,
              pool: true,
              maxConnections: CONNECTIONS,
              disableFileAccess: true,
              disableUrlAccess: true,
            },
            ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
          });
  }

  /** @throws MailFailed */
  async send({ to, replyTo, id, subject, text, attachment }: Letter): Promise<void> {
    if (this.transport === null || this.from === null) {
      throw new MailFailed('not sent: this ingestor has no MAIL_URL and MAIL_FROM to send e-mails with');
    }
    const domain = this.from.slice(this.from.lastIndexOf('@') + 1).replace(/>$/, '');
    try {
      await this.transport.sendMail({
        ...{
          from: this.from,
          to: [to].flat().map((address) => ({ name: '', address })),
          subject,
          text,
          messageId: `<${id}@${domain}>`,
        },
        ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
        // Prevents out-of-office replies.
        headers: { 'auto-submitted': 'auto-generated' },
        ...(attachment !== undefined && {
          attachments: [{ filename: attachment.name, contentType: attachment.type, content: attachment.content }],
        }),
      });
    } catch (error) {
      throw new MailFailed(sentenceOf(error), {}, { cause: error });
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/** The server's message may contain addresses, so only its code is passed on. */
function sentenceOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode === 'number') return `the mail server refuses it (${responseCode})`;
  return `the mail server does not answer (${typeof code === 'string' ? code : 'no reason given'})`;
}
