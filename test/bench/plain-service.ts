import 'reflect-metadata';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Column, Entity, PrimaryColumn, Repository } from 'typeorm';

// A typical service, for comparison: an entity, a repository, and a controller that returns entities. It has no API key
// and no snapshot.
const { PORT = '0', DATABASE_URL = '' } = process.env;

@Entity('bench_listing')
class Listing {
  @PrimaryColumn('integer')
  position!: number;

  @Column('jsonb')
  data!: object;
}

@Controller()
class ListingsController {
  constructor(@InjectRepository(Listing) private readonly listings: Repository<Listing>) {}

  @Get('health/ready')
  ready(): object {
    return {};
  }

  @Get('listings')
  async list(@Query('page') page: string): Promise<object> {
    const [listings, total] = await this.listings.findAndCount({
      order: { position: 'ASC' },
      skip: (Number(page) - 1) * 50,
      take: 50,
    });
    return { status: 'success', data: listings.map(({ data }) => data), meta: { page: Number(page), total } };
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, entities: [Listing], extra: { max: 10 } }),
    TypeOrmModule.forFeature([Listing]),
  ],
  controllers: [ListingsController],
})
class PlainModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(PlainModule, new FastifyAdapter(), { logger: false });
  await app.listen(Number(PORT), '127.0.0.1');
  process.once('SIGTERM', () => process.exit(0));
}

void main();
