import { Inject, Injectable } from '@nestjs/common';
import type { WorkPlace } from '@passerelle/connectors';
import type { IngestorConfig } from '../config';
import { CONFIG } from '../tokens';

interface Waiter {
  connector: string;
  goOn: () => void;
}

/**
 * The places for work on what sources have sent: cutting, mapping, storing, publishing. A process has `INGEST_CONCURRENCY`
 * of them, and many more runs under way, which take one when their bytes are there. One connector leaves a place to others.
 */
@Injectable()
export class WorkPlaces {
  /** Connectors of the runs at work, each as often as it has runs. */
  private readonly atWork: string[] = [];
  private readonly waiters = new Set<Waiter>();
  private readonly runs = new Set<RunPlace>();
  private isStopping = false;

  constructor(@Inject(CONFIG) private readonly config: Pick<IngestorConfig, 'ingestConcurrency'>) {}

  /** Runs that have a place. */
  get taken(): number {
    return this.atWork.length;
  }

  /** Runs that have their bytes and wait for a place. */
  get waiting(): number {
    return this.waiters.size;
  }

  /**
   * For one run. Its `end` must be called.
   *
   * @param signal ends its wait
   * @param handOver called when the process stops while the run has no place
   */
  open(connector: string, signal: AbortSignal, handOver: () => void = () => undefined): RunPlace {
    const place = new RunPlace(connector, signal, this, handOver);
    this.runs.add(place);
    if (this.isStopping) handOver();
    return place;
  }

  close(place: RunPlace): void {
    this.runs.delete(place);
  }

  /** The process stops: runs that wait, for their source or for a place, are handed over at once. */
  stop(): void {
    this.isStopping = true;
    for (const place of this.runs) place.handOverUnlessAtWork();
  }

  /** Whether every run under way could have a place: then none is in another's way by what it loads ahead of its bytes. */
  get hasForAll(): boolean {
    return this.runs.size <= this.config.ingestConcurrency;
  }

  /** In the order in which they ask. @throws the signal's reason when it is aborted */
  async take(connector: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.hasFor(connector)) {
      this.atWork.push(connector);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.waiters.delete(waiter);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        connector,
        goOn() {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiters.add(waiter);
    });
  }

  giveBack(connector: string): void {
    this.atWork.splice(this.atWork.indexOf(connector), 1);
    for (const waiter of this.waiters) {
      if (!this.hasFor(waiter.connector)) continue;
      this.waiters.delete(waiter);
      // It has the place from here on, before it goes on: nobody who comes now overtakes it.
      this.atWork.push(waiter.connector);
      waiter.goOn();
    }
  }

  private hasFor(connector: string): boolean {
    const { ingestConcurrency: count } = this.config;
    const ofConnector = this.atWork.filter((other) => other === connector).length;
    return this.atWork.length < count && ofConnector < Math.max(1, count - 1);
  }
}

/** The place of one run, which it has or has not. */
export class RunPlace implements WorkPlace {
  private isTaken = false;

  constructor(
    private readonly connector: string,
    private readonly signal: AbortSignal,
    private readonly places: WorkPlaces,
    private readonly handOver: () => void,
  ) {}

  /** Whether the run may load what it will work with. */
  get mayPrepare(): boolean {
    return this.isTaken || this.places.hasForAll;
  }

  async enter(): Promise<void> {
    if (this.isTaken) return;
    await this.places.take(this.connector, this.signal);
    this.isTaken = true;
  }

  leave(): void {
    if (!this.isTaken) return;
    this.isTaken = false;
    this.places.giveBack(this.connector);
  }

  handOverUnlessAtWork(): void {
    if (!this.isTaken) this.handOver();
  }

  /** The run is over. */
  end(): void {
    this.leave();
    this.places.close(this);
  }
}
