// The binary format of COPY: https://www.postgresql.org/docs/current/sql-copy.html

/** What it begins with. */
export const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** The signature, no flags, and no extension. */
export const HEADER = Buffer.concat([SIGNATURE, Buffer.alloc(8)]);
/** In the place of a row's number of fields: there are no more rows. */
export const END = -1;
