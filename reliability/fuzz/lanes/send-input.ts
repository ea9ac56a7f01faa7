import type { Finding } from '../finding.ts'
import type { Input } from '../input.ts'
import { RequestLane } from './request-lane.ts'
import { sendStream } from './send-stream.ts'

/** One input on a connection of its own. `patience` in milliseconds. */
export const sendInput = async (port: number, input: Input, patience?: number): Promise<Finding[]> => {
  if (input.kind === 'stream') return await sendStream(port, input, patience)
  const lane = new RequestLane(port, patience)
  try {
    return await lane.send([input])
  } finally {
    lane.close()
  }
}
