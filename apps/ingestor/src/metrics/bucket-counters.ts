import { Injectable } from '@nestjs/common';
import { Counter, Gauge, type Registry } from 'prom-client';
import { BucketLists } from '../bucket/bucket-lists';

/** What this process has brought into the bucket of lists, for the metrics; zeros without a bucket. */
@Injectable()
export class BucketCounters {
  constructor(private readonly lists: BucketLists) {}

  register(registry: Registry): void {
    const { lists } = this;
    const registers = [registry];
    new Counter({
      name: 'passerelle_pages_bucket_writes_total',
      help: 'Times that this process said of a gateway in the pages bucket where its lists are, and times that the bucket failed',
      ...{ labelNames: ['result'], registers },
      collect() {
        this.reset();
        this.inc({ result: 'written' }, lists.figures.written);
        this.inc({ result: 'failed' }, lists.figures.failed);
      },
    });
    new Counter({
      name: 'passerelle_pages_bucket_reports_total',
      help: 'Reports that came while PostgreSQL did not answer the API: taken in from the pages bucket, or refused for they are not sealed by us',
      ...{ labelNames: ['result'], registers },
      collect() {
        this.reset();
        this.inc({ result: 'taken' }, lists.figures.reports);
        this.inc({ result: 'refused' }, lists.figures.refusedReports);
      },
    });
    new Gauge({
      name: 'passerelle_pages_bucket_waiting',
      help: 'Gateways whose lists wait to be written into the pages bucket by this process',
      registers,
      collect() {
        this.set(lists.waits);
      },
    });
  }
}
