import { RetryLater } from '@passerelle/domain';
import { AdvertRefused, type AdvertStatus, type PortalClient } from '@passerelle/exporters';

interface StoredAdvert {
  portalId: string;
  advertId: string;
  text: string;
  state: 'sent' | 'accepted' | 'online' | 'refused' | 'removed';
}

/** Called before and after each effect at the portal; it may throw. */
export type Fault = (when: 'before' | 'after', verb: string) => void;

/**
 * A portal with an API that keeps state. It takes two adverts with one id, answers asynchronously, refuses texts with
 * "bad" later and texts with "wrong" immediately.
 */
export class PortalSimulator {
  readonly adverts: StoredAdvert[] = [];
  readonly calls: string[] = [];
  /** Adverts that were created while another one with the same id existed. */
  doubles = 0;
  fault: Fault = () => undefined;
  /** Delays a request on its way to the portal. */
  delay: (verb: string) => Promise<void> = () => Promise.resolve();
  onRemove: (advertId: string) => void = () => undefined;

  /** The texts of adverts that the portal has, by our id. */
  get present(): Map<string, string> {
    return new Map(
      this.adverts.filter(({ state }) => state !== 'removed').map(({ advertId, text }) => [advertId, text]),
    );
  }

  /** The adverts that the portal has under one of our ids. */
  shown(advertId: string): StoredAdvert[] {
    return this.adverts.filter((one) => one.advertId === advertId && one.state !== 'removed');
  }

  client(): PortalClient {
    return {
      find: (advertId) => this.call(`find ${advertId}`, () => this.shown(advertId).map(({ portalId }) => portalId)),
      create: (text, advertId) =>
        this.call(`create ${advertId}`, () => {
          assertTaken(text);
          if (this.adverts.some((one) => one.advertId === advertId && one.state !== 'removed')) this.doubles += 1;
          const portalId = `p${this.adverts.length + 1}`;
          this.adverts.push({ portalId, advertId, text, state: 'sent' });
          return portalId;
        }),
      replace: (portalId, text) =>
        this.call(`replace ${portalId}`, () => {
          assertTaken(text);
          const advert = this.of(portalId);
          // A deleted advert takes the text and never comes online.
          if (advert !== undefined && advert.state !== 'removed') Object.assign(advert, { text, state: 'sent' });
          return portalId;
        }),
      remove: (portalId) =>
        this.call(`remove ${portalId}`, () => {
          const advert = this.of(portalId);
          if (advert === undefined || advert.state === 'removed') return;
          this.onRemove(advert.advertId);
          advert.state = 'removed';
        }),
      status: (portalId) => this.call(`status ${portalId}`, () => this.statusOf(portalId)),
    };
  }

  /** The portal removes an advert by itself. */
  removeByItself(advertId: string): void {
    for (const advert of this.adverts) if (advert.advertId === advertId) advert.state = 'removed';
  }

  private of(portalId: string): StoredAdvert | undefined {
    return this.adverts.find((one) => one.portalId === portalId);
  }

  private statusOf(portalId: string): AdvertStatus {
    const advert = this.of(portalId);
    if (advert === undefined || advert.state === 'removed') return { state: 'removed' };
    if (advert.state === 'sent') advert.state = 'accepted';
    else if (advert.state === 'accepted') advert.state = advert.text.includes('bad') ? 'refused' : 'online';
    if (advert.state === 'refused') return { state: 'refused', reason: 'the text is bad' };
    if (advert.state === 'online') return { state: 'online', url: `https://portal.example/${portalId}` };
    return { state: 'accepted' };
  }

  private async call<T>(verb: string, work: () => T): Promise<T> {
    await this.delay(verb);
    this.calls.push(verb);
    this.fault('before', verb);
    const result = work();
    this.fault('after', verb);
    return result;
  }
}

function assertTaken(text: string): void {
  if (text.includes('wrong')) throw new AdvertRefused('the title is wrong');
}

/** The portal did not answer. */
export function noAnswer(): RetryLater {
  return new RetryLater('the portal: no answer within 15 seconds');
}
