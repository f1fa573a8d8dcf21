import { Controller, Get, HttpCode, HttpException, HttpStatus } from '@nestjs/common';
import { DatabaseConnection } from '@passerelle/database';
import { IngestQueue } from '../queue/ingest-queue';

const ANSWER_TIMEOUT_MS = 2_000;

/** Whether this process lives, and whether it can work. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: DatabaseConnection,
    private readonly queue: IngestQueue,
  ) {}

  @Get('live')
  @HttpCode(HttpStatus.OK)
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(): Promise<{ status: string; database: string; queue: string }> {
    const [database, queue] = await Promise.all([answers(this.database.ping()), answers(this.queue.ping())]);
    const health = { status: database && queue ? 'ok' : 'unavailable', database: word(database), queue: word(queue) };
    if (!database || !queue) throw new HttpException(health, HttpStatus.SERVICE_UNAVAILABLE);
    return health;
  }
}

async function answers(question: Promise<unknown>): Promise<boolean> {
  const tooLate = new Promise<false>((resolve) => {
    setTimeout(resolve, ANSWER_TIMEOUT_MS, false).unref();
  });
  const answer = question.then(
    () => true,
    () => false,
  );
  return Promise.race([answer, tooLate]);
}

function word(isAnswering: boolean): string {
  return isAnswering ? 'ok' : 'unavailable';
}
