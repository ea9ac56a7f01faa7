import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds in which a service that has a processor to run on says that it is alive. */
const PROMPT = 500
const LONGEST = 300_000

/**
 * Resolves when the service answers as promptly as it should, or nobody is there: a machine with too much to do makes
 * everybody slow, and that is not what is looked for.
 */
export const untilPrompt = async (port: number): Promise<void> => {
  for (const end = performance.now() + LONGEST; performance.now() < end; await sleep(PROMPT)) {
    const begun = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer === undefined || performance.now() - begun < PROMPT) return
  }
}
