import pg from 'pg'

const INT8 = 20

/** Whole numbers of 64 bits as numbers: everything here is within what those can tell apart. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}
