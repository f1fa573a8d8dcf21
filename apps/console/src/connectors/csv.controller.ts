import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Operator } from '@passerelle/database';
import { type CsvLine, parseGatewayCsv, UnreadableCsv } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { type Fields, textOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { type Visit, Visiting } from '../layout/page';
import { AddedGateways } from './added-gateways';
import { type CheckedLine, csvPage } from './csv-page';

const MOST_CHARACTERS = 200_000;
/** The operator waits while each line's key is generated and its source is sealed. */
const MOST_LINES = 500;

/** Adds many gateways from CSV: first shows the expected result of each line, then adds the valid ones. */
@Controller('gateways/new/csv')
export class CsvController {
  constructor(private readonly added: AddedGateways) {}

  @Get()
  @Needs('operator')
  form(@Visiting() visit: Visit): string {
    return csvPage(visit, { csv: '' });
  }

  @Post()
  @HttpCode(200)
  @Needs('operator')
  async send(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // A chosen file replaces the text.
    const csv = textOf(body, 'file', MOST_CHARACTERS) || textOf(body, 'csv', MOST_CHARACTERS);
    let lines: CsvLine[];
    try {
      lines = parseGatewayCsv(csv);
      if (lines.length > MOST_LINES) throw new UnreadableCsv(`has more than ${MOST_LINES} gateways`);
    } catch (error) {
      if (!(error instanceof UnreadableCsv)) throw error;
      await reply.status(422).send(csvPage(visit, { csv, problem: error.message }));
      return;
    }
    const isToAdd = textOf(body, 'act') === 'add';
    const checked: CheckedLine[] = [];
    for (const line of lines) checked.push(await this.added.ofLine(line, checked, isToAdd ? operator.name : null));
    await reply.send(csvPage(visit, { csv, checked, isDone: isToAdd }));
  }
}
