import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type State = 'inactive' | 'activating' | 'active' | 'failed';
type Job = 'stop' | 'start' | 'restart';

interface Unit {
  state: State;
  /** The second in which the command of a oneshot unit ends, or in which a program finds its database missing. */
  endsAt: number | null;
  restartAt: number | null;
  startedAt: number[];
  downSeconds: number;
}

/** Effects of the commands in the units. */
export interface Machine {
  migrationSeconds: number;
  /** Whether a command that starts in this second finds the database. */
  hasDatabase(second: number): boolean;
}

/** Dependencies whose failure makes the start of a unit fail (systemd.unit(5)). */
const REQUIRING = ['Requires', 'Requisite', 'BindsTo'];
/** Dependencies with which a stop or a restart of one unit also stops or restarts the other. */
const PROPAGATING = ['Requires', 'Requisite', 'BindsTo', 'PartOf'];
const PULLING = ['Requires', 'BindsTo', 'Wants'];
/** systemd's limit for a unit that does not set one. */
const DEFAULT_LIMIT = { seconds: 10, starts: 5 };

/**
 * A model of systemd's jobs, in steps of one second: dependencies, order, restarts and start limits. It reads the unit
 * files of a folder. A unit that the folder does not contain counts as active.
 */
export class SystemdModel {
  /** `stop UNIT` and `start UNIT`, in order. */
  readonly events: string[] = [];
  private now = 0;
  private readonly units = new Map<string, Unit>();
  private readonly jobs = new Map<string, Job>();
  private readonly failedJobs = new Set<string>();
  private files = new Map<string, string>();

  constructor(
    private readonly folder: string,
    private readonly machine: Machine,
  ) {
    this.daemonReload();
  }

  /** Runs a command as `systemctl` does: waits until its jobs have ended. @returns whether they succeeded */
  systemctl(verb: string, ...names: string[]): boolean {
    if (verb === 'daemon-reload') {
      this.daemonReload();
      return true;
    }
    if (verb !== 'start' && verb !== 'restart') throw new Error(`the model does not know systemctl ${verb}`);
    this.failedJobs.clear();
    const asked = names.map((name) => (name.includes('.') ? name : `${name}.service`));
    for (const name of asked) this.enqueue(name, verb);
    while (this.jobs.size > 0) this.wait(1);
    return !asked.some((name) => this.failedJobs.has(name));
  }

  /** Starts the units that are enabled, and waits for no job. */
  boot(...names: string[]): void {
    for (const name of names) this.enqueue(`${name}.service`, 'start');
  }

  wait(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      this.now += 1;
      this.finishCommands();
      this.runJobs();
      for (const unit of this.units.values()) if (unit.state !== 'active') unit.downSeconds += 1;
    }
  }

  isActive(name: string): boolean {
    return this.unit(`${name}.service`).state === 'active';
  }

  /** For how many seconds the unit was not active. */
  downSeconds(name: string): number {
    return this.unit(`${name}.service`).downSeconds;
  }

  private daemonReload(): void {
    this.files = new Map(readdirSync(this.folder).map((file) => [file, readFileSync(join(this.folder, file), 'utf8')]));
  }

  private fileOf(name: string): string | undefined {
    return this.files.get(name) ?? this.files.get(name.replace(/@[^.]*/, '@'));
  }

  private unit(name: string): Unit {
    let unit = this.units.get(name);
    if (unit === undefined) {
      unit = { state: 'inactive', endsAt: null, restartAt: null, startedAt: [], downSeconds: 0 };
      this.units.set(name, unit);
    }
    return unit;
  }

  private valuesOf(name: string, ...directives: string[]): string[] {
    const text = this.fileOf(name) ?? '';
    const lines = [...text.matchAll(/^(\w+)=(.*)$/gm)].filter(([, directive]) => directives.includes(directive!));
    return lines.flatMap(([, , value]) => value!.split(/\s+/).filter((word) => word !== ''));
  }

  private dependents(name: string, ...directives: string[]): string[] {
    return [...this.units.keys()].filter((one) => this.valuesOf(one, ...directives).includes(name));
  }

  private enqueue(name: string, job: Job): void {
    const unit = this.unit(name);
    if (this.jobs.has(name) || (job === 'start' && unit.state === 'active')) return;
    this.jobs.set(name, job);
    unit.restartAt = null;
    if (job !== 'start') {
      for (const other of this.dependents(name, ...PROPAGATING))
        if (this.unit(other).state === 'active') this.enqueue(other, job);
    }
    if (job === 'stop') return;
    for (const other of this.valuesOf(name, ...PULLING))
      if (this.fileOf(other) !== undefined) this.enqueue(other, 'start');
  }

  private runJobs(): void {
    for (let hasChanged = true; hasChanged;) {
      hasChanged = false;
      for (const [name, job] of this.jobs) {
        if (this.unit(name).state === 'activating') continue;
        if (!(job === 'start' ? this.mayStart(name) : this.mayStop(name))) continue;
        hasChanged = true;
        if (job === 'start') this.start(name);
        else this.stop(name, job);
      }
    }
  }

  /** A start waits for each job of the units that come first. */
  private mayStart(name: string): boolean {
    return !this.valuesOf(name, 'After').some((other) => this.jobs.has(other));
  }

  /** A stop waits until the units that come later have stopped. */
  private mayStop(name: string): boolean {
    return !this.dependents(name, 'After').some((other) => this.jobs.has(other) && this.jobs.get(other) !== 'start');
  }

  private stop(name: string, job: Job): void {
    const unit = this.unit(name);
    if (unit.state === 'active') this.events.push(`stop ${name}`);
    Object.assign(unit, { state: 'inactive', endsAt: null });
    if (job === 'restart') this.jobs.set(name, 'start');
    else this.jobs.delete(name);
  }

  private start(name: string): void {
    const unit = this.unit(name);
    if (this.isOverLimit(name, unit)) {
      this.fail(name);
      return;
    }
    unit.startedAt.push(this.now);
    this.events.push(`start ${name}`);
    const isOneshot = this.valuesOf(name, 'Type').includes('oneshot');
    unit.state = isOneshot ? 'activating' : 'active';
    const hasDatabase = this.machine.hasDatabase(this.now);
    if (isOneshot) unit.endsAt = this.now + (hasDatabase ? this.machine.migrationSeconds : 1);
    else {
      // A program without its database ends; with it, it runs until it is stopped.
      unit.endsAt = hasDatabase ? null : this.now + 1;
      this.jobs.delete(name);
    }
  }

  private isOverLimit(name: string, { startedAt }: Unit): boolean {
    const [interval] = this.valuesOf(name, 'StartLimitIntervalSec');
    const seconds = interval === undefined ? DEFAULT_LIMIT.seconds : Number(interval);
    return startedAt.filter((at) => at > this.now - seconds).length >= DEFAULT_LIMIT.starts;
  }

  private finishCommands(): void {
    for (const [name, unit] of this.units) {
      if (unit.endsAt === this.now) {
        unit.endsAt = null;
        if (unit.state === 'activating' && this.machine.hasDatabase(unit.startedAt.at(-1)!)) {
          unit.state = 'active';
          this.jobs.delete(name);
        } else {
          this.fail(name);
          if (this.valuesOf(name, 'Restart').some((value) => value === 'always' || value === 'on-failure'))
            unit.restartAt = this.now + Number(this.valuesOf(name, 'RestartSec')[0] ?? 0);
        }
      }
      if (unit.restartAt !== null && unit.restartAt <= this.now) this.enqueue(name, 'start');
    }
  }

  /** The starts that require this unit fail too, and nothing repeats them. */
  private fail(name: string): void {
    this.unit(name).state = 'failed';
    if (this.jobs.delete(name)) this.failedJobs.add(name);
    for (const other of this.dependents(name, ...REQUIRING)) {
      if (this.jobs.delete(other)) this.failedJobs.add(other);
    }
    for (const other of this.dependents(name, 'BindsTo'))
      if (this.unit(other).state === 'active') this.enqueue(other, 'stop');
  }
}
