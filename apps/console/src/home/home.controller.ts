import { Controller, Get, Inject } from '@nestjs/common';
import { Connectors, LeadList } from '@passerelle/database';
import { countByState, wantsOf } from '@passerelle/operations';
import type { ConsoleConfig } from '../config';
import { GatewayBoard } from '../board/gateway-board';
import { type Visit, Visiting } from '../layout/page';
import { CONFIG } from '../tokens';
import { aboutPage } from './about-page';
import { overviewPage } from './overview-page';
import { problemsPage } from './problems-page';

const SHOWN_RUNS = 10;

/** How the whole installation stands. */
@Controller()
export class HomeController {
  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    private readonly board: GatewayBoard,
    private readonly leadList: LeadList,
    private readonly connectors: Connectors,
  ) {}

  @Get()
  async overview(@Visiting() visit: Visit): Promise<string> {
    const [rows, broken, newest, outcomes, waitingLeads] = await Promise.all([
      this.board.rows(),
      this.board.broken(),
      this.board.runs(),
      this.board.outcomes(),
      this.leadList.countWaiting(),
    ]);
    return overviewPage(visit, {
      ...{ rows, broken, outcomes, newest: newest.slice(0, SHOWN_RUNS), waitingLeads },
      counts: countByState(rows),
      wants: wantsOf(rows),
    });
  }

  @Get('problems')
  async problems(@Visiting() visit: Visit): Promise<string> {
    return problemsPage(visit, await this.board.problems());
  }

  @Get('about')
  async about(@Visiting() visit: Visit): Promise<string> {
    const { url, refreshEverySeconds, settings } = this.config;
    return aboutPage(visit, { url, refreshEverySeconds, settings, connectors: await this.connectors.list() });
  }
}
