import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReportIntake } from './report-intake';

/** `POST /v1/report`, and `POST /report` of v0, which means the same. */
@Controller()
export class ReportController {
  constructor(private readonly intake: ReportIntake) {}

  @Post(['v1/report', 'report'])
  @HttpCode(200)
  report(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.intake.take(request, reply);
  }
}
