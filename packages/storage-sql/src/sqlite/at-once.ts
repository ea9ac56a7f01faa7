import type { Connection } from './connection.ts'

/** Runs several readings as one: what another process commits meanwhile comes between none of them. */
export const atOnce = (connection: Connection): (<Result>(read: () => Result) => Result) => {
  const begin = connection.prepare('BEGIN')
  const end = connection.prepare('COMMIT')
  return (read) => {
    if (connection.inTransaction) return read()
    begin.run()
    try {
      return read()
    } finally {
      // An error may have ended it already.
      if (connection.inTransaction) end.run()
    }
  }
}
