import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { aFreePort } from './free-port';

/** An e-mail received over SMTP. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body exactly as sent. */
  raw: string;
}

/** An SMTP server that a test can stop, or make refuse e-mails. */
export interface MailServer {
  port: number;
  url: string;
  mails: ReceivedMail[];
  /** The SMTP code for refused e-mails; null if the server accepts them. */
  refusal: number | null;
  stop(): Promise<void>;
  /** Starts the server again on its port. */
  start(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  let server: SMTPServer | null = null;
  const port = await aFreePort();
  const mail: MailServer = {
    ...{ port, url: `smtp://127.0.0.1:${port}`, mails: [], refusal: null },
    async start() {
      server = new SMTPServer({
        ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
        onData(stream, session, done) {
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('end', () => {
            if (mail.refusal !== null) {
              done(Object.assign(new Error('not for <somebody@private.example>'), { responseCode: mail.refusal }));
              return;
            }
            const { mailFrom, rcptTo } = session.envelope;
            mail.mails.push({
              from: mailFrom === false ? '' : mailFrom.address,
              to: rcptTo.map(({ address }) => address),
              raw: Buffer.concat(chunks).toString('utf8'),
            });
            done();
          });
        },
      });
      server.on('error', () => undefined);
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    async stop() {
      const stopping = server;
      server = null;
      if (stopping !== null)
        await new Promise<void>((resolve) => {
          stopping.close(resolve);
        });
    },
  };
  await mail.start();
  return mail;
}
