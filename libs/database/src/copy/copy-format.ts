/** What the binary format begins with: its signature, no flags, no extension. https://www.postgresql.org/docs/current/sql-copy.html */
export const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** In the place of a row's number of values: there are no more rows. */
export const END = -1;
