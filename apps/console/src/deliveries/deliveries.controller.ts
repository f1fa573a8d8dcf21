import { Controller, Get, Query } from '@nestjs/common';
import { OutboxLog } from '@passerelle/database';
import { DELIVERY_KINDS, type DeliveryKind } from '@passerelle/domain';
import { wordFilter } from '../access/filters';
import type { Fields } from '../access/form';
import { type Visit, Visiting } from '../layout/page';
import { deliveriesPage, SHOWN_DELIVERIES } from './deliveries-page';

/** Everything that goes to outside systems, and whether it has arrived. */
@Controller()
export class DeliveriesController {
  constructor(private readonly log: OutboxLog) {}

  @Get('deliveries')
  async list(@Visiting() visit: Visit, @Query() query: Fields): Promise<string> {
    return this.show(visit, wordFilter(visit, query, 'kind', DELIVERY_KINDS) ?? 'lead');
  }

  /** The address of enquiries in earlier releases. */
  @Get('leads')
  async leads(@Visiting() visit: Visit): Promise<string> {
    return this.show(visit, 'lead');
  }

  private async show(visit: Visit, kind: DeliveryKind): Promise<string> {
    const [deliveries, waiting] = await Promise.all([
      this.log.list(kind, SHOWN_DELIVERIES),
      this.log.countWaiting(kind),
    ]);
    return deliveriesPage(visit, kind, deliveries, waiting);
  }
}
