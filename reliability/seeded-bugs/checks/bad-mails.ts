import type { Check } from './check.ts'
import { eventually } from './eventually.ts'
import { Stage } from './stage.ts'

const BAD = 12
const GOOD = 10
/** Milliseconds in which mails must go out that nothing is wrong with. */
const PATIENCE = 15_000

/** The relay puts off some mails: the others must come all the same. */
export const badMails: Check = async ({ plantings }) => {
  await using stage = await Stage.set({ plantings })
  stage.relay.decide = (step, { recipient }) =>
    step === 'RCPT' && recipient?.startsWith('bad') ? { reply: '451 4.3.0 not now' } : undefined
  await stage.start()
  const subscribe = async (email: string) => await stage.ask('POST', '/subscribe', { body: { email } })
  for (let n = 0; n < BAD; n++) await subscribe(`bad@host-${n}.example.com`)
  for (let n = 0; n < GOOD; n++) await subscribe(`good-${n}@example.com`)
  if (await eventually(() => stage.accepted.length >= GOOD, PATIENCE)) return undefined
  return `${stage.accepted.length} of ${GOOD} mails came, as ${BAD} others were put off`
}
