import { Controller, Get, HttpCode, HttpException, HttpStatus } from '@nestjs/common';
import { DatabaseConnection, SchemaUnfit, SecretsKeyCheck, SecretsKeyUnfit, StoredTimes } from '@passerelle/database';
import { IngestQueue } from '../queue/ingest-queue';

const ANSWER_TIMEOUT_MS = 2_000;

@Controller('health')
export class HealthController {
  constructor(
    private readonly database: DatabaseConnection,
    private readonly secretsKey: SecretsKeyCheck,
    private readonly queue: IngestQueue,
    private readonly times: StoredTimes,
  ) {}

  @Get('live')
  @HttpCode(HttpStatus.OK)
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(): Promise<{ status: string; database: string; queue: string; clock: string }> {
    const [database, queue, clock] = await Promise.all([
      answers(this.state()),
      this.queue.state(),
      answers(this.clockState()),
    ]);
    const isReady = database === 'ok' && queue === 'ok' && clock === 'ok';
    const health = { status: isReady ? 'ok' : 'unavailable', database, queue, clock };
    if (!isReady) throw new HttpException(health, HttpStatus.SERVICE_UNAVAILABLE);
    return health;
  }

  private async clockState(): Promise<'ok' | 'put back'> {
    return (await this.times.isClockBehind()) ? 'put back' : 'ok';
  }

  private async state(): Promise<'ok' | 'read-only'> {
    await this.database.assertSchemaFits();
    await this.secretsKey.assertFits();
    return (await this.database.isReadOnly()) ? 'read-only' : 'ok';
  }
}

/** Resolves to `ok`, `read-only`, `unavailable`, or why the schema or the SECRETS_KEY does not fit. */
async function answers(question: Promise<string>): Promise<string> {
  const tooLate = new Promise<string>((resolve) => {
    setTimeout(resolve, ANSWER_TIMEOUT_MS, 'unavailable').unref();
  });
  const answer = question.catch((error: unknown) =>
    error instanceof SchemaUnfit || error instanceof SecretsKeyUnfit ? error.message : 'unavailable',
  );
  return Promise.race([answer, tooLate]);
}
