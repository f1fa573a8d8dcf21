import { Inject, Injectable } from '@nestjs/common';
import type { ProcessingSlot } from '@passerelle/connectors';
import { WaitQueue } from '@passerelle/domain';
import type { IngestorConfig } from '../config';
import { CONFIG } from '../tokens';

/** Slots for runs whose bytes have arrived; many more runs wait. One connector always leaves a slot to others. */
@Injectable()
export class ProcessingSlots {
  /** The connector of each run that has a slot. */
  private readonly atWork: string[] = [];
  private readonly queue = new WaitQueue();
  private readonly runs = new Set<RunSlot>();
  private isStopping = false;

  constructor(@Inject(CONFIG) private readonly config: Pick<IngestorConfig, 'ingestConcurrency'>) {}

  /** Runs that have a slot. */
  get taken(): number {
    return this.atWork.length;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** The caller must call `end`. @param handOver called at shutdown if the run has no slot */
  open(connector: string, signal: AbortSignal, handOver: () => void = () => undefined): RunSlot {
    const slot = new RunSlot(connector, signal, this, handOver);
    this.runs.add(slot);
    if (this.isStopping) handOver();
    return slot;
  }

  close(slot: RunSlot): void {
    this.runs.delete(slot);
  }

  /** Called at shutdown: runs that wait, for their source or for a slot, are handed over immediately. */
  stop(): void {
    this.isStopping = true;
    for (const slot of this.runs) slot.handOverUnlessAtWork();
  }

  /** If there are enough slots, a run may load data before its bytes arrive without hindering others. */
  get hasForAll(): boolean {
    return this.runs.size <= this.config.ingestConcurrency;
  }

  /** Grants slots in the order of the calls. @throws the signal's reason when it is aborted */
  async acquire(connector: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.queue.wait(() => {
      if (!this.hasFor(connector)) return false;
      this.atWork.push(connector);
      return true;
    }, signal);
  }

  release(connector: string): void {
    this.atWork.splice(this.atWork.indexOf(connector), 1);
    this.queue.wake();
  }

  private hasFor(connector: string): boolean {
    const { ingestConcurrency: count } = this.config;
    const ofConnector = this.atWork.filter((other) => other === connector).length;
    return this.atWork.length < count && ofConnector < Math.max(1, count - 1);
  }
}

export class RunSlot implements ProcessingSlot {
  private isHeld = false;

  constructor(
    private readonly connector: string,
    private readonly signal: AbortSignal,
    private readonly slots: ProcessingSlots,
    private readonly handOver: () => void,
  ) {}

  get mayPrepare(): boolean {
    return this.isHeld || this.slots.hasForAll;
  }

  async enter(): Promise<void> {
    if (this.isHeld) return;
    await this.slots.acquire(this.connector, this.signal);
    this.isHeld = true;
  }

  leave(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.slots.release(this.connector);
  }

  handOverUnlessAtWork(): void {
    if (!this.isHeld) this.handOver();
  }

  end(): void {
    this.leave();
    this.slots.close(this);
  }
}
