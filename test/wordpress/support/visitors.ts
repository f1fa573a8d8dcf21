import { setTimeout as sleep } from 'node:timers/promises';
import type { MailServer } from '../../support/mail-server';
import type { Site } from './site';

const TILES = 'https://tiles.example/{z}/{x}/{y}.png';
const LOOKS = ['/annonces/', '/annonces/?tri=dear&prix_max=900000', '/?rest_route=/passerelle/v1/pins'];
const SUBSCRIBER = 'subscriber@visiteur.example';
const FORM = { psr_name: 'Claire', psr_email: 'claire@visiteur.example', psr_consent: '1', psr_website: '' };

/** Faults that visitors found. */
export interface Complaints {
  /** Pages that failed. */
  failed: string[];
  /** Accepted enquiries that did not arrive, or arrived twice. */
  lost: string[];
  /** Pages that were in two alerts. */
  toldTwice: string[];
}

/**
 * Visitors of a site while a test changes it. They open lists, the map and the sitemap, send enquiries, and subscribe
 * to alerts.
 */
export class Visitors {
  looks = 0;
  private readonly failed: string[] = [];
  private readonly written: string[] = [];
  private isOver = false;
  private readonly visits: Promise<void>;

  private constructor(
    private readonly site: Site,
    private readonly mail: MailServer,
  ) {
    this.visits = this.visit();
  }

  /** The site must be running, and must send its e-mails through `mail`. */
  static async enter(site: Site, mail: MailServer): Promise<Visitors> {
    mail.mails = [];
    await site.php(`global $wpdb;
      Passerelle\\WordPress\\Settings::save(['tiles' => '${TILES}', 'alerts' => 'yes', 'enquiries' => 'email'] + Passerelle\\WordPress\\Settings::all());
      foreach (['searches', 'enquiries'] as $name) $wpdb->query("DELETE FROM {$wpdb->prefix}passerelle_$name");
      Passerelle\\WordPress\\Alerts::add('${SUBSCRIBER}', Passerelle\\WordPress\\Pages::filtersOf([]));
      Passerelle\\WordPress\\Alerts::confirm(Passerelle\\WordPress\\Table::rows("SELECT * FROM {$wpdb->prefix}passerelle_searches")[0]);
      flush_rewrite_rules(); return 1;`);
    return new Visitors(site, mail);
  }

  /** Ends the visits, and delivers the visitors' enquiries and alerts. */
  async leave(): Promise<Complaints> {
    this.isOver = true;
    await this.visits;
    await this.deliver();
    const texts = this.mail.mails.map(({ raw }) => textOf(raw));
    const told = texts.filter((text) => text.includes('deed=end')).flatMap((text) => [...text.matchAll(/^http\S+$/gm)]);
    const pages = told.map(([page]) => page.trim()).filter((page) => !page.includes('deed='));
    return {
      failed: this.failed,
      lost: this.written.filter((message) => texts.filter((text) => text.includes(message)).length !== 1),
      toldTwice: pages.filter((page, at) => pages.indexOf(page) !== at),
    };
  }

  private async visit(): Promise<void> {
    while (!this.isOver) {
      const [list = ''] = await Promise.all(LOOKS.map((path) => this.look(path)));
      const [, page] = /class="psr-card"><a href="([^"]+)"/.exec(list) ?? [];
      if (page !== undefined) await this.write(page);
      await this.deliver();
      await sleep(200);
    }
  }

  private async look(path: string): Promise<string> {
    const answer = await fetch(this.site.url + path);
    const text = await answer.text();
    this.looks += 1;
    if (answer.status >= 500 || /critical error|Fatal error/.test(text))
      this.failed.push(`${path}: ${text.slice(0, 300)}`);
    return text;
  }

  /** The page may no longer exist. Then the site accepts no enquiry. */
  private async write(page: string): Promise<void> {
    const message = `Message ${this.looks} de la visite`;
    const body = new URLSearchParams({ ...FORM, psr_message: message, passerelle_enquiry: '1' });
    const answer = await fetch(page, { method: 'POST', redirect: 'manual', body });
    await answer.arrayBuffer();
    if (answer.headers.get('location')?.includes('enquiry=sent') === true) this.written.push(message);
  }

  /** Simulates the cron job a day later. */
  private async deliver(): Promise<void> {
    await this.site.php(`global $wpdb;
      $wpdb->query("UPDATE {$wpdb->prefix}passerelle_searches SET told_at = NULL, next_try = NULL");
      $wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE '%passerelle\\_from\\_%'");
      Passerelle\\WordPress\\Enquiries::deliver(20); Passerelle\\WordPress\\Alerts::deliver(20); return 1;`);
  }
}

function textOf(raw: string): string {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4);
  const isBase64 = /^Content-Transfer-Encoding: base64/im.test(raw);
  const text = isBase64
    ? Buffer.from(body, 'base64').toString('utf8')
    : body.replace(/=\r\n/g, '').replaceAll('=3D', '=');
  return text.replaceAll('\r', '');
}
