import { Controller, Get, Inject } from '@nestjs/common';
import { Connectors } from '@passerelle/database';
import type { ConsoleConfig } from '../config';
import { GatewayBoard } from '../board/gateway-board';
import { type Visit, Visiting } from '../layout/page';
import { CONFIG } from '../tokens';
import { aboutPage } from './about-page';
import { overviewPage } from './overview-page';
import { problemsPage } from './problems-page';

const SHOWN_RUNS = 10;

@Controller()
export class HomeController {
  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    private readonly board: GatewayBoard,
    private readonly connectors: Connectors,
  ) {}

  @Get()
  async overview(@Visiting() visit: Visit): Promise<string> {
    const [table, installation, newest, outcomes, days, waitingLeads] = await Promise.all([
      this.board.table(),
      this.board.installation(),
      this.board.runs(),
      this.board.outcomes(),
      this.board.days(),
      this.board.waitingLeads(),
    ]);
    const shown = { table, installation, outcomes, days, waitingLeads, newest: newest.slice(0, SHOWN_RUNS) };
    return overviewPage(visit, shown);
  }

  @Get('problems')
  async problems(@Visiting() visit: Visit): Promise<string> {
    return problemsPage(visit, await this.board.problems());
  }

  @Get('about')
  async about(@Visiting() visit: Visit): Promise<string> {
    const { url, refreshEverySeconds, settings } = this.config;
    const [connectors, storage, outcomes, installation] = await Promise.all([
      this.connectors.list(),
      this.board.storage(),
      this.board.outcomes(),
      this.board.installation(),
    ]);
    return aboutPage(visit, { url, refreshEverySeconds, settings, connectors, storage, outcomes, installation });
  }
}
