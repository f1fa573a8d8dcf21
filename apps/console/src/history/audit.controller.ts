import { Controller, Get, Header, Query } from '@nestjs/common';
import { AUDIT_ACTS } from '@passerelle/domain';
import { AuditLog, type AuditedChange, type AuditFilter } from '@passerelle/database';
import { numberFilter, untilFilter, wordFilter } from '../access/filters';
import { type Fields, textOf } from '../access/form';
import { type Visit, Visiting } from '../layout/page';
import { auditPage } from './audit-page';

const PER_PAGE = 100;
const MOST_OF_CSV = 100_000;

/** Changes by operators. */
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  async list(@Visiting() visit: Visit, @Query() query: Fields): Promise<string> {
    const wanted = parse(visit, query, PER_PAGE);
    const changes = await this.audit.list(wanted);
    const last = changes.length === PER_PAGE ? changes.at(-1) : undefined;
    const older = last === undefined ? null : addressOf('/audit', query, String(last.id));
    return auditPage(visit, { wanted, changes, older, csv: addressOf('/audit.csv', query) });
  }
}

@Controller('audit.csv')
export class AuditCsvController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  @Header('content-type', 'text/csv; charset=utf-8; header=present')
  @Header('content-disposition', 'attachment; filename="audit.csv"')
  async csv(@Visiting() visit: Visit, @Query() query: Fields): Promise<string> {
    const changes = await this.audit.list({ ...parse(visit, query, MOST_OF_CSV), withParts: true });
    return [COLUMNS.join(','), ...changes.map(lineOf)].join('\r\n') + '\r\n';
  }
}

const COLUMNS = [
  'id',
  'at',
  'who',
  'through',
  'act',
  'crm',
  'client',
  'run',
  'before',
  'after',
  'reason',
  'part_of',
] as const;

function lineOf({ runId, before, after, partOf, ...change }: AuditedChange): string {
  const texts = {
    part_of: partOf,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    run: runId,
  };
  const values = { ...change, ...texts };
  return COLUMNS.map((name) => cellOf(values[name])).join(',');
}

/** A quoted cell that is never a formula: a spreadsheet would run a formula that an operator typed as a reason. */
function cellOf(value: string | number | null): string {
  const text = String(value ?? '').replaceAll('"', '""');
  return `"${/^[=+\-@\t\r]/.test(text) ? "'" : ''}${text}"`;
}

function parse(visit: Visit, query: Fields, limit: number): AuditFilter {
  const who = textOf(query, 'who', 100);
  const act = wordFilter(visit, query, 'act', AUDIT_ACTS);
  const partOf = numberFilter(visit, query, 'part_of');
  return {
    ...(partOf !== undefined && { partOf }),
    ...(who !== '' && { who }),
    ...(act !== undefined && { act }),
    ...untilFilter(visit, query),
    limit,
  };
}

function addressOf(path: string, query: Fields, before = ''): string {
  const parameters = new URLSearchParams();
  for (const name of ['who', 'act', 'until', 'part_of']) parameters.set(name, textOf(query, name, 100));
  parameters.set('before', before);
  for (const [name, value] of [...parameters]) if (value === '') parameters.delete(name);
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}
