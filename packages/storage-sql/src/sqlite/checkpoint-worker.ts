import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

// Runs in a thread of its own: bringing the log into the database file must not take the event loop's time.
const connection = new Database(workerData.file, { fileMustExist: true, timeout: 0 })
connection.pragma('synchronous = FULL')

parentPort?.on('message', (request: 'checkpoint' | 'close') => {
  if (request === 'close') {
    connection.close()
    parentPort?.close()
    return
  }
  // A failure ends the thread and reaches the other side as its 'error'.
  connection.pragma('wal_checkpoint(PASSIVE)')
  parentPort?.postMessage('done')
})
