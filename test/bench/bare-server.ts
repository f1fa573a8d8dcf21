import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import pg from 'pg';

// The server that the API is compared with: Fastify alone, or with its logger. It serves a page from a file in memory,
// and text columns of the same size, one row per request.
const { PORT = '0', DATABASE_URL, PAGE_FILE, PAGE_ENCODING, LOGGER } = process.env;

const app = fastify({ logger: LOGGER === 'on' });
const page = PAGE_FILE === undefined ? Buffer.alloc(0) : readFileSync(PAGE_FILE);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

app.get('/health/ready', () => ({}));
app.get('/page', (_request, reply) => {
  if (PAGE_ENCODING !== undefined) reply.header('content-encoding', PAGE_ENCODING);
  return reply.type('application/json; charset=utf-8').send(page);
});
app.get<{ Querystring: { id: string } }>('/text', async (request, reply) => {
  const { rows } = await pool.query<{ body: string }>({
    name: 'text',
    text: 'SELECT body FROM bench_page WHERE id = $1',
    values: [request.query.id],
  });
  return reply.type('application/json; charset=utf-8').send(rows[0]?.body);
});

void app.listen({ port: Number(PORT), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
