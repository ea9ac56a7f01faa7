import { Unavailable } from '@rollcall/core'
import { readWhole } from '@rollcall/platform-node'

const TIMEOUT = 5_000
const LONGEST = 64 * 1024

interface Answer {
  readonly status: number
  readonly body: Buffer
}

/**
 * Asks a URL that was checked. No redirect is followed: it would lead to a place that was not.
 * @throws {Unavailable} there is no answer, or none that ends
 */
export const getFrom = async (url: string, fetchFrom: typeof fetch): Promise<Answer> => {
  try {
    const signal = AbortSignal.timeout(TIMEOUT)
    const response = await fetchFrom(url, { redirect: 'manual', signal, headers: { 'User-Agent': 'Rollcall' } })
    return { status: response.status, body: await readWhole(response.body ?? [], LONGEST, tooLong) }
  } catch (error) {
    throw new Unavailable({ cause: error })
  }
}

const tooLong = (): RangeError => new RangeError('The answer is too long.')
