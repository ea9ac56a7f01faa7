import pg from 'pg'

const { types } = pg
const INT8 = 20

/** Whole numbers of 64 bits as numbers: everything here is within what those can tell apart. */
export const columnTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
}
