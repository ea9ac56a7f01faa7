import type { Fault, Step } from '../shared/session.ts'

/** A fault of the relay, and what must become of the mails. */
export interface FaultMode {
  readonly step: Step
  readonly fault: Fault
  readonly end: 'delivered' | 'parked'
  /** The relay may have the whole mail, and does not say so: it is sent again when the cap of the address allows a copy. */
  readonly unsure?: true
}

const mode = (step: Step, fault: Fault, end: FaultMode['end'] = 'delivered'): FaultMode => ({ step, fault, end })
const hangingUp = (reply: string): Fault => ({ reply, hangUp: true })

export const FAULT_MODES: readonly FaultMode[] = [
  mode('connect', hangingUp('421 4.3.2 too busy')),
  mode('connect', hangingUp('554 5.3.2 not accepting mail')),
  mode('connect', { act: 'drop' }),
  mode('connect', { act: 'reset' }),
  mode('connect', { act: 'hang' }),
  mode('connect', { act: 'garbage' }),
  mode('connect', { act: 'trickle' }),
  mode('EHLO', hangingUp('421 4.3.2 closing')),
  mode('EHLO', { reply: '550 5.7.1 not you' }),
  mode('EHLO', { act: 'drop' }),
  mode('EHLO', { act: 'hang' }),
  mode('EHLO', { act: 'endless' }),
  mode('MAIL', { reply: '451 4.3.0 not now' }),
  mode('MAIL', { reply: '552 5.2.2 over quota' }),
  mode('MAIL', { act: 'drop' }),
  mode('RCPT', { reply: '450 4.2.1 greylisted' }),
  mode('RCPT', { reply: '550 5.1.1 no such user' }, 'parked'),
  mode('RCPT', hangingUp('421 4.7.0 too many')),
  mode('RCPT', { act: 'hang' }),
  mode('DATA', { reply: '451 4.3.0 not now' }),
  mode('DATA', { reply: '554 5.6.0 no' }, 'parked'),
  mode('DATA', { act: 'drop' }),
  { ...mode('body', { act: 'drop' }), unsure: true },
  { ...mode('body', { act: 'hang' }), unsure: true },
  mode('dot', { reply: '452 4.2.2 mailbox full' }),
  mode('dot', { reply: '554 5.7.1 looks like spam' }, 'parked'),
  { ...mode('dot', { act: 'drop' }), unsure: true },
  { ...mode('dot', { act: 'hang' }), unsure: true },
  { ...mode('dot', { act: 'garbage' }), unsure: true },
  { ...mode('dot', { act: 'keep' }), unsure: true },
]

export const nameOf = ({ step, fault }: FaultMode): string => {
  if ('act' in fault) return `${step}: ${fault.act === 'keep' ? 'accepts, then drops' : fault.act}`
  return `${step}: ${fault.reply.slice(0, 3)}${fault.hangUp ? ' and hangs up' : ''}`
}
