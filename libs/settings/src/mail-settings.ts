import { isMailAddress } from '@passerelle/domain';
import { address, listOf, mailbox } from './kinds';
import { optional, withDefault } from './setting';

const mailAddress = (entry: string): string | null => (isMailAddress(entry) ? entry : null);

export const MAIL_SETTINGS = {
  MAIL_URL: optional(address('smtp', 'smtps'), {
    readBy: ['ingestor'],
    about: 'the mail server for enquiries, `smtps://user:password@host`; without it, enquiries that go by e-mail wait',
    isSecret: true,
  }),
  MAIL_FROM: optional(mailbox, { readBy: ['ingestor'], about: 'their sender: an address, or `Name <a@b.example>`' }),
  NOTIFY_EMAIL: withDefault(listOf(mailAddress, 'e-mail addresses'), [], {
    readBy: ['ingestor'],
    about:
      'e-mail addresses that are notified of held lists, and of gateways that failed three times; `ops notify` adds others',
    fallbackInWords: 'none',
  }),
};
