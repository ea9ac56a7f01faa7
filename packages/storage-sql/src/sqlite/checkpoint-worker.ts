import { parentPort, workerData } from 'node:worker_threads'
import type { Request } from './checkpointer.ts'
import { Connection } from './driver.ts'
import { dirtyPages } from './free-space.ts'

// Milliseconds; waiting in this thread delays no request.
const BUSY_TIMEOUT = 2_000

// Runs in a thread of its own: bringing the log into the database file must not take the event loop's time.
const connection = new Connection(workerData.file, { timeout: BUSY_TIMEOUT })
connection.pragma('synchronous = FULL')
connection.pragma('secure_delete = ON')

parentPort?.on('message', (request: Request) => {
  if (request === 'close') {
    connection.close()
    parentPort?.close()
    return
  }
  // A failure ends the thread and reaches the other side as its 'error'.
  if (request === 'checkpoint') {
    connection.pragma('wal_checkpoint(PASSIVE)')
    parentPort?.postMessage('done')
  } else parentPort?.postMessage(dirtyPages(request.fd, request.pageSize))
})
