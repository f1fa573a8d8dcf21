import { Controller, Get } from '@nestjs/common';
import { LeadList } from '@passerelle/database';
import { type Visit, Visiting } from '../layout/page';
import { leadsPage } from './leads-page';

const SHOWN = 200;

/** What visitors wrote to agencies, and whether it has arrived. */
@Controller('leads')
export class LeadPagesController {
  constructor(private readonly leads: LeadList) {}

  @Get()
  async list(@Visiting() visit: Visit): Promise<string> {
    const [leads, waiting] = await Promise.all([this.leads.list(SHOWN), this.leads.countWaiting()]);
    return leadsPage(visit, leads, waiting);
  }
}
